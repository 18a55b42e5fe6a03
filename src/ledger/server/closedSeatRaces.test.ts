/** A seat is closed while something else happens to the campaign at the same moment, or while the connection dies halfway. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Campaign } from '../../campaigns/contract.ts'
import { transact } from '../../kit/server/db.ts'
import { daysAndProof, device, joinedBy, liveCampaign, type Person, type Reply } from '../../testing/app.ts'
import { type Crashes, prepareCrashes } from '../../testing/crashes.ts'
import { brokenChecks, inParallel, tally } from '../../testing/observed.ts'
import { allSignedUp, signedUp, testApp } from '../../testing/prologue.ts'
import { overtaken } from '../../testing/races.ts'
import type { Balance } from '../contract.ts'
import { closeWaitingSeat } from './ledger.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
const testers = allSignedUp(t, 'TESTER', 3)
let crashes: Crashes
beforeAll(async () => {
  crashes = await prepareCrashes(t)
})
afterAll(() => crashes.stop())

type Act = () => Promise<Reply<unknown>>

/** The fee for three seats at 103 cents is 46: 15 each, and 1 from rounding. */
const terms = { testersRequired: 3, payPerTesterCents: 103, durationDays: 1 }

const campaignOf = async (id: string) => (await developer.call<Campaign>('GET', `/campaigns/${id}`)).body
const close = (id: string, key?: string) =>
  developer.call<Campaign>('POST', `/campaigns/${id}/close-seat`, undefined, key)
const join = (tester: Person, id: string) =>
  tester.call('POST', `/testers/campaigns/${id}/join`, { deviceInfo: device })
const verify = (id: string) => developer.call('POST', `/campaign-testers/${id}/verify`)
const cancel = (id: string) => admin.call('POST', `/campaigns/${id}/cancel`)
const campaignRow = (id: string) => ({ rows: 'select from campaigns where id = $1', values: [id] })
const balanceOf = async (tester: Person) => (await tester.call<Balance>('GET', '/testers/balance')).body.balanceCents
const closeWaiting = (participationId: string) =>
  transact(tx => closeWaitingSeat(tx, { participationId, whenDue: false }))
const refundsOf = async (campaignId: string) =>
  (
    await t.look<{ cents: number }>('select amount_cents as cents from refunds where campaign_id = $1 order by id', [
      campaignId,
    ])
  ).map(({ cents }) => cents)

/** One of the testers has waited for a week to be listed. */
const waiting = async () => {
  const { id } = await liveCampaign(developer, admin, terms)
  const seat = (await joinedBy(testers[0]!, id)).id
  await t.look(`update campaigns set access_mode = 'EMAIL_LIST' where id = $1`, [id])
  await t.look(
    `update participations set joined_at = joined_at - interval '7 days', wake_at = 'infinity' where id = $1`,
    [seat],
  )
  return { id, seat }
}

describe('the last free seat', () => {
  const lastFree = async () => {
    const { id } = await liveCampaign(developer, admin, { ...terms, testersRequired: 1 })
    return id
  }

  test.each(['closed', 'taken'])('is %s by whoever comes first, and the other is refused', async first => {
    const id = await lastFree()
    const acts: Act[] = [() => close(id), () => join(testers[0]!, id)]
    if (first === 'taken') acts.reverse()
    const replies = await overtaken(t, campaignRow(id), acts[0]!, acts[1]!)
    expect(replies.map(({ status }) => status)).toEqual(first === 'closed' ? [200, 409] : [201, 409])
    const seats = first === 'closed' ? { closedSeats: 1, fundedCents: 0 } : { closedSeats: 0, fundedCents: 103 }
    expect(await campaignOf(id)).toMatchObject(seats)
    expect(await brokenChecks()).toEqual([])
  })

  test('of three is closed once by ten requests at once', async () => {
    const { id } = await liveCampaign(developer, admin, terms)
    await joinedBy(testers[0]!, id)
    await joinedBy(testers[1]!, id)
    expect(tally(await inParallel(10, () => close(id)))).toEqual({ 200: 1, 409: 9 })
    expect(await refundsOf(id)).toEqual([118])
  })

  test('and the others are closed one by one by ten requests at once, the last with the rounding', async () => {
    const { id } = await liveCampaign(developer, admin, terms)
    expect(tally(await inParallel(10, () => close(id)))).toEqual({ 200: 3, 409: 7 })
    expect((await refundsOf(id)).toSorted((a, b) => a - b)).toEqual([118, 118, 119])
    expect(await brokenChecks()).toEqual([])
  })
})

describe('the last two seats, one verified and one closed at once', () => {
  test.each(['verify', 'close'])('share the fee to the cent, whichever is last: %s first', async first => {
    const { id } = await liveCampaign(developer, admin, { ...terms, testersRequired: 2, payPerTesterCents: 104 })
    const participationId = (await joinedBy(testers[0]!, id)).id
    await daysAndProof(t, [{ person: testers[0]!, participationId }], 1)
    const acts: Act[] = [() => verify(participationId), () => close(id)]
    if (first === 'close') acts.reverse()
    const replies = await overtaken(t, campaignRow(id), acts[0]!, acts[1]!)
    expect(tally(replies)).toEqual({ 200: 2 })
    // The fee of 31 is 15 each, plus the cent from rounding, which belongs to the last seat.
    const { fundedCents, feeCents } = await campaignOf(id)
    expect([fundedCents, feeCents]).toEqual([104, first === 'close' ? 16 : 15])
    expect(await refundsOf(id)).toEqual([first === 'close' ? 119 : 120])
    expect(await brokenChecks()).toEqual([])
  })
})

describe('a cancellation', () => {
  test.each(['cancel', 'close'])('and a closed seat give back everything once: %s first', async first => {
    const { id } = await liveCampaign(developer, admin, terms)
    const acts: Act[] = [() => cancel(id), () => close(id)]
    if (first === 'close') acts.reverse()
    const replies = await overtaken(t, campaignRow(id), acts[0]!, acts[1]!)
    expect(replies.map(({ status }) => status)).toEqual(first === 'close' ? [200, 200] : [200, 409])
    expect(await refundsOf(id)).toEqual(first === 'close' ? [118, 237] : [355])
    expect(await campaignOf(id)).toMatchObject({ status: 'CANCELLED', fundedCents: 0, feeCents: 0 })
    expect(await brokenChecks()).toEqual([])
  })

  test.each(['cancel', 'end'])('and the end of a wait pay the tester one day, once: %s first', async first => {
    const { id, seat } = await waiting()
    const before = await balanceOf(testers[0]!)
    const acts: (() => Promise<unknown>)[] = [() => cancel(id), () => closeWaiting(seat)]
    if (first === 'end') acts.reverse()
    await overtaken(t, campaignRow(id), acts[0]!, acts[1]!)
    expect((await balanceOf(testers[0]!)) - before).toBe(103)
    expect((await refundsOf(id)).reduce((sum, cents) => sum + cents, 0)).toBe(3 * 103 + 46 - 103)
    expect(await campaignOf(id)).toMatchObject({ status: 'CANCELLED', closedSeats: first === 'end' ? 1 : 0 })
    expect(await brokenChecks()).toEqual([])
  })
})

test('the completion and a closed seat give back what is left, once', async () => {
  const { id } = await liveCampaign(developer, admin, terms)
  const [closed] = await Promise.all([close(id), t.advance(24)])
  expect([200, 409]).toContain(closed.status)
  await t.advance(0)
  expect(await campaignOf(id)).toMatchObject({ status: 'COMPLETED', fundedCents: 0, feeCents: 0 })
  expect((await refundsOf(id)).reduce((sum, cents) => sum + cents, 0)).toBe(355)
  expect(await brokenChecks()).toEqual([])
})

test.each(['leaves unpaid', 'is dropped'])(
  'a tester whose wait is paid and who %s at the same time ends the test once',
  async () => {
    const { id, seat } = await waiting()
    const before = await balanceOf(testers[0]!)
    const leave = () => testers[0]!.call('POST', `/testers/campaign-testers/${seat}/leave`)
    await Promise.allSettled([closeWaiting(seat), leave(), closeWaiting(seat)])
    const [{ status }] = (await t.look<{ status: string }>('select status from participations where id = $1', [
      seat,
    ])) as [{ status: string }]
    expect((await balanceOf(testers[0]!)) - before).toBe(status === 'CANCELLED' ? 103 : 0)
    expect((await campaignOf(id)).closedSeats).toBe(status === 'CANCELLED' ? 1 : 0)
    expect(await brokenChecks()).toEqual([])
  },
)

const crashPoints: [string, string][] = [
  ['before anything is written', 'select from campaigns where id = $1'],
  [
    'with the seat closed and the refund not booked',
    `select from accounts where kind = 'CAMPAIGN_ESCROW' and owner_id = $1`,
  ],
  ['with the pay on its way and the fee not', `select from accounts where kind = 'CAMPAIGN_FEE' and owner_id = $1`],
]

describe('a death', () => {
  test.each(crashPoints)('%s leaves the seat as it was, and the retry closes it once', async (_point, rows) => {
    const { id } = await liveCampaign(developer, admin, terms)
    const ask = () => close(id, `close-${id}`)
    expect((await crashes.crashAt(rows, [id], ask)).status).toBe(503)
    expect(await campaignOf(id)).toMatchObject({ closedSeats: 0, fundedCents: 309, feeCents: 46 })
    expect(await refundsOf(id)).toEqual([])
    expect(tally(await inParallel(3, ask))).toEqual({ 200: 3 })
    expect(await campaignOf(id)).toMatchObject({ closedSeats: 1, fundedCents: 206, feeCents: 31 })
    expect(await refundsOf(id)).toEqual([118])
  })

  test('after the commit and before the answer lets the retry answer, without closing a second seat', async () => {
    const { id } = await liveCampaign(developer, admin, terms)
    const key = `unanswered-${id}`
    const answered = await close(id, key)
    await t.look('update idempotency_keys set reply = null where key = $1', [key])
    for (const { body } of await inParallel(4, () => close(id, key))) expect(body).toEqual(answered.body)
    expect(await refundsOf(id)).toEqual([118])
  })

  test.each(crashPoints)('%s leaves a waiting tester inside, and the next try pays once', async (_point, rows) => {
    const { id, seat } = await waiting()
    const before = await balanceOf(testers[0]!)
    const died = crashes.crashAt(rows, [id], () => closeWaiting(seat).catch(() => 'DIED'))
    expect(await died).toBe('DIED')
    await inParallel(3, () => closeWaiting(seat))
    expect((await balanceOf(testers[0]!)) - before).toBe(103)
    expect((await campaignOf(id)).closedSeats).toBe(1)
    expect(await refundsOf(id)).toEqual([15])
    expect(await brokenChecks()).toEqual([])
  })
})

test('the books balance', async () => {
  await t.advance(1)
  expect(await brokenChecks()).toEqual([])
})
