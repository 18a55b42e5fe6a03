/**
 * While a payment is disputed its campaign is frozen, those inside go on and are paid, and no cent is given back twice
 * (change_dispute, cover_disputes, settle_disputed, win_lost_dispute).
 */
import { afterEach, describe, expect, test } from 'vitest'
import type { CampaignTester } from '../../participations/contract.ts'
import {
  daysAndProof,
  device,
  draftOf,
  frozen,
  fundedBy,
  joinedBy,
  liveCampaign,
  password,
  type Person,
} from '../../testing/app.ts'
import { begunCharge } from '../../testing/begunCharge.ts'
import { disputesIn } from '../../testing/disputes.ts'
import { brokenChecks, emailsOf } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import type { Notification } from '../../notifications/contract.ts'
import type { Balance, Transaction } from '../contract.ts'
import { settleDisputes } from './disputes.ts'
import { carryOutCharge } from './ledger.ts'
import { sandboxMovements } from './sandboxFile.ts'
import { clock, hoursBetween } from '../../kit/clock.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')
afterEach(async () => expect(await brokenChecks()).toEqual([]))

const { begun, campaignOf, news, payingBy, paymentOf, settled, withProof } = disputesIn(t, admin)
const reason = 'This shows another app, and none of the days was spent with ours at all.'

const linesOf = async (person: Person) =>
  (await person.call<{ data: Transaction[] }>('GET', '/users/me/transactions')).body.data
    .map(({ type, status, amountCents }) => `${type} ${status} ${amountCents}`)
    .toSorted()
const balanceOf = async (tester: Person) => (await tester.call<Balance>('GET', '/testers/balance')).body.balanceCents
/** What was told of the subject: the texts, newest first. */
const toldOf = async (person: Person, subject: RegExp) =>
  (await person.call<Notification[]>('GET', '/users/me/notifications')).body
    .filter(told => subject.test(told.subject))
    .map(({ text }) => text)
const join = (tester: Person, id: string, waitlist = false) =>
  tester.call<CampaignTester & { message: string }>('POST', `/testers/campaigns/${id}/join`, {
    deviceInfo: device,
    waitlist,
  })

describe('a developer who owes for a lost dispute', () => {
  test('pays for nothing new and keeps the account, until the bank has returned the payment', async () => {
    const { developer, id } = await begun({ testersRequired: 2 })
    const { participationId } = await withProof(id)
    expect((await developer.call('POST', `/campaign-testers/${participationId}/verify`)).status).toBe(200)
    await news(id, 'OPEN')
    await news(id, 'LOST', id, undefined, null, 1)
    await settled()
    const draft = await draftOf(developer)
    const fund = () =>
      developer.call<{ message: string }>('POST', `/campaigns/${draft.id}/fund`, {
        amountCents: draft.outstandingCents,
      })
    const sentence = 'You still owe $11.50 for a payment that your bank took back.'
    expect(await fund()).toMatchObject({
      status: 409,
      body: {
        code: 'WRONG_STATE',
        message: `${sentence} You can make new payments once your bank returns it, or what the disputed campaign has left covers it.`,
      },
    })
    expect((await campaignOf(developer, draft.id)).owedCents).toBe(1150)
    expect((await campaignOf(admin, draft.id)).owedCents).toBeUndefined()
    const [begin] = await t.look(
      `select begin_charge(gen_random_uuid(), 'key', $1, $2, $3, 'test', 'card', now()) as outcome`,
      [draft.id, developer.user.id, draft.outstandingCents],
    )
    expect(begin).toEqual({ outcome: 'OWES' })
    await t.advance(200)
    const leave = () => developer.call<{ message: string }>('DELETE', '/users/me', { password })
    expect(await leave()).toMatchObject({
      status: 409,
      body: {
        message:
          'Your account cannot be deleted yet. You owe $11.50 for a payment that your bank took back: the account stays until your bank returns it, or what your campaigns have left covers it.',
      },
    })
    await news(id, 'WON', id, undefined, null, 2)
    expect((await fund()).status).toBe(200)
  })

  test('does not pay with what was begun before the loss either: it goes back whole, and they read why', async () => {
    const { developer, id } = await begun()
    await withProof(id)
    const [draft, running] = [await draftOf(developer), (await liveCampaign(developer, admin)).id]
    await t.look('update campaigns set renewal_asked_at = now() where id = $1', [running])
    const [charge, renewal] = [
      (await begunCharge(developer, draft.id, 3450)).subjectId,
      (await begunCharge(developer, running, 3450)).subjectId,
    ]
    await news(id, 'LOST')
    const why = {
      code: 'WRONG_STATE',
      message:
        'You owe $34.50 for a payment that your bank took back. Your payment will be refunded to your payment method.',
    }
    expect(await carryOutCharge(charge)).toMatchObject(why)
    expect(await carryOutCharge(renewal)).toMatchObject(why)
    expect(await campaignOf(developer, draft.id)).toMatchObject({ status: 'DRAFT', fundedCents: 0 })
    await t.advance(1)
    const back = `select r.amount_cents::int as cents, r.status from refunds r join refund_parts p on p.refund_id = r.id where p.payment_id = $1`
    for (const paid of [charge, renewal])
      expect(await t.look(back, [paid])).toEqual([{ cents: 3450, status: 'COMPLETED' }])
    expect(await campaignOf(developer, draft.id)).toMatchObject({ status: 'DRAFT', owedCents: expect.any(Number) })
  })
})

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

  test('ends later by what it was disputed for again, and not by the time in between; one that is over keeps its end', async () => {
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

  test('whose time was over before keeps its end, and one that is lost does not get its time back', async () => {
    const [over, lost] = [await begun(), await begun({ durationDays: 9 })]
    const endsOf = () => Promise.all([over, lost].map(async of => (await campaignOf(of.developer, of.id)).endDate))
    // Somebody is still inside, so that it goes on after its end.
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

  test('takes nobody, neither for a seat nor for the bench, and goes on when the dispute is won', async () => {
    const { developer, id } = await begun({ testersRequired: 1, durationDays: 14 })
    const [inside, waiting, late] = [await t.signUp('TESTER'), await t.signUp('TESTER'), await t.signUp('TESTER')]
    const seat = await joinedBy(inside, id)
    expect((await join(waiting, id, true)).status).toBe(201)
    await news(id, 'OPEN')
    expect((await campaignOf(inside, id)).dispute).toMatchObject({ since: expect.any(String) })
    // The seat is free, and not offered.
    expect((await inside.call('POST', `/testers/campaign-testers/${seat.id}/leave`)).status).toBe(200)
    for (const outside of [inside, waiting]) expect((await campaignOf(outside, id)).dispute).toBeNull()
    for (const bench of [false, true]) {
      const refused = await join(late, id, bench)
      expect(refused).toMatchObject({
        status: 409,
        body: { message: 'This campaign takes no new testers at the moment.' },
      })
    }
    expect((await campaignOf(late, id)).actions).toEqual([])
    expect(await campaignOf(late, id)).toMatchObject({ dispute: null, offeredSeats: 0 })
    expect((await campaignOf(developer, id)).dispute).toMatchObject({ lostAt: null, since: expect.any(String) })
    await news(id, 'WON')
    await settled()
    expect(await campaignOf(developer, id)).toMatchObject({ dispute: null, offeredSeats: 1 })
  })

  test('takes back the seat that it had offered, and offers it to the same tester when the dispute is won', async () => {
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

  test('gives nothing back until the dispute is over, whatever would have', async () => {
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

  test('leaves the fee of a closed seat to its owner, also when the last test of all is verified meanwhile', async () => {
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

  test('keeps what an edit of a draft makes superfluous until then', async () => {
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

  test('lets those inside check in, hand in, and be verified by silence and paid; the developer rejects nothing', async () => {
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
    // The end has passed, and completion waits.
    await t.advance(24 * 3)
    expect(await campaignOf(developer, id)).toMatchObject({ status: 'LIVE', fundedCents: 2000 })
    await news(id, 'WON')
    await settled()
    // It ends later by the time in which nobody could join.
    expect(await campaignOf(developer, id)).toMatchObject({ status: 'LIVE', fundedCents: 2000 })
    await t.advance(24 * 8)
    expect(await campaignOf(developer, id)).toMatchObject({ status: 'COMPLETED', fundedCents: 1000 })
  })

  test('tells the owner and those inside once of the beginning and once of the end', async () => {
    const { developer, id } = await begun()
    const tester = await t.signUp('TESTER')
    await joinedBy(tester, id)
    for (const status of ['OPEN', 'OPEN', 'WON', 'WON', 'OPEN'] as const) await news(id, status)
    await settled()
    const of = async ({ user }: Person) =>
      (await emailsOf(t)).filter(mail => mail.startsWith(`${user.email}: `) && /disput|Your test continues/.test(mail))
    expect(await of(developer)).toEqual([
      `${developer.user.email}: The dispute is over: Try our notes app`,
      `${developer.user.email}: Your payment is disputed: Try our notes app`,
    ])
    expect(await of(tester)).toEqual([
      `${tester.user.email}: The dispute is over: Try our notes app`,
      `${tester.user.email}: Your test continues: Try our notes app`,
    ])
  })

  test('tells nobody whose proof was rejected that the test continues', async () => {
    const { id } = await begun({ testersRequired: 2 })
    const [rejected, appealed] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
    await frozen(t, rejected, id)
    const { id: testId } = await frozen(t, appealed, id)
    const asked = await appealed.call('POST', `/testers/campaign-testers/${testId}/appeal`, { reason })
    expect(asked.status).toBe(200)
    await news(id, 'OPEN')
    await news(id, 'WON')
    for (const tester of [rejected, appealed])
      expect(await toldOf(tester, /Your test continues|The dispute is over/)).toEqual([])
  })

  test('is told of without a word of testers to come once the campaign has ended', async () => {
    const { developer, id } = await begun()
    await developer.call('POST', `/campaigns/${id}/cancel`)
    await news(id, 'OPEN')
    await news(id, 'WON')
    const told = await toldOf(developer, /disputed|dispute is over/)
    expect(told).toHaveLength(2)
    expect(told.join(' ')).not.toMatch(/new testers|Current testers|continues/)
    expect((await toldOf(admin, /A dispute was won/))[0]).not.toContain('continues')
  })

  test('and that is cancelled by an admin promises its owner no refund before the bank has decided', async () => {
    const { developer, id } = await begun()
    await news(id, 'OPEN')
    await admin.call('POST', `/campaigns/${id}/cancel`)
    const [text] = await toldOf(developer, /^Cancelled/)
    expect(text).toContain('until your bank has decided on the dispute')
    expect(text).not.toContain('refund the rest')
    await news(id, 'WON')
    await settled()
  })
})

describe('a lost dispute', () => {
  test('closes what is free, pays those inside, and what is left covers what the bank took', async () => {
    const { developer, id } = await begun()
    const { person, participationId } = await withProof(id)
    await news(id, 'OPEN')
    await news(id, 'LOST')
    expect((await join(await t.signUp('TESTER'), id)).status).toBe(409)
    await settled()
    // Two seats of 1000 and their fee cover 2300 of 3450.
    expect(await campaignOf(developer, id)).toMatchObject({
      status: 'LIVE',
      closedSeats: 2,
      fundedCents: 1000,
      feeCents: 150,
    })
    expect((await developer.call('POST', `/campaign-testers/${participationId}/verify`)).status).toBe(200)
    await settled()
    expect(await campaignOf(developer, id)).toMatchObject({ status: 'COMPLETED' })
    expect(await balanceOf(person)).toBe(1000)
    expect(await linesOf(developer)).toEqual(['CREDIT COMPLETED 2300', 'DEBIT COMPLETED 3000', 'FEE COMPLETED 450'])
    expect(await t.look(`select count(*)::int as refunds from refunds where campaign_id = $1`, [id])).toEqual([
      { refunds: 0 },
    ])
  })

  test('of a part is covered first, and only the rest is refunded', async () => {
    const { developer, id } = await begun()
    await news(id, 'OPEN', id, 1000)
    await developer.call('POST', `/campaigns/${id}/cancel`)
    await news(id, 'LOST', id, 1000)
    await settled()
    await settled()
    expect(await linesOf(developer)).toEqual([
      'CREDIT COMPLETED 1000',
      'CREDIT COMPLETED 2450',
      'DEBIT COMPLETED 3000',
      'FEE COMPLETED 450',
    ])
  })

  test('ends a campaign that has not started', async () => {
    const developer = await payingBy(null)
    const { id } = await draftOf(developer)
    await developer.call('POST', `/campaigns/${id}/fund`, { amountCents: 3450 })
    await news(id, 'LOST')
    await settled()
    expect(await campaignOf(developer, id)).toMatchObject({ status: 'CANCELLED', fundedCents: 0, feeCents: 0 })
    expect(await linesOf(developer)).toEqual(['CREDIT COMPLETED 3450', 'DEBIT COMPLETED 3000', 'FEE COMPLETED 450'])
  })

  test('of a campaign that has not started tells the owner that it is cancelled, and of no testers who go on', async () => {
    const developer = await payingBy(null)
    const { id } = await fundedBy(developer)
    await news(id, 'OPEN')
    await news(id, 'LOST')
    await settled()
    const [text] = await toldOf(developer, /took the payment back/)
    expect(text).toContain('it is cancelled')
    expect(text).not.toContain('testers')
    expect((await toldOf(admin, /A dispute was lost/))[0]).not.toContain('current testers')
  })

  test('tells those who wait on the bench that no more testers get in, and not that the campaign has ended', async () => {
    const { developer, id } = await begun({ testersRequired: 1, durationDays: 14 })
    const [inside, waiting] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
    await joinedBy(inside, id)
    await join(waiting, id, true)
    await news(id, 'LOST')
    await settled()
    expect(await campaignOf(developer, id)).toMatchObject({ status: 'LIVE' })
    expect(await toldOf(waiting, /No seat became free/)).toEqual([
      'The campaign “Try our notes app” accepts no more testers, so no seat will become free for you. Thank you for waiting; other campaigns are open.',
    ])
  })

  test('is not followed by a promise to refund all that is left: neither when the campaign ends nor for a seat', async () => {
    const [cancelled, completed] = [await begun(), await begun({ testersRequired: 1 })]
    for (const { id } of [cancelled, completed]) await joinedBy(await t.signUp('TESTER'), id)
    for (const { id } of [cancelled, completed]) await news(id, 'LOST')
    await admin.call('POST', `/campaigns/${cancelled.id}/cancel`)
    // Nobody checks in: the seat of the other one is lost, and it has no more.
    await t.advance(73)
    await settled()
    expect(await campaignOf(completed.developer, completed.id)).toMatchObject({ status: 'COMPLETED' })
    const ends = [
      ...(await toldOf(cancelled.developer, /^Cancelled/)),
      ...(await toldOf(completed.developer, /^Completed/)),
      ...(await toldOf(completed.developer, /no longer testing|seat is open/)),
    ]
    expect(ends).toHaveLength(3)
    for (const text of ends) {
      expect(text).toContain('first covers what your bank took back')
      expect(text).not.toMatch(/open to another tester|refund the rest|refund any/)
    }
  })

  test('closes a seat that becomes free later, too', async () => {
    const { developer, id } = await begun({ testersRequired: 2, durationDays: 14 })
    const tester = await t.signUp('TESTER')
    const { id: participationId } = await joinedBy(tester, id)
    await news(id, 'LOST')
    await settled()
    expect(await campaignOf(developer, id)).toMatchObject({ closedSeats: 1 })
    expect((await tester.call('POST', `/testers/campaign-testers/${participationId}/leave`)).status).toBe(200)
    await settleDisputes.run({})
    expect(await campaignOf(developer, id)).toMatchObject({ closedSeats: 2 })
    await settled()
    expect(await campaignOf(developer, id)).toMatchObject({ status: 'COMPLETED', closedSeats: 2, fundedCents: 0 })
  })

  test('is not refunded as well when the campaign is cancelled after it', async () => {
    const { developer, id } = await begun()
    await news(id, 'OPEN')
    await news(id, 'LOST')
    await developer.call('POST', `/campaigns/${id}/cancel`)
    await settled()
    await settled()
    const all = [...(await (await sandboxMovements()).all()).values()]
    const { id: charge } = await paymentOf(id)
    expect(all.filter(({ kind, of }) => kind === 'REFUND' && of === charge)).toEqual([])
  })
})

describe('a lost dispute that is won after all', () => {
  const wonAfterAll = (id: string, movements = 2) => news(id, 'WON', id, undefined, null, movements)
  const lost = (id: string, movements = 1) => news(id, 'LOST', id, undefined, null, movements)
  const receivable = async (id: string) => {
    const [row] = await t.look<{ cents: number }>(
      `select coalesce(sum(case a.id when credit_account_id then amount_cents else -amount_cents end), 0)::int as cents
        from accounts a join transfers on a.id in (debit_account_id, credit_account_id)
        where a.kind = 'DISPUTES_RECEIVABLE' and campaign_id = $1`,
      [id],
    )
    return row!.cents
  }

  test('refunds what had covered it, and those inside are paid as before', async () => {
    const { developer, id } = await begun()
    const { person, participationId } = await withProof(id)
    await lost(id)
    await settled()
    // Two seats of 1000 and their fee.
    expect(await receivable(id)).toBe(2300 - 3450)
    await wonAfterAll(id)
    expect(await receivable(id)).toBe(0)
    expect(await campaignOf(developer, id)).toMatchObject({ dispute: null, fundedCents: 3000, feeCents: 450 })
    await settled()
    await settled()
    expect(await campaignOf(developer, id)).toMatchObject({ status: 'LIVE', fundedCents: 1000, feeCents: 150 })
    expect((await developer.call('POST', `/campaign-testers/${participationId}/verify`)).status).toBe(200)
    await settled()
    expect(await balanceOf(person)).toBe(1000)
    expect(await linesOf(developer)).toEqual([
      'CREDIT COMPLETED 2300',
      'CREDIT COMPLETED 2300',
      'DEBIT COMPLETED 2300',
      'DEBIT COMPLETED 3000',
      'FEE COMPLETED 450',
    ])
  })

  test('stays lost for news that is older than its loss', async () => {
    const { id } = await begun()
    await lost(id, 3)
    for (const movements of [0, 2, 3]) await wonAfterAll(id, movements)
    expect(await receivable(id)).toBe(-3450)
    await settled()
  })

  test('is booked once however often it is told, and as often as it is lost and won', async () => {
    const { developer, id } = await begun()
    await lost(id)
    await settled()
    await Promise.all(Array.from({ length: 5 }, () => wonAfterAll(id)))
    expect(await receivable(id)).toBe(0)
    // Again, before anything has gone back: it covers the same money once more.
    await lost(id, 3)
    expect(await receivable(id)).toBe(-3450)
    await settled()
    expect(await receivable(id)).toBe(0)
    expect(await campaignOf(developer, id)).toMatchObject({ status: 'COMPLETED', fundedCents: 0, feeCents: 0 })
    await wonAfterAll(id, 4)
    await settled()
    await settled()
    expect(await campaignOf(developer, id)).toMatchObject({ dispute: null, fundedCents: 0, feeCents: 0 })
    expect((await linesOf(developer)).filter(line => line.startsWith('CREDIT'))).toEqual(
      Array(3).fill('CREDIT COMPLETED 3450'),
    )
  })

  test('tells the owner, those inside and the admins of it once, as of any end', async () => {
    const { developer, id } = await begun({ durationDays: 14 })
    const tester = await t.signUp('TESTER')
    await joinedBy(tester, id)
    await lost(id)
    await settled()
    const told = () =>
      Promise.all(
        [developer, tester, admin].map(
          async ({ user }) => (await t.look('select from notifications where user_id = $1', [user.id])).length,
        ),
      )
    const before = await told()
    for (let times = 0; times < 3; times++) await wonAfterAll(id)
    expect(await told()).toEqual(before.map(times => times + 1))
    await settled()
  })

  test('leaves the earliest of those that stay lost', async () => {
    const { id } = await begun()
    const lostSince = async () =>
      (await t.look<{ at: Date | null }>('select dispute_lost_at as at from campaigns where id = $1', [id]))[0]!.at
    const part = (reference: string, status: 'LOST' | 'WON', movements: number) =>
      news(id, status, `${id}-${reference}`, 500, null, movements)
    await part('first', 'LOST', 1)
    const first = await lostSince()
    await t.advance(1)
    await part('second', 'LOST', 1)
    await t.advance(1)
    await part('third', 'LOST', 1)
    await part('third', 'WON', 2)
    expect(await lostSince()).toEqual(first)
    await part('first', 'WON', 2)
    expect(await lostSince()).not.toEqual(first)
    await part('second', 'WON', 2)
    expect(await lostSince()).toBeNull()
  })
})
