import { describe, expect, test } from 'vitest'
import { proRata } from '../../kit/money.ts'
import { daysAndProof, joinedBy, liveCampaign, type Person } from '../../testing/app.ts'
import { allSignedUp, signedUp, testApp } from '../../testing/prologue.ts'
import { inParallel, brokenChecks, emailsOf, tally } from '../../testing/observed.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import type { CampaignTester } from '../../participations/contract.ts'
import type { Balance, Transaction } from '../contract.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
const testers = allSignedUp(t, 'TESTER', 7)

const campaignOf = async (id: string) => (await developer.call<Campaign>('GET', `/campaigns/${id}`)).body
const verify = (id: string) => developer.call('POST', `/campaign-testers/${id}/verify`)
const balanceOf = async (tester: Person) => (await tester.call<Balance>('GET', '/testers/balance')).body.balanceCents
/** What the platform earned from a campaign, by transfer. */
const feesOf = async (campaignId: string) =>
  (
    await t.look<{ cents: number }>(
      `select amount_cents as cents from transfers where campaign_id = $1 and business_key like 'verify-fee:%' order by id`,
      [campaignId],
    )
  ).map(row => row.cents)
const refundOf = async (campaignId: string) => {
  const { body } = await developer.call<{ data: Transaction[] }>('GET', '/users/me/transactions?limit=100')
  return body.data
    .filter(line => line.campaign?.id === campaignId && line.type === 'CREDIT')
    .map(line => [line.status, line.amountCents])
}

const submitted = async (terms: Record<string, unknown>, count: number) => {
  const { id } = await liveCampaign(developer, admin, { durationDays: 1, ...terms })
  const seats: { person: Person; participationId: string }[] = []
  for (const person of testers.slice(0, count)) seats.push({ person, participationId: (await joinedBy(person, id)).id })
  await daysAndProof(t, seats, 1)
  return { id, ids: seats.map(seat => seat.participationId) }
}

describe('the fee', () => {
  test('of 7 seats at 101 cents is 106: six shares of 15, and the last seat takes the rest', async () => {
    const { id, ids } = await submitted({ testersRequired: 7, payPerTesterCents: 101 }, 7)
    expect(tally(await inParallel(7, index => verify(ids[index]!)))).toEqual({ 200: 7 })
    expect(await feesOf(id)).toEqual([15, 15, 15, 15, 15, 15, 16])
    await t.advance(0)
    expect(await campaignOf(id)).toMatchObject({ status: 'COMPLETED', fundedCents: 707, feeCents: 106 })
    expect(await refundOf(id)).toEqual([])
  })

  test('of seats that nobody took goes back, and the shares of the others stay', async () => {
    const { id, ids } = await submitted({ testersRequired: 7, payPerTesterCents: 101 }, 2)
    for (const participation of ids) await verify(participation)
    await t.advance(0)
    expect(await feesOf(id)).toEqual([15, 15])
    expect(await campaignOf(id)).toMatchObject({ status: 'COMPLETED', fundedCents: 202, feeCents: 30 })
    expect(await refundOf(id)).toEqual([['PENDING', 707 - 202 + 106 - 30]])
    await t.advance(1)
    expect(await refundOf(id)).toEqual([['COMPLETED', 581]])
  })

  test('of a cancelled campaign is complete, rounding included, if every seat is then verified', async () => {
    const { id, ids } = await submitted({ testersRequired: 3, payPerTesterCents: 101 }, 3)
    await verify(ids[0]!)
    await developer.call('POST', `/campaigns/${id}/cancel`)
    for (const participation of ids.slice(1)) await verify(participation)
    expect(await feesOf(id)).toEqual([15, 15, 15])
    expect(await campaignOf(id)).toMatchObject({ fundedCents: 303, feeCents: 45 })
    const rounded = await submitted({ testersRequired: 3, payPerTesterCents: 103 }, 3)
    await verify(rounded.ids[0]!)
    await developer.call('POST', `/campaigns/${rounded.id}/cancel`)
    for (const participation of rounded.ids.slice(1)) await verify(participation)
    expect(await feesOf(rounded.id)).toEqual([15, 15, 16])
    expect(await refundOf(rounded.id)).toEqual([])
  })

  test('of a cancelled campaign with one rejected proof goes back for that seat, rounding included, once the rejection is final', async () => {
    const { id, ids } = await submitted({ testersRequired: 3, payPerTesterCents: 103 }, 3)
    await developer.call('POST', `/campaigns/${id}/cancel`)
    const reason = 'This is the proof of another app than the one under test.'
    await developer.call('POST', `/campaign-testers/${ids[0]}/reject`, { code: 'WRONG_APP_OR_VERSION', reason })
    for (const participation of ids.slice(1)) await verify(participation)
    expect(await feesOf(id)).toEqual([15, 15])
    expect(await refundOf(id)).toEqual([])
    await t.advance(72)
    expect(await refundOf(id)).toEqual([['PENDING', 103 + 16]])
  })
})

describe('a cancelled campaign', () => {
  test('pays testers for the days they checked in, rounded down, and refunds the rest with its fee', async () => {
    const { id } = await liveCampaign(developer, admin, {
      testersRequired: 4,
      payPerTesterCents: 1001,
      durationDays: 7,
    })
    const people = await inParallel(3, () => t.signUp('TESTER'))
    const seats: string[] = []
    for (const person of people) seats.push((await joinedBy(person, id)).id)
    // The first tester checks in on three days, the second on one, the third never.
    for (let day = 0; day < 3; day++) {
      await people[0]!.call('POST', `/testers/campaign-testers/${seats[0]}/check-ins`, {})
      if (day === 2) await people[1]!.call('POST', `/testers/campaign-testers/${seats[1]}/check-ins`, {})
      if (day < 2) await t.advance(24)
    }
    const { body } = await developer.call<Campaign>('POST', `/campaigns/${id}/cancel`, undefined, 'cancel-once')
    const paid = [proRata(1001, 3, 7), proRata(1001, 1, 7), 0]
    expect(paid).toEqual([429, 143, 0])
    expect(await Promise.all(people.map(balanceOf))).toEqual(paid)
    expect(body).toMatchObject({ status: 'CANCELLED', fundedCents: 572, feeCents: 0 })
    expect(await refundOf(id)).toEqual([['PENDING', 4004 + 601 - 572]])
    await t.advance(1)
    expect(await refundOf(id)).toEqual([['COMPLETED', 4033]])
    expect(
      (await people[0]!.call<{ data: Transaction[] }>('GET', '/users/me/transactions')).body.data[0],
    ).toMatchObject({
      type: 'CREDIT',
      amountCents: 429,
      description: 'Cancelled test, 3 of 7 days',
    })
    // The same key again: the same answer, and no second refund.
    expect((await developer.call<Campaign>('POST', `/campaigns/${id}/cancel`, undefined, 'cancel-once')).body).toEqual(
      body,
    )
    expect(await refundOf(id)).toHaveLength(1)
    for (const { user } of people) {
      expect((await emailsOf(t)).filter(email => email.startsWith(`${user.email}: Cancelled`))).toHaveLength(1)
    }
  })

  test('without daily check-in pays for the whole 24 hours since each one joined, at most the whole test', async () => {
    const terms = { testersRequired: 4, payPerTesterCents: 1001, durationDays: 7, dailyCheckIn: false }
    const { id } = await liveCampaign(developer, admin, terms)
    const people = await inParallel(4, () => t.signUp('TESTER'))
    // By the end the first tester has tested for 8 days, the second for 2.5, the third for 1, the fourth for a moment.
    for (const [index, hours] of [132, 36, 24, 0].entries()) {
      await joinedBy(people[index]!, id)
      await t.advance(hours)
    }
    // A check-in changes nothing.
    const mine = (await people[3]!.call<CampaignTester[]>('GET', '/testers/my-campaigns')).body[0]!
    await people[3]!.call('POST', `/testers/campaign-testers/${mine.id}/check-ins`, {})
    await developer.call('POST', `/campaigns/${id}/cancel`)
    const paid = [1001, proRata(1001, 2, 7), proRata(1001, 1, 7), 0]
    expect(paid).toEqual([1001, 286, 143, 0])
    expect(await Promise.all(people.map(balanceOf))).toEqual(paid)
    const line = (await people[1]!.call<{ data: Transaction[] }>('GET', '/users/me/transactions')).body.data[0]
    expect(line?.description).toBe('Cancelled test, 2 of 7 days')
    expect(await refundOf(id)).toEqual([['PENDING', 4004 + 601 - 1001 - 286 - 143]])
  })

  test('never pays more than the whole test, however many days were checked in', async () => {
    const { id } = await liveCampaign(developer, admin, { testersRequired: 1, durationDays: 1 })
    const tester = await t.signUp('TESTER')
    const seat = await joinedBy(tester, id)
    for (let day = 0; day < 3; day++) {
      expect((await tester.call('POST', `/testers/campaign-testers/${seat.id}/check-ins`, {})).status).toBe(201)
      await t.advance(24)
    }
    await admin.call('POST', `/campaigns/${id}/cancel`)
    expect(await balanceOf(tester)).toBe(1000)
    expect(await refundOf(id)).toEqual([['PENDING', 150]])
  })

  test('is cancelled and refunded once, even if owner and admin request it many times at once', async () => {
    const { id } = await liveCampaign(developer, admin)
    const replies = await inParallel(12, index =>
      (index % 2 ? developer : admin).call('POST', `/campaigns/${id}/cancel`),
    )
    expect(tally(replies)).toEqual({ 200: 1, 409: 11 })
    expect(await refundOf(id)).toEqual([['PENDING', 3450]])
  })
})

test('the books balance', async () => expect(await brokenChecks()).toEqual([]))
