/** The payout limit is lowered by one admin, and raised or turned off by two. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { AuditEntry } from '../../audit/contract.ts'
import type { Needs } from '../../dashboards/contract.ts'
import type { Notification } from '../../notifications/contract.ts'
import type { Person } from '../../testing/app.ts'
import { connectBeside, inParallel, tally } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { untilWaiting } from '../../testing/races.ts'
import type { SettingsShown } from '../contract.ts'

const t = testApp()
const ann = signedUp(t, 'ADMIN', { name: 'Ann' })
const bob = signedUp(t, 'ADMIN', { name: 'Bob' })
const cat = signedUp(t, 'ADMIN', { name: 'Cat' })

type Answer = SettingsShown & { message?: string }
const change = (by: Person, body: object) => by.call<Answer>('PATCH', '/admin/settings', body)
const set = (by: Person, payoutApprovalCents: number | null) => change(by, { payoutApprovalCents })
const settings = async (by: Person) => (await by.call<Answer>('GET', '/admin/settings')).body
const limit = async () => (await settings(ann)).payoutApprovalCents
const proposed = async (by: Person, cents: number | null) => (await set(by, cents)).body.limitChange!.id
const decide = (by: Person, id: string, action: 'confirm' | 'refuse') =>
  by.call<Answer>('POST', `/admin/limit-changes/${id}/${action}`)
const end = (admin: Person, active: boolean) =>
  t.look(
    'update users set suspended_at = case when $2 then null else created_at end, suspension_reason = case when $2 then null else $3 end where id = $1',
    [admin.user.id, active, 'Left.'],
  )
const newest = async () =>
  (await ann.call<{ data: AuditEntry[] }>('GET', '/admin/audit-log?limit=1')).body.data[0] as AuditEntry

beforeEach(async () => {
  await t.look(
    `update limit_changes set outcome = 'LAPSED', decided_by = proposed_by, decided_at = now() where outcome is null`,
  )
  await t.look('update settings set payout_approval_cents = 50000')
})

test.each([
  ['set', null, 100_000],
  ['lowered', 50_000, 49_999],
])('%s by one admin, it protects more, and takes effect at once', async (_, from, to) => {
  await t.look('update settings set payout_approval_cents = $1', [from])
  const { status, body } = await set(ann, to)
  expect([status, body.payoutApprovalCents, body.limitChange]).toEqual([200, to, null])
})

describe.each([
  ['raised', 50_001],
  ['turned off', null],
])('to be %s', (_, to) => {
  test('it stays until another admin confirms; what else is changed with it takes effect at once', async () => {
    const reviewHours = (await settings(ann)).reviewHours + 1
    const { status, body } = await change(ann, { payoutApprovalCents: to, reviewHours })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      payoutApprovalCents: 50_000,
      reviewHours,
      limitChange: { fromCents: 50_000, toCents: to, proposedBy: { name: 'Ann' }, actions: ['refuse'] },
    })
    const { id } = body.limitChange!
    const own = await decide(ann, id, 'confirm')
    expect([own.status, own.body.message, await limit()]).toEqual([
      409,
      'You have proposed this change yourself. Another admin has to confirm it.',
      50_000,
    ])
    expect((await settings(bob)).limitChange?.actions).toEqual(['confirm', 'refuse'])
    const confirmed = await decide(bob, id, 'confirm')
    expect(confirmed.body).toMatchObject({ payoutApprovalCents: to, reviewHours, limitChange: null })
    expect(await newest()).toMatchObject({
      action: 'settings.confirm',
      admin: { name: 'Bob' },
      facts: { payoutApprovalCents: `50000 → ${to ?? 'off'}`, proposedBy: 'Ann' },
    })
    expect((await decide(cat, id, 'confirm')).status).toBe(409)
  })

  test('it is dropped by any admin, also by who proposed it', async () => {
    for (const by of [ann, bob]) {
      const id = await proposed(ann, to)
      expect((await decide(by, id, 'refuse')).body).toMatchObject({ payoutApprovalCents: 50_000, limitChange: null })
      expect((await decide(cat, id, 'confirm')).status).toBe(409)
    }
    expect(await limit()).toBe(50_000)
  })
})

test('the other admins are told by email, and it stands in what needs them', async () => {
  await set(ann, null)
  await t.advance(0)
  const told = async (person: Person) =>
    (await person.call<Notification[]>('GET', '/users/me/notifications')).body.map(({ subject }) => subject)
  const subject = 'Proposal: stop requiring two admins for payouts'
  for (const other of [bob, cat]) expect(await told(other)).toContain(subject)
  expect(await told(ann)).not.toContain(subject)
  const { needs } = (await bob.call<Needs>('GET', '/dashboard/needs')).body
  expect(needs.filter(({ kind }) => kind === 'LIMIT_CHANGE')).toMatchObject([{ count: 1 }])
})

test('of many who confirm and refuse at once one does, and the limit is what that one says', async () => {
  for (let round = 0; round < 5; round++) {
    await t.look('update settings set payout_approval_cents = 50000')
    const id = await proposed(ann, null)
    const replies = await inParallel(6, index =>
      decide(index % 2 === 0 ? bob : cat, id, index < 3 ? 'confirm' : 'refuse'),
    )
    expect(tally(replies)).toEqual({ 200: 1, 409: 5 })
    const won = replies.findIndex(({ status }) => status === 200)
    expect(await limit()).toBe(won < 3 ? null : 50_000)
  }
})

test('a decision is of one proposal: what became of those before stays', async () => {
  const ids = [await proposed(ann, 60_000)]
  await decide(bob, ids[0]!, 'refuse')
  ids.push(await proposed(ann, 70_000))
  await decide(cat, ids[1]!, 'confirm')
  expect(
    await t.look('select outcome, decided_by as by from limit_changes where id = any($1) order by proposed_at', [ids]),
  ).toEqual([
    { outcome: 'REFUSED', by: bob.user.id },
    { outcome: 'CONFIRMED', by: cat.user.id },
  ])
})

test('what was proposed does not outlive another change of the limit, nor another proposal', async () => {
  const first = await proposed(ann, 60_000)
  const second = await proposed(bob, 70_000)
  expect((await decide(cat, first, 'confirm')).status).toBe(409)
  expect((await settings(cat)).limitChange).toMatchObject({ id: second, toCents: 70_000, proposedBy: { name: 'Bob' } })
  // The same once more is what waits already, whoever asks.
  expect(await proposed(ann, 70_000)).toBe(second)
  expect((await set(cat, 40_000)).body).toMatchObject({ payoutApprovalCents: 40_000, limitChange: null })
  expect((await decide(ann, second, 'confirm')).status).toBe(409)
  expect(await limit()).toBe(40_000)
})

test('a proposal counts as long as who made it is an active admin, and nobody else confirms one', async () => {
  const id = await proposed(ann, null)
  await end(ann, false)
  try {
    const refused = await decide(bob, id, 'confirm')
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'Ann, who proposed this change, is no longer an admin. Refuse it, then propose it again.',
    ])
    expect((await decide(bob, id, 'refuse')).status).toBe(200)
  } finally {
    await end(ann, true)
  }
})

test.each([
  ['proposer', ann],
  ['one who confirms', bob],
])('a confirmation waits for a suspension of the %s that is under way, and is then refused', async (_, leaving) => {
  const id = await proposed(ann, null)
  const beside = await connectBeside(t)
  try {
    await beside.query('begin')
    await beside.query(`update users set suspended_at = created_at, suspension_reason = 'Left.' where id = $1`, [
      leaving.user.id,
    ])
    const confirming = decide(bob, id, 'confirm')
    await untilWaiting(beside, 1, confirming)
    await beside.query('commit')
    expect((await confirming).status).toBe(409)
    expect(await limit()).toBe(50_000)
  } finally {
    await beside.end()
    await end(leaving, true)
  }
})

test('an admin who is alone neither raises it nor turns it off', async () => {
  await end(bob, false)
  await end(cat, false)
  try {
    for (const cents of [null, 60_000]) {
      const { status, body } = await set(ann, cents)
      expect([status, body.message]).toEqual([
        409,
        'Requiring two admins for fewer payouts, or for none, takes a second admin, and you are the only one. Create another admin first with npm run admin -- create.',
      ])
    }
    expect((await settings(ann)).limitChange).toBeNull()
  } finally {
    await end(bob, true)
    await end(cat, true)
  }
})

test('the table itself knows no change that one admin confirmed alone', async () => {
  const id = await proposed(ann, null)
  await expect(
    t.look(
      `update limit_changes set outcome = 'CONFIRMED', decided_by = proposed_by, decided_at = now() where id = $1`,
      [id],
    ),
  ).rejects.toThrow('limit_changes_check')
})
