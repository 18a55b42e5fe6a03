/** Who waits to be put on the tester list is never punished, and ends with a day's pay. */
import { describe, expect, test } from 'vitest'
import { clock } from '../../kit/clock.ts'
import { joinedBy, liveCampaign } from '../../testing/app.ts'
import { brokenChecks, emailsOf } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { overtaken } from '../../testing/races.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import type { Balance } from '../../ledger/contract.ts'
import type { CampaignTester } from '../contract.ts'
import { wakeParticipations } from './participations.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')

const waitingIn = async (title: string, testers = 1) => {
  const campaign = await liveCampaign(developer, admin, { title, accessMode: 'EMAIL_LIST', testersRequired: 3 })
  const people = await Promise.all(Array.from({ length: testers }, () => t.signUp('TESTER')))
  const seats = []
  for (const tester of people) seats.push({ tester, id: (await joinedBy(tester, campaign.id)).id })
  return { campaign, seats }
}
type Seat = Awaited<ReturnType<typeof waitingIn>>['seats'][number]

const mine = async ({ tester, id }: Seat) =>
  (await tester.call<CampaignTester>('GET', `/testers/campaign-testers/${id}`)).body
const leave = ({ tester, id }: Seat) => tester.call<CampaignTester>('POST', `/testers/campaign-testers/${id}/leave`)
const balanceOf = async ({ tester }: Seat) => (await tester.call<Balance>('GET', '/testers/balance')).body.balanceCents
const subjectsTo = async (email: string, title: string) =>
  (await emailsOf(t))
    .filter(sent => sent.startsWith(`${email}: `) && sent.endsWith(title))
    .map(sent => sent.slice(email.length + 2))

/** $10.00 over 14 days. */
const oneDay = 71

test('nothing is due for 14 days; the developer is told after 48 hours and on day 6, the tester after 7 days', async () => {
  const { campaign, seats } = await waitingIn('Patience')
  const [seat] = seats
  const joined = await mine(seat!)
  expect(joined).toMatchObject({ nextStep: 'WAIT_FOR_LIST', atRisk: false, waiting: { payCents: oneDay } })
  expect(joined.deadlineAt).toBe(joined.waiting!.endsAt)
  const told = async () => [
    (await subjectsTo(developer.user.email, 'Patience')).filter(subject => subject.startsWith('Testers')).length,
    (await subjectsTo(seat!.tester.user.email, 'Patience')).length,
  ]
  await t.advance(47)
  expect(await told()).toEqual([0, 0])
  await t.advance(1)
  expect(await told()).toEqual([1, 0])
  await t.advance(71)
  expect(await told()).toEqual([1, 0])
  await t.advance(1)
  expect(await told()).toEqual([2, 0])
  await t.advance(48)
  expect(await told()).toEqual([2, 1])
  await t.advance(7 * 24 - 1)
  expect(await mine(seat!)).toMatchObject({ status: 'ACTIVE', atRisk: false })
  expect(await told()).toEqual([2, 1])
  await t.advance(1)
  expect(await mine(seat!)).toMatchObject({ status: 'CANCELLED', payoutAmountCents: oneDay, waiting: null })
  expect(await balanceOf(seat!)).toBe(oneDay)
  await t.advance(1)
  expect(await balanceOf(seat!)).toBe(oneDay)
  const after = (await developer.call<Campaign>('GET', `/campaigns/${campaign.id}`)).body
  // Its end has passed with nobody inside, so it is complete, and all but the day's pay went back.
  expect(after).toMatchObject({ status: 'COMPLETED', fundedCents: oneDay })
})

test('leaving is refused where it would cost the day’s pay, because the list is confirmed in the same moment', async () => {
  const { campaign, seats } = await waitingIn('At once')
  const [seat] = seats
  await t.advance(7 * 24)
  await developer.call('POST', `/campaigns/${campaign.id}/tester-list/export?form=play`)
  const row = { rows: 'select from campaigns where id = $1', values: [campaign.id] }
  const confirm = () => developer.call('POST', `/campaigns/${campaign.id}/tester-list/confirm`)
  const [confirmed, left] = await overtaken(t, row, confirm, () => leave(seat!))
  expect([confirmed.status, left.status, left.body]).toEqual([
    200,
    409,
    expect.objectContaining({ message: expect.stringContaining('has changed in the meantime') }),
  ])
  expect(await mine(seat!)).toMatchObject({ status: 'ACTIVE', waiting: null })
})

test('testers who joined on one day are told of in one message', async () => {
  const { seats } = await waitingIn('Together', 3)
  await t.advance(48)
  const subjects = await subjectsTo(developer.user.email, 'Together')
  expect(subjects.filter(subject => subject.startsWith('Testers are waiting'))).toHaveLength(1)
  await t.advance(1)
  expect(await subjectsTo(developer.user.email, 'Together')).toEqual(subjects)
  for (const seat of seats) expect((await mine(seat)).status).toBe('ACTIVE')
})

test.each([
  [11, 1],
  [13, 2],
])('testers who joined %i hours apart are told of in %i messages', async (hours, messages) => {
  const title = `Apart ${hours}`
  const { campaign } = await waitingIn(title)
  await t.advance(hours)
  await joinedBy(await t.signUp('TESTER'), campaign.id)
  await t.advance(48 - hours)
  await t.advance(hours)
  const subjects = await subjectsTo(developer.user.email, title)
  expect(subjects.filter(subject => subject.startsWith('Testers are waiting'))).toHaveLength(messages)
})

test('the developer reads since when the first of them has waited, whoever joined first', async () => {
  const { seats } = await waitingIn('Longest', 2)
  await t.look(
    `update participations set joined_at = joined_at - interval '3 hours', wake_at = wake_at - interval '3 hours' where id = $1`,
    [seats[1]!.id],
  )
  const { joinedAt } = await mine(seats[1]!)
  await t.advance(45)
  const told = await t.look<{ text: string }>(`select text from notifications where subject = $1`, [
    'Testers are waiting to get in: Longest',
  ])
  expect(told).toEqual([{ text: expect.stringContaining(`The first of them has waited since ⟨${joinedAt}⟩.`) }])
})

test('whoever joined later is told that they may leave when their own week is over', async () => {
  const { campaign, seats } = await waitingIn('Own week')
  await t.advance(10)
  const later = await t.signUp('TESTER')
  await joinedBy(later, campaign.id)
  const told = async () => [
    (await subjectsTo(seats[0]!.tester.user.email, 'Own week')).length,
    (await subjectsTo(later.user.email, 'Own week')).length,
  ]
  await t.advance(7 * 24 - 10)
  expect(await told()).toEqual([1, 0])
  await t.advance(9)
  expect(await told()).toEqual([1, 0])
  await t.advance(1)
  expect(await told()).toEqual([1, 1])
})

test('a tester whose balance somebody holds does not hold up the end of the others’ wait', async () => {
  const [held, free] = [(await waitingIn('Held wait')).seats[0]!, (await waitingIn('Free wait')).seats[0]!]
  await t.advance(14 * 24 - 1)
  await t.look(`select account_of('TESTER_BALANCE', $1)`, [held.tester.user.id])
  clock.setOffsetMs(clock.offsetMs() + 3_600_000)
  const statuses = async () => [(await mine(held)).status, (await mine(free)).status]
  const [, meanwhile] = await overtaken(
    t,
    { rows: `select from accounts where kind = 'TESTER_BALANCE' and owner_id = $1`, values: [held.tester.user.id] },
    () => wakeParticipations.run({}),
    statuses,
  )
  expect(meanwhile).toEqual(['ACTIVE', 'CANCELLED'])
  expect(await statuses()).toEqual(['CANCELLED', 'CANCELLED'])
})

describe('leaving', () => {
  test('before the week is over pays nothing, and afterwards a day, once', async () => {
    const { seats } = await waitingIn('Leavers', 2)
    await t.advance(7 * 24 - 1)
    expect((await leave(seats[0]!)).body).toMatchObject({ status: 'DROPPED', payoutAmountCents: 0 })
    await t.advance(1)
    const both = await Promise.all([leave(seats[1]!), leave(seats[1]!)])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect(await mine(seats[1]!)).toMatchObject({ status: 'CANCELLED', payoutAmountCents: oneDay })
    expect([await balanceOf(seats[0]!), await balanceOf(seats[1]!)]).toEqual([0, oneDay])
  })

  test('whoever has opted in did not wait: a cancellation pays nothing for that', async () => {
    const { campaign, seats } = await waitingIn('Was in')
    const [{ tester, id }] = seats as [Seat]
    await t.advance(7 * 24 - 2)
    for (const step of ['opt-in', 'opt-out'])
      expect((await tester.call('POST', `/testers/campaign-testers/${id}/${step}`)).status).toBe(200)
    await t.advance(3)
    expect((await developer.call('POST', `/campaigns/${campaign.id}/cancel`)).status).toBe(200)
    expect(await mine(seats[0]!)).toMatchObject({ status: 'CANCELLED', payoutAmountCents: 0 })
  })

  test('once on the list it pays nothing, and the wait is over', async () => {
    const { seats } = await waitingIn('Listed late')
    await t.advance(8 * 24)
    await t.look('update participations set listed_at = $2 where id = $1', [seats[0]!.id, clock.now()])
    expect(await mine(seats[0]!)).toMatchObject({ waiting: null, nextStep: 'OPEN_LINK' })
    expect((await leave(seats[0]!)).body).toMatchObject({ status: 'DROPPED', payoutAmountCents: 0 })
  })
})

test('the books balance', async () => expect(await brokenChecks()).toEqual([]))
