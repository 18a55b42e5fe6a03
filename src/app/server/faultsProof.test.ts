/** The proof of `npm run faults` finds what it is there for: each fault planted here is a violation. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type pg from 'pg'
import type { Move } from '../../../scripts/faults/calls.ts'
import { type Evidence, violationsOf } from '../../../scripts/faults/proof.ts'
import { sandboxMovements } from '../../ledger/server/sandboxFile.ts'
import { fundedBy, paidTester } from '../../testing/app.ts'
import { connectBeside } from '../../testing/observed.ts'
import { superuserOf } from '../../testing/plans.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')
const developer = signedUp(t, 'DEVELOPER')
let db: pg.Client
let evidence: Evidence

/** What the clients of a run would know: everything in the database. */
const acknowledged = async (): Promise<Move[]> => {
  const who = { id: developer.user.id, role: 'DEVELOPER' as const }
  const rest = { key: '', who, body: undefined, tries: 1, day: 0 }
  const moves = async (kind: string, path: string, query: string) =>
    (await t.look<Record<string, unknown>>(query)).map(answer => ({
      ...rest,
      kind,
      path: path.replace(':id', String(answer['id'])),
      answer,
      status: 200,
    }))
  return [
    ...(await moves('create', '/campaigns', 'select id from campaigns')),
    ...(await moves('fund', '/campaigns/:id/fund', `select id, 'PENDING_APPROVAL' as status from campaigns`)),
    ...(await moves('cancel', '/campaigns/:id/cancel', `select id from campaigns where status = 'CANCELLED'`)),
    ...(await moves('join', '/join', 'select id from participations')),
    ...(await moves('check-in', '/:id/check-ins', 'select participation_id as id from check_ins')),
    ...(await moves('proof', '/:id/proof', 'select id from participations')),
    ...(await moves('verify', '/:id/verify', 'select id from participations')),
    ...(await moves('withdraw', '/withdraw', 'select id, amount_cents::int as "amountCents" from withdrawals')),
  ]
}

beforeAll(async () => {
  const tester = await paidTester(t, developer, admin, 5000)
  await tester.call('POST', '/testers/withdraw', { amountCents: 2000 })
  const { id } = await fundedBy(developer)
  await developer.call('POST', `/campaigns/${id}/cancel`)
  await t.advance(1)
  db = await connectBeside({ databaseUrl: superuserOf(t.databaseUrl) })
  const movements = await sandboxMovements()
  evidence = {
    moves: await acknowledged(),
    wrong: [],
    movements: [...(await movements.all()).values()].map(({ kind, id: of, amountCents }) => ({
      name: `${kind} ${of}`,
      cents: amountCents,
    })),
    heldCents: await movements.balanceCents(),
  }
})
afterAll(() => db.end())

/** Turns off the constraints that would make PostgreSQL itself refuse. */
const unguarded = `set local session_replication_role = replica; do $$ declare c record; begin
  for c in select conname as name, conrelid::regclass as of from pg_constraint where contype = 'c'
    and conrelid in ('accounts'::regclass, 'campaigns'::regclass, 'participations'::regclass)
  loop execute format('alter table %s drop constraint %I', c.of, c.name); end loop; end $$`

/** Rolls back afterwards. */
const planted = async (statement: string, seen: Evidence = evidence): Promise<string> => {
  await db.query(`begin; ${unguarded}`)
  try {
    if ((await db.query(statement)).rowCount === 0) throw new Error(`this breaks nothing: ${statement}`)
    return (await violationsOf(db, seen)).join('\n')
  } finally {
    await db.query('rollback')
  }
}

test('sound data has no violations', async () => {
  expect(evidence.moves.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['verify', 'withdraw', 'cancel']))
  expect(await violationsOf(db, evidence)).toEqual([])
})

test.each([
  [
    'an acknowledged transfer that is gone',
    `delete from transfers where business_key like 'verify-pay:%'`,
    /ledger-balances/,
  ],
  [
    'a charge whose transfers are all gone',
    `delete from transfers where business_key like 'charge-%' or business_key like 'fund-%'`,
    /the provider holds/,
  ],
  ['an acknowledged withdrawal that is gone', 'delete from withdrawals', /lost: withdraw.*\n.*withdrawals: 0/s],
  [
    'a verification that paid and is not marked',
    `update participations set status = 'SUBMITTED', reviewed_at = null`,
    /lost: verify/,
  ],
  [
    'one that is marked and did not pay',
    `with gone as (delete from transfers where business_key like 'verify-pay:%' returning *)
      update accounts a set balance_cents = balance_cents + case when a.id = g.debit_account_id then g.amount_cents else -g.amount_cents end
      from gone g where a.id in (g.debit_account_id, g.credit_account_id)`,
    /tester-pay/,
  ],
  [
    'a cancelled campaign that runs again',
    `update campaigns set status = 'LIVE' where status = 'CANCELLED'`,
    /lost: cancel/,
  ],
  [
    'withdrawals that a false alarm has stopped',
    `insert into money_breaches (id, check_name, found_at, row_count, off_cents, examples)
      values (gen_random_uuid(), 'provider-balance', now(), 1, '{"sandbox": 1}', '[]')`,
    /withdrawals were stopped/,
  ],
])('%s is a violation', async (_what, statement, found) => {
  expect(await planted(statement)).toMatch(found)
})

test('a seat that no client asked for is a violation', async () => {
  const moves = evidence.moves.filter(({ kind }) => kind !== 'join')
  expect(await violationsOf(db, { ...evidence, moves })).toEqual(['participations: 1, acknowledged: 0'])
})

test.each(['PAYOUT', 'CHARGE', 'REFUND'])(
  'a %s that the provider made twice, or that only one side knows, is a violation',
  async kind => {
    const { movements } = evidence
    const [one] = movements.filter(({ name }) => name.startsWith(kind))
    const seen = async (theirs: Evidence['movements']) =>
      (await violationsOf(db, { ...evidence, movements: theirs })).join('\n')
    expect(await seen([...movements, one!])).toMatch(`done twice: ${one!.name}`)
    expect(await seen(movements.filter(other => other !== one))).toMatch(`only ours: ${one!.name}`)
    expect(await seen([...movements, { ...one!, name: `${kind} of nobody` }])).toMatch(`only theirs: ${kind} of nobody`)
    expect((await violationsOf(db, { ...evidence, heldCents: evidence.heldCents + 1 })).join()).toMatch(
      'the provider holds',
    )
  },
)

test('a payout that the provider made and took back matches only a withdrawal that our books count as failed', async () => {
  const { movements } = evidence
  const [{ name, cents }] = movements.filter(({ name: kind }) => kind.startsWith('PAYOUT')) as [
    Evidence['movements'][0],
  ]
  const returned = { name: name.replace('PAYOUT', 'RETURN'), cents }
  const refused = `update withdrawals set status = 'FAILED', failure_reason = 'It came back.'`
  const differing = async (theirs: Evidence['movements'], statement: string) =>
    (await planted(statement, { ...evidence, movements: theirs })).split('\n').filter(line => line.startsWith('only'))
  expect(await differing([...movements, returned], refused)).toEqual([])
  expect(await differing(movements, refused)).toEqual([`only theirs: ${name} ${cents}`])
  expect(await differing([...movements, returned], 'update settings set review_hours = review_hours')).toEqual([
    `only theirs: ${returned.name} ${cents}`,
  ])
})
