/** While a payment is disputed, its campaign is frozen; testers inside continue and are paid (change_dispute). */
import { afterEach, describe, expect, test } from 'vitest'
import type { CampaignTester } from '../../participations/contract.ts'
import { daysAndProof, draftOf, fundedBy, joinedBy } from '../../testing/app.ts'
import { balanceOf } from '../../testing/appeals.ts'
import { disputesIn, join, linesOf, toldOf } from '../../testing/disputes.ts'
import { brokenChecks } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { clock, hoursAfter, hoursBetween } from '../../kit/clock.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')
afterEach(async () => expect(await brokenChecks()).toEqual([]))

const { begun, campaignOf, news, payingBy, settled, withProof } = disputesIn(t, admin)
const reason = 'This shows another app, and none of the days was spent with ours at all.'

describe('a campaign whose payment is disputed', () => {
  test('is not started, so that its time does not run out while nobody can join', async () => {
    const developer = await payingBy(null)
    const { id } = await fundedBy(developer)
    await admin.call('POST', `/admin/campaigns/${id}/approve`)
    await news(id, 'OPEN')
    const start = () => developer.call<{ message: string }>('POST', `/campaigns/${id}/start`)
    expect(await start()).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('once the bank has decided in your favor') },
    })
    await news(id, 'WON')
    expect((await start()).status).toBe(200)
  })

  test('is approved with the word that it can be started once the bank has decided', async () => {
    const developer = await payingBy(null)
    const { id } = await fundedBy(developer)
    await news(id, 'OPEN')
    expect((await admin.call('POST', `/admin/campaigns/${id}/approve`)).status).toBe(200)
    expect(await toldOf(developer, /^Approved/)).toEqual([
      expect.stringContaining('once your bank has decided in your favor on the disputed payment'),
    ])
  })

  test('ends later by the time in which nobody could join, once the last dispute is won', async () => {
    const { developer, id } = await begun({ durationDays: 2 })
    const { endDate } = await campaignOf(developer, id)
    await news(id, 'OPEN')
    await t.advance(24)
    await news(id, 'OPEN', 'second')
    await t.advance(24)
    await news(id, 'WON')
    await t.advance(24)
    await news(id, 'WON', 'second')
    await settled()
    const after = await campaignOf(developer, id)
    expect([after.status, Math.round(hoursBetween(endDate!, after.endDate!))]).toEqual(['LIVE', 72])
    expect((await join(await t.signUp('TESTER'), id)).status).toBe(201)
  })

  test('ends later by the time of a second dispute, but not by the time in between; a cancelled one keeps its end', async () => {
    const { developer, id } = await begun({ durationDays: 9 })
    const { endDate } = await campaignOf(developer, id)
    await news(id, 'OPEN')
    await t.advance(24)
    await news(id, 'WON', id, undefined, null, 1)
    await t.advance(48)
    await news(id, 'OPEN', id, undefined, null, 2)
    await t.advance(5)
    await news(id, 'WON', id, undefined, null, 3)
    const won = (await campaignOf(developer, id)).endDate
    expect(Math.round(hoursBetween(endDate!, won!))).toBe(29)
    await developer.call('POST', `/campaigns/${id}/cancel`)
    await news(id, 'OPEN', `${id}-2`)
    await t.advance(5)
    await news(id, 'WON', `${id}-2`)
    expect((await campaignOf(developer, id)).endDate).toBe(won)
  })

  test('ends later by all the time since the first opening, also if a won dispute is opened again before another one ends', async () => {
    const { developer, id } = await begun({ durationDays: 9 })
    const { endDate } = await campaignOf(developer, id)
    await news(id, 'OPEN', id, undefined, null, 1)
    await news(id, 'OPEN', 'other')
    await t.advance(5)
    await news(id, 'WON', id, undefined, null, 2)
    await t.advance(5)
    await news(id, 'OPEN', id, undefined, null, 3)
    await t.advance(5)
    await news(id, 'WON', 'other')
    await news(id, 'WON', id, undefined, null, 4)
    const won = (await campaignOf(developer, id)).endDate
    expect(Math.round(hoursBetween(endDate!, won!))).toBe(15)
  })

  test('is disputed since a won dispute was opened again, also once another one is opened', async () => {
    const { developer, id } = await begun({ durationDays: 9 })
    const since = async () => (await campaignOf(developer, id)).dispute!.since
    await news(id, 'OPEN')
    await t.advance(1)
    await news(id, 'WON')
    await t.advance(1)
    await news(id, 'OPEN', id, undefined, null, 2)
    const again = await since()
    await t.advance(1)
    await news(id, 'OPEN', `${id}-2`)
    expect(await since()).toBe(again)
  })

  test('keeps its end if its time was over before, and gets no time back if the dispute is lost', async () => {
    const [over, lost] = [await begun(), await begun({ durationDays: 9 })]
    const endsOf = () => Promise.all([over, lost].map(async of => (await campaignOf(of.developer, of.id)).endDate))
    // A tester is still inside, so the campaign continues past its end.
    await joinedBy(await t.signUp('TESTER'), over.id)
    await t.look('update campaigns set end_date = $2 where id = $1', [over.id, clock.now()])
    await t.advance(1)
    const before = await endsOf()
    for (const { id } of [over, lost]) await news(id, 'OPEN')
    await t.advance(5)
    await news(over.id, 'WON')
    await news(lost.id, 'LOST')
    expect(await endsOf()).toEqual(before)
  })

  test('takes nobody for a seat or the bench, and continues when the dispute is won', async () => {
    const { developer, id } = await begun({ testersRequired: 1, durationDays: 14 })
    const [inside, waiting, late] = [await t.signUp('TESTER'), await t.signUp('TESTER'), await t.signUp('TESTER')]
    const seat = await joinedBy(inside, id)
    const entry = (await join(waiting, id, true)).body.id
    await news(id, 'OPEN')
    expect((await campaignOf(inside, id)).dispute).toMatchObject({ since: expect.any(String) })
    // The seat is free, but not offered.
    expect((await inside.call('POST', `/testers/campaign-testers/${seat.id}/leave`)).status).toBe(200)
    for (const outside of [inside, waiting]) expect((await campaignOf(outside, id)).dispute).toBeNull()
    for (const bench of [false, true]) {
      const refused = await join(late, id, bench)
      expect(refused).toMatchObject({
        status: 409,
        body: { message: 'This campaign is not accepting new testers at the moment.' },
      })
    }
    expect(await waiting.call('POST', `/testers/campaign-testers/${entry}/accept-seat`)).toMatchObject({
      status: 409,
      body: { message: 'This campaign is not accepting testers at the moment.' },
    })
    expect((await campaignOf(late, id)).actions).toEqual([])
    expect(await campaignOf(late, id)).toMatchObject({ dispute: null, offeredSeats: 0 })
    expect((await campaignOf(developer, id)).dispute).toMatchObject({ lostAt: null, since: expect.any(String) })
    await news(id, 'WON')
    await settled()
    expect(await campaignOf(developer, id)).toMatchObject({ dispute: null, offeredSeats: 1 })
  })

  test.each([
    ['won', ['WON']],
    ['lost, and won after all', ['LOST', 'WON']],
  ] as const)(
    'gives a seat that became free meanwhile to the next in line, in the moment it is %s',
    async (_, outcomes) => {
      const { id } = await begun({ testersRequired: 1, durationDays: 14 })
      const [inside, waiting, late] = [await t.signUp('TESTER'), await t.signUp('TESTER'), await t.signUp('TESTER')]
      const seat = await joinedBy(inside, id)
      const entry = (await join(waiting, id, true)).body.id
      await news(id, 'OPEN')
      await inside.call('POST', `/testers/campaign-testers/${seat.id}/leave`)
      for (const [before, outcome] of outcomes.entries()) await news(id, outcome, id, undefined, null, before + 1)
      // No job has run yet.
      expect((await join(late, id)).status).toBe(409)
      expect((await waiting.call('POST', `/testers/campaign-testers/${entry}/accept-seat`)).status).toBe(200)
      await settled()
    },
  )

  test('withdraws the seat that it had offered, and offers it to the same tester when the dispute is won', async () => {
    const { developer, id } = await begun({ testersRequired: 1, durationDays: 14 })
    const [inside, first, second] = [await t.signUp('TESTER'), await t.signUp('TESTER'), await t.signUp('TESTER')]
    const seat = await joinedBy(inside, id)
    const entry = (await join(first, id, true)).body.id
    await join(second, id, true)
    await inside.call('POST', `/testers/campaign-testers/${seat.id}/leave`)
    await settled()
    const waiting = async () => (await first.call<CampaignTester>('GET', `/testers/campaign-testers/${entry}`)).body
    expect((await waiting()).actions).toEqual(['acceptSeat', 'leave'])
    await news(id, 'OPEN')
    expect(await waiting()).toMatchObject({ actions: ['leave'], bench: { offerEndsAt: null, takesNobody: true } })
    expect(await campaignOf(developer, id)).toMatchObject({ offeredSeats: 0 })
    await t.advance(25)
    expect((await waiting()).bench).toMatchObject({ line: 1 })
    await news(id, 'WON')
    await settled()
    expect((await waiting()).actions).toEqual(['acceptSeat', 'leave'])
    expect((await first.call('POST', `/testers/campaign-testers/${entry}/accept-seat`)).status).toBe(200)
  })

  test('is frozen since a won dispute was opened again, not since its first opening: who let a seat pass before is told that', async () => {
    const { developer, id } = await begun({ testersRequired: 1, durationDays: 14 })
    const [inside, waiting] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
    const seat = await joinedBy(inside, id)
    const entry = (await join(waiting, id, true)).body.id
    await news(id, 'OPEN')
    await t.advance(1)
    await news(id, 'WON')
    await t.advance(2)
    await inside.call('POST', `/testers/campaign-testers/${seat.id}/leave`)
    await settled()
    await t.look('update bench_entries set offered_at = $2, offer_ends_at = $3, told_at = $2 where id = $1', [
      entry,
      hoursAfter(clock.now(), -24),
      clock.now(),
    ])
    const before = clock.now()
    await news(id, 'OPEN', id, undefined, null, 2)
    expect((await campaignOf(developer, id)).dispute!.since! >= before).toBe(true)
    await settled()
    await settled()
    expect(await toldOf(waiting, /^Your seat offer expired/)).toHaveLength(1)
    expect(await toldOf(waiting, /^Your seat is on hold/)).toEqual([])
  })

  test('refunds nothing until the dispute is over, whatever would have caused a refund', async () => {
    const { developer, id } = await begun()
    await news(id, 'OPEN')
    expect((await developer.call('POST', `/campaigns/${id}/close-seat`)).status).toBe(200)
    expect((await developer.call('POST', `/campaigns/${id}/cancel`)).status).toBe(200)
    await settled()
    expect(await campaignOf(developer, id)).toMatchObject({ status: 'CANCELLED', fundedCents: 3000, feeCents: 450 })
    await news(id, 'WON')
    await settled()
    expect(await campaignOf(developer, id)).toMatchObject({ fundedCents: 0, feeCents: 0 })
    await settled()
    expect(await linesOf(developer)).toEqual(['CREDIT COMPLETED 3450', 'DEBIT COMPLETED 3000', 'FEE COMPLETED 450'])
  })

  test('leaves the fee of a closed seat to its owner, even if the very last test is verified meanwhile', async () => {
    const { developer, id } = await begun({ testersRequired: 2 })
    const { participationId } = await withProof(id)
    await news(id, 'OPEN')
    expect((await developer.call('POST', `/campaigns/${id}/close-seat`)).status).toBe(200)
    expect((await developer.call('POST', `/campaign-testers/${participationId}/verify`)).status).toBe(200)
    await news(id, 'WON')
    await settled()
    await settled()
    expect(await linesOf(developer)).toEqual(['CREDIT COMPLETED 1150', 'DEBIT COMPLETED 2000', 'FEE COMPLETED 300'])
  })

  test('keeps the surplus of an edited draft until then', async () => {
    const developer = await payingBy(null)
    const { id } = await draftOf(developer)
    await developer.call('POST', `/campaigns/${id}/fund`, { amountCents: 3450 })
    await admin.call('POST', `/admin/campaigns/${id}/reject`, { reason: 'Say what the testers are to do.' })
    await news(id, 'OPEN')
    const edited = await developer.call('PATCH', `/campaigns/${id}`, { payPerTesterCents: 500 })
    expect(edited.status).toBe(200)
    expect(await campaignOf(developer, id)).toMatchObject({ status: 'DRAFT', fundedCents: 3000, outstandingCents: 0 })
    await news(id, 'WON')
    await settled()
    expect(await campaignOf(developer, id)).toMatchObject({ fundedCents: 1500, feeCents: 225 })
  })

  test('lets testers inside check in, submit proofs, be verified without a review and be paid; the developer cannot reject', async () => {
    const { developer, id } = await begun({ testersRequired: 2 })
    const tester = await t.signUp('TESTER')
    const { id: participationId } = await joinedBy(tester, id)
    await news(id, 'OPEN')
    await daysAndProof(t, [{ person: tester, participationId }], 1)
    const seen = (await developer.call<CampaignTester[]>('GET', `/campaigns/${id}/testers`)).body[0]!
    expect(seen.actions).toContain('verify')
    expect(seen.actions).not.toContain('reject')
    const refused = await developer.call<{ message: string }>('POST', `/campaign-testers/${participationId}/reject`, {
      code: 'OTHER',
      reason,
    })
    expect(refused.status).toBe(409)
    expect(refused.body.message).toContain('disputed')
    await t.advance(73)
    expect(await balanceOf(tester)).toBe(1000)
    // The end date has passed, and completion waits.
    await t.advance(24 * 3)
    expect(await campaignOf(developer, id)).toMatchObject({ status: 'LIVE', fundedCents: 2000 })
    await news(id, 'WON')
    await settled()
    // The campaign gets back the time in which nobody could join.
    expect(await campaignOf(developer, id)).toMatchObject({ status: 'LIVE', fundedCents: 2000 })
    await t.advance(24 * 8)
    expect(await campaignOf(developer, id)).toMatchObject({ status: 'COMPLETED', fundedCents: 1000 })
  })
})
