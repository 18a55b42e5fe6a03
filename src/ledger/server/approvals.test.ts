/** Payouts above the limit wait for two admins, and each hold gives its reason and its end. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { clock, hoursAfter } from '../../kit/clock.ts'
import { runDueJobs } from '../../kit/server/dueJobs.ts'
import { paidTester, password, type Person } from '../../testing/app.ts'
import { brokenChecks, emailsOf, inParallel, tally } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import type { Needs } from '../../dashboards/contract.ts'
import type { Notification } from '../../notifications/contract.ts'
import type { Balance, PayoutApproval, Transaction, Withdrawal } from '../contract.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const ann = signedUp(t, 'ADMIN', { name: 'Ann' })
const bob = signedUp(t, 'ADMIN', { name: 'Bob' })
const cat = signedUp(t, 'ADMIN', { name: 'Cat' })
afterAll(async () => {
  expect(await brokenChecks()).toEqual([])
})

type Refused = { code?: string; message?: string; fields?: Record<string, string> }
const set = (payoutApprovalCents: number | null, by: Person = ann) =>
  by.call<Refused>('PATCH', '/admin/settings', { payoutApprovalCents })
const withdraw = (tester: Person, amountCents = 2000) =>
  tester.call<Withdrawal & Refused>('POST', '/testers/withdraw', { amountCents })
const decide = (by: Person, id: string, action: 'release' | 'confirm' | 'refuse', key?: string) =>
  by.call<PayoutApproval & Refused>(
    'POST',
    `/admin/payouts/${id}/${action}`,
    action === 'refuse' ? { reason: 'The account was reported as stolen.' } : undefined,
    key,
  )
const balanceOf = async (tester: Person) => (await tester.call<Balance>('GET', '/testers/balance')).body
const lineOf = async (tester: Person) =>
  (await tester.call<{ data: Transaction[] }>('GET', '/users/me/transactions?type=PAYOUT')).body.data[0]!
const queueOf = async (by: Person) => (await by.call<PayoutApproval[]>('GET', '/admin/payouts')).body
const statusOf = async (id: string) =>
  (await t.look<{ status: string }>('select status from withdrawals where id = $1', [id]))[0]!.status
const needsOf = async (by: Person) =>
  (await by.call<Needs>('GET', '/dashboard/needs')).body.needs.filter(({ kind }) => kind === 'PAYOUTS')
const wait = async () => {
  const tester = await paidTester(t, developer, ann, 5000)
  await t.advance(0)
  return { tester, id: (await withdraw(tester)).body.id }
}
/** Deactivates an admin. In the product this happens only when they delete their own account. */
const end = (admin: Person, active: boolean) =>
  t.look(
    'update users set suspended_at = case when $2 then null else created_at end, suspension_reason = case when $2 then null else $3 end where id = $1',
    [admin.user.id, active, 'Left.'],
  )

beforeEach(async () => {
  await t.look('update settings set payout_approval_cents = 1500')
})

test('up to the limit a withdrawal is paid as before; above it waits for two admins, as the statement and the reply show', async () => {
  const tester = await paidTester(t, developer, ann, 5000)
  const small = (await withdraw(tester, 1500)).body
  expect(small.hold).toBeNull()
  const { body: large } = await withdraw(tester, 1501)
  const hold = { kind: 'APPROVAL', since: large.createdAt, until: null }
  expect(large.hold).toMatchObject(hold)
  expect(large.hold?.sentence).toContain('We will pay yours once one has released it and another confirms.')
  await t.advance(1)
  expect([await statusOf(small.id), await statusOf(large.id)]).toEqual(['COMPLETED', 'PENDING'])
  expect((await lineOf(tester)).hold).toMatchObject(hold)
  expect(await balanceOf(tester)).toMatchObject({ approvalAboveCents: 0, holds: [], onTheWayCents: 1501 })
  expect((await balanceOf(tester)).recentTransactions.find(line => line.hold !== null)?.hold).toMatchObject(hold)
  await decide(ann, large.id, 'refuse')
})

describe('an amount that is split is checked as one', () => {
  const outcomesOf = async (withdrawals: readonly { body: Withdrawal }[]) => {
    await t.advance(1)
    return Promise.all(withdrawals.map(({ body }) => statusOf(body.id)))
  }

  test('what a tester withdrew in the last 7 days counts, except what failed or was checked', async () => {
    await t.look('update settings set payout_approval_cents = 2000')
    const tester = await paidTester(t, developer, ann, 9000)
    const first = await withdraw(tester, 1000)
    expect((await balanceOf(tester)).approvalAboveCents).toBe(1000)
    const within = await withdraw(tester, 1000)
    expect((await balanceOf(tester)).approvalAboveCents).toBe(0)
    const third = await withdraw(tester, 1000)
    expect([first, within, third].map(({ body }) => body.hold?.kind)).toEqual([undefined, undefined, 'APPROVAL'])
    expect(await outcomesOf([first, within, third])).toEqual(['COMPLETED', 'COMPLETED', 'PENDING'])
    await t.advance(7 * 24 - 2)
    expect((await withdraw(tester, 1000)).body.hold?.kind).toBe('APPROVAL')
    await t.advance(2)
    expect((await balanceOf(tester)).approvalAboveCents).toBe(2000)
    const later = await withdraw(tester, 2000)
    expect(later.body.hold).toBeNull()
    await t.look(`select settle_withdrawal($1, 'The account was closed.', now())`, [later.body.id])
    expect((await balanceOf(tester)).approvalAboveCents).toBe(2000)
    for (const { id } of await queueOf(ann)) await decide(ann, id, 'refuse')
  })

  test('of ten withdrawals at the limit at once, one is paid and nine wait', async () => {
    const tester = await paidTester(t, developer, ann, 15_000)
    const withdrawals = await inParallel(10, () => withdraw(tester, 1500))
    expect((await outcomesOf(withdrawals)).toSorted()).toEqual(['COMPLETED', ...Array(9).fill('PENDING')])
    expect(await queueOf(ann)).toHaveLength(9)
    for (const { id } of await queueOf(ann)) await decide(ann, id, 'refuse')
  })

  test('repeated requests with one key make one withdrawal, which counts once', async () => {
    const tester = await paidTester(t, developer, ann, 5000)
    const again = () =>
      tester.call<Withdrawal & Refused>('POST', '/testers/withdraw', { amountCents: 1000 }, 'split-once')
    const [first, second] = [await again(), await again()]
    expect([first.body.hold, second.body]).toEqual([null, first.body])
    expect((await balanceOf(tester)).approvalAboveCents).toBe(500)
  })
})

test('one admin releases, and another confirms: then it is paid, once', async () => {
  const { tester, id } = await wait()
  expect((await needsOf(ann))[0]).toMatchObject({ count: 1 })
  expect((await queueOf(ann))[0]).toMatchObject({ id, releasedBy: null, blocked: null, actions: ['release', 'refuse'] })
  const early = await decide(bob, id, 'confirm')
  expect([early.status, early.body.message]).toEqual([
    409,
    'Nobody has released this payout yet. Release it, so that another admin can confirm it.',
  ])
  const released = await decide(ann, id, 'release')
  expect([released.status, released.body.releasedBy?.name, released.body.actions]).toEqual([200, 'Ann', ['refuse']])
  const own = await decide(ann, id, 'confirm')
  expect([own.status, own.body.message]).toEqual([
    409,
    'You have released this payout yourself. Another admin has to confirm it.',
  ])
  expect((await decide(bob, id, 'release')).body.message).toBe('Ann has released this payout. You can confirm it.')
  expect((await queueOf(bob))[0]!.actions).toEqual(['confirm', 'refuse'])
  expect((await lineOf(tester)).hold?.sentence).toContain('One has released yours')
  await t.advance(1)
  expect(await statusOf(id)).toBe('PENDING')
  expect((await decide(bob, id, 'confirm')).body).toMatchObject({ outcome: 'CONFIRMED', decidedBy: { name: 'Bob' } })
  expect((await lineOf(tester)).hold).toBeNull()
  await runDueJobs()
  await t.advance(1)
  expect(await statusOf(id)).toBe('COMPLETED')
  for (const action of ['release', 'confirm', 'refuse'] as const)
    expect(await decide(cat, id, action)).toMatchObject({
      status: 409,
      body: { message: 'This payout was already confirmed by Bob.' },
    })
  expect([await queueOf(ann), await needsOf(ann)]).toEqual([[], []])
})

test('the tester and the admins are told, and the log says who did what', async () => {
  const { tester, id } = await wait()
  await decide(ann, id, 'release')
  await decide(bob, id, 'confirm')
  await runDueJobs()
  await t.advance(1)
  const subjectsOf = async (person: Person) =>
    (await person.call<Notification[]>('GET', '/users/me/notifications?limit=3')).body.map(({ subject }) => subject)
  expect(await subjectsOf(ann)).toContain('Payout to release: $20.00')
  expect(await subjectsOf(ann)).not.toContain('Payout to confirm: $20.00')
  expect(await subjectsOf(bob)).toEqual(
    expect.arrayContaining(['Payout to release: $20.00', 'Payout to confirm: $20.00']),
  )
  const told = (await tester.call<Notification[]>('GET', '/users/me/notifications')).body
  expect(told.map(({ subject }) => subject)).toEqual(
    expect.arrayContaining(['Withdrawal requested: $20.00', 'Paid out: $20.00']),
  )
  expect(told.find(({ subject }) => subject.startsWith('Withdrawal requested'))?.text).toContain(
    'Two members of our team first check',
  )
  const entries = await t.look<{ action: string; by: string }>(
    `select a.action, u.name as by from audit_log a join users u on u.id = a.admin_id
      where a.subject_id = $1 and a.action like 'payout.%' order by a.id`,
    [tester.user.id],
  )
  expect(entries).toEqual([
    { action: 'payout.release', by: 'Ann' },
    { action: 'payout.confirm', by: 'Bob' },
  ])
})

test.each(['before', 'after'])('refused %s the release, the money is back, and the tester reads why', async when => {
  const { tester, id } = await wait()
  if (when === 'after') await decide(ann, id, 'release')
  const missing = await ann.call('POST', `/admin/payouts/${id}/refuse`, { reason: ' ' })
  expect(missing.status).toBe(400)
  expect((await decide(ann, id, 'refuse')).body).toMatchObject({ outcome: 'REFUSED', actions: [] })
  const why = 'Our team refused this payout. The account was reported as stolen.'
  expect(await balanceOf(tester)).toMatchObject({ balanceCents: 5000, onTheWayCents: 0 })
  expect(await lineOf(tester)).toMatchObject({ status: 'FAILED', failureReason: why, hold: null })
  await runDueJobs()
  await t.advance(1)
  expect(await statusOf(id)).toBe('FAILED')
  expect((await tester.call<Notification[]>('GET', '/users/me/notifications')).body[0]).toMatchObject({
    subject: 'Withdrawal failed: $20.00',
    text: `Your withdrawal of $20.00 failed: ${why}\n\nThe money is back in your balance.`,
  })
  expect(
    (await emailsOf(t)).some(email => email.startsWith(tester.user.email) && email.includes('Withdrawal failed')),
  ).toBe(true)
})

test('100 decisions of three admins at once: one release, one confirmation, by two people, and one payout', async () => {
  for (let round = 0; round < 3; round++) {
    const { tester, id } = await wait()
    const people = [ann, bob, cat]
    const calls = await inParallel(100, index =>
      decide(people[index % 3]!, id, index % 2 ? 'confirm' : 'release').then(({ status }) => ({
        status,
        done: index % 2 ? 'confirm' : 'release',
      })),
    )
    const done = calls.filter(({ status }) => status === 200)
    const others = calls.filter(({ status }) => status !== 200).map(({ status }) => status)
    expect(others.filter(status => status !== 409)).toEqual([])
    const confirmed = done.filter(each => each.done === 'confirm').length
    expect([done.length - confirmed, confirmed]).toEqual([1, 1])
    const [row] = await t.look<{ released: string; decided: string }>(
      'select released_by as released, decided_by as decided from payout_approvals where withdrawal_id = $1',
      [id],
    )
    expect(row!.released).not.toBe(row!.decided)
    await runDueJobs()
    await t.advance(1)
    expect(await statusOf(id)).toBe('COMPLETED')
    expect(await t.look('select from sandbox_movements where request_id = $1', [id])).toHaveLength(1)
    expect((await balanceOf(tester)).balanceCents).toBe(3000)
  }
})

test('of a confirmation and a refusal at once, one takes effect, and the money is in one place', async () => {
  for (let round = 0; round < 5; round++) {
    const { tester, id } = await wait()
    await decide(ann, id, 'release')
    const replies = await Promise.all([decide(bob, id, 'confirm'), decide(cat, id, 'refuse')])
    expect(tally(replies)).toEqual({ 200: 1, 409: 1 })
    await runDueJobs()
    await t.advance(1)
    const confirmed = replies[0].status === 200
    expect(await statusOf(id)).toBe(confirmed ? 'COMPLETED' : 'FAILED')
    expect((await balanceOf(tester)).balanceCents).toBe(confirmed ? 3000 : 5000)
  }
})

test('repeating a release with its key has no further effect, and gets the same answer', async () => {
  const { id } = await wait()
  const replies = await inParallel(5, () => decide(ann, id, 'release', 'one-release'))
  expect(tally(replies)).toEqual({ 200: 5 })
  expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1)
  await decide(bob, id, 'refuse')
})

describe('only active admins count', () => {
  test('a release ends when its admin is no longer active, as the tester reads, and another admin has to release again', async () => {
    const { tester, id } = await wait()
    await decide(ann, id, 'release')
    const held = async () => (await lineOf(tester)).hold?.sentence
    expect(await held()).toContain('One has released yours')
    await end(ann, false)
    try {
      expect(await held()).toContain('We will pay yours once one has released it')
      const refused = await decide(bob, id, 'confirm')
      expect([refused.status, refused.body.message]).toEqual([
        409,
        'Ann, who released this payout, is no longer an admin. Release it again, so that another admin can confirm it.',
      ])
      expect((await queueOf(bob))[0]).toMatchObject({
        releasedBy: null,
        blocked: 'Ann, who released it, is no longer an admin, so it has to be released again.',
        actions: ['release', 'refuse'],
      })
      expect((await decide(bob, id, 'release')).body.releasedBy?.name).toBe('Bob')
      expect((await decide(bob, id, 'confirm')).status).toBe(409)
      expect((await decide(cat, id, 'confirm')).status).toBe(200)
    } finally {
      await end(ann, true)
    }
  })

  test('the limit cannot be set or turned off with fewer than two admins, and without it waiting payouts keep waiting', async () => {
    const { tester, id } = await wait()
    await end(bob, false)
    await end(cat, false)
    try {
      expect((await queueOf(ann))[0]!.blocked).toContain('You are the only active admin')
      const { status, body } = await set(900)
      expect([status, body.message, Object.keys(body.fields ?? {})]).toEqual([
        409,
        'Payouts can wait for a second admin only while there are two. Create another admin first with npm run admin -- create.',
        ['payoutApprovalCents'],
      ])
      // A limit that is set already may stay, but nobody is there to agree to raising it or turning it off.
      expect((await ann.call('PATCH', '/admin/settings', { payoutApprovalCents: 1500, reviewHours: 72 })).status).toBe(
        200,
      )
      for (const less of [null, 1501])
        expect((await set(less)).body.message).toContain('takes a second admin, and you are the only one')
      await t.look('update settings set payout_approval_cents = null')
      expect((await set(900)).status).toBe(409)
      await t.advance(25)
      expect(await statusOf(id)).toBe('PENDING')
      expect(await queueOf(ann)).toHaveLength(1)
      expect((await balanceOf(tester)).approvalAboveCents).toBeNull()
      expect((await decide(ann, id, 'release')).status).toBe(200)
    } finally {
      await end(bob, true)
      await end(cat, true)
    }
    expect((await set(900)).status).toBe(200)
    expect((await decide(bob, id, 'confirm')).status).toBe(200)
    await t.advance(1)
    expect(await statusOf(id)).toBe('COMPLETED')
  })
})

test('a suspended tester’s payout stays frozen after both admins agreed, and is paid once they are restored', async () => {
  const { tester, id } = await wait()
  await ann.call('POST', `/admin/users/${tester.user.id}/ban`, { reason: 'Looked at.' })
  expect((await queueOf(ann))[0]!.blocked).toContain('suspended')
  await decide(ann, id, 'release')
  await decide(bob, id, 'confirm')
  await runDueJobs()
  await t.advance(1)
  expect(await statusOf(id)).toBe('PENDING')
  await ann.call('POST', `/admin/users/${tester.user.id}/unban`, { reason: 'Fine.' })
  await runDueJobs()
  await t.advance(1)
  expect(await statusOf(id)).toBe('COMPLETED')
})

describe('holds', () => {
  test('a pause after the payment method changed is in the balance, and its end in the refusal', async () => {
    const tester = await paidTester(t, developer, ann, 5000)
    await tester.call('PATCH', '/users/me', { paymentMethod: 'new@example.test', currentPassword: password })
    const until = hoursAfter(clock.now(), 24)
    const { holds } = await balanceOf(tester)
    expect(holds.map(({ kind }) => kind)).toEqual(['METHOD_PAUSE'])
    expect(Math.abs(Date.parse(holds[0]!.until!) - Date.parse(until))).toBeLessThan(60_000)
    const { status, body } = await withdraw(tester)
    expect([status, body.code]).toEqual([409, 'PAYOUT_METHOD_PAUSED'])
    expect(body.message).toMatch(
      /To keep your money safe, withdrawals are paused until \w+ \d+, \d{4} at [\d:]+ [AP]M \(UTC\)\.$/,
    )
    await t.advance(25)
    expect((await balanceOf(tester)).holds).toEqual([])
  })

  test('a payout from before a restore is in the balance until it is booked', async () => {
    const tester = await t.signUp('TESTER')
    const holds = async () => (await balanceOf(tester)).holds.map(({ kind }) => kind)
    const [{ id }] = (await t.look<{ id: string }>(
      `insert into lost_movements (id, kind, of_id, amount_cents, at) values (gen_random_uuid(), 'PAYOUT', $1, 700, now())
        returning id`,
      [tester.user.id],
    )) as [{ id: string }]
    expect(await holds()).toEqual(['LOST_PAYOUT'])
    await t.look('update lost_movements set booked_at = now() where id = $1', [id])
    expect(await holds()).toEqual([])
    await t.look('delete from lost_movements where id = $1', [id])
  })

  test('a hold for everybody is in the balance and in the line of a requested withdrawal', async () => {
    await t.look('update settings set payout_approval_cents = null')
    const tester = await paidTester(t, developer, ann, 5000)
    await t.advance(0)
    await withdraw(tester)
    await t.look(`insert into money_breaches (id, check_name, found_at, row_count, off_cents, examples)
      values (gen_random_uuid(), 'a', now(), 1, '{}', '[]')`)
    expect((await balanceOf(tester)).holds).toMatchObject([{ kind: 'BOOKS', until: null }])
    expect((await lineOf(tester)).hold).toMatchObject({ kind: 'BOOKS' })
    await t.look('delete from money_breaches')
    await ann.call('POST', '/admin/operations/pause-jobs', { reason: 'The provider is down.' })
    expect((await balanceOf(tester)).holds).toEqual([])
    expect((await lineOf(tester)).hold).toMatchObject({ kind: 'JOBS_PAUSED', since: expect.any(String) as string })
    await ann.call('POST', '/admin/operations/resume-jobs')
    await t.advance(1)
    expect((await lineOf(tester)).hold).toBeNull()
  })
})
