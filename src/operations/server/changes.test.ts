/** Anything that breaks the books stops withdrawals within a minute, and money that is merely on its way does not. */
import type { Sql } from 'sql-template-tag'
import { afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { fundedBy, joinedBy, liveCampaign, paidTester } from '../../testing/app.ts'
import { connectBeside } from '../../testing/observed.ts'
import { nodesOf, type PlanNode } from '../../testing/plans.ts'
import { until } from '../../testing/until.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import type { AuditEntry } from '../../audit/contract.ts'
import { sql, transact } from '../../kit/server/db.ts'
import { checkBalance, payoutsStopped } from '../../ledger/server/ledger.ts'
import type { Operations } from '../contract.ts'
import { takeChanges } from './changes.queries.ts'
import { checkChanges, checkInFull } from './changes.ts'
import { checks as allChecks } from './checkFiles.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')
const owner = signedUp(t, 'DEVELOPER')
let tester: Awaited<ReturnType<typeof paidTester>>
beforeAll(async () => {
  tester = await paidTester(t, owner, admin, 20_000)
})
afterEach(async () => {
  await t.look('delete from money_breaches')
  await t.look('delete from money_check_states')
})

/** Runs the jobs of one minute. */
const run = async () => {
  await checkChanges.run({})
  await checkInFull.run({})
}
const stops = () => transact(async tx => (await payoutsStopped(tx)) !== null)
const breaches = () =>
  t.look<{ check: string; rows: number; off: object; ended: boolean }>(
    `select check_name as check, row_count as rows, off_cents as off, ended_at is not null as ended from money_breaches order by 1`,
  )
const watch = async () => (await t.look<{ changes: number }>('select changes from money_watch'))[0]!
/** Only the owner of the tables can do this. */
const movingBalance = (cents: number) =>
  `set local fieldtest.posting = 'on'; update accounts set balance_cents = balance_cents + ${cents} where owner_id = '${tester.user.id}'`
const moveBalance = (cents: number) => t.look(`begin; ${movingBalance(cents)}; commit`)

test('what the product did is checked once, and nothing is found', async () => {
  await run()
  expect((await watch()).changes).toBeGreaterThan(20)
  await run()
  expect((await watch()).changes).toBe(0)
  await fundedBy(owner)
  await run()
  expect((await watch()).changes).toBeGreaterThan(0)
  expect(await stops()).toBe(false)
  expect(await t.look('select from money_changes')).toEqual([])
})

test('the checks read only those transfers of the platform’s accounts that belong to what has changed', async () => {
  const { touchedSql } = (await allChecks()).find(({ name }) => name === 'platform-accounts')!
  const plans = await t.look<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `explain (generic_plan, format json) ${touchedSql}`,
  )
  const nodes = nodesOf(plans[0]!['QUERY PLAN'][0].Plan).map(({ node }) => node)
  expect(nodes.map(node => node['Relation Name'])).toContain('transfers')
  const conditions = nodes.flatMap(node => [node['Index Cond'] ?? '', node.Filter ?? ''])
  expect(conditions.filter(condition => condition.includes('_account_id'))).toEqual([])
})

test('the running sum of the provider’s cash stays equal to that of all transfers', async () => {
  const ofTransfers = (side: string) =>
    `(select coalesce(sum(amount_cents), 0) from transfers join accounts a on a.id = ${side}_account_id and kind = 'PROVIDER_CASH')`
  const sums = async () =>
    (
      await t.look<{ kept: number; whole: number }>(
        `select cents as kept, (${ofTransfers('credit')} - ${ofTransfers('debit')})::bigint as whole from provider_cash`,
      )
    )[0]!
  await run()
  await checkBalance({ inFull: false })
  const before = await sums()
  const { id } = await fundedBy(owner)
  await fundedBy(owner)
  await owner.call('POST', `/campaigns/${id}/cancel`)
  await t.advance(1)
  await run()
  const after = await sums()
  expect([before.kept, after.kept]).toEqual([before.whole, after.whole])
  expect(after.whole).not.toBe(before.whole)
})

test('a balance that no transfer explains stops withdrawals, with the rows and by how much', async () => {
  await moveBalance(7)
  await run()
  expect(await stops()).toBe(true)
  const off = expect.objectContaining({}) as object
  expect(await breaches()).toEqual([
    { check: 'ledger-balances', rows: 1, off, ended: false },
    { check: 'tester-statement', rows: 1, off: { [tester.user.id]: 7 }, ended: false },
  ])
  await moveBalance(-7)
  await run()
})

test('a change that commits late is not missed', async () => {
  const late = await connectBeside(t)
  await late.query('begin')
  await late.query(movingBalance(3))
  await fundedBy(owner)
  await run()
  expect(await stops()).toBe(false)
  await late.query('commit')
  await late.end()
  await run()
  expect(await stops()).toBe(true)
  await moveBalance(-3)
  await run()
})

test('money that moves while it is checked raises no alarm', async () => {
  const { id } = await liveCampaign(owner, admin, { testersRequired: 12 })
  const end = new AbortController()
  const checking = (async () => {
    while (!end.signal.aborted) await run()
  })()
  const work = async (n: number) => {
    const person = await t.signUp('TESTER')
    await joinedBy(person, id)
    const draft = await fundedBy(owner)
    await owner.call('POST', `/campaigns/${draft.id}/cancel`)
    if (n % 2 === 0) await tester.call('POST', '/testers/withdraw', { amountCents: 1000 })
  }
  await Promise.all(Array.from({ length: 8 }, (_, n) => work(n)))
  await owner.call('POST', `/campaigns/${id}/cancel`)
  await t.advance(1)
  end.abort()
  await checking
  await run()
  expect(await breaches()).toEqual([])
})

test('a breach is checked in full and ends when the check passes again, but still has to be explained', async () => {
  await moveBalance(5)
  await run()
  await moveBalance(-5)
  await run()
  expect((await breaches()).every(({ ended }) => !ended)).toBe(true)
  await t.advance(1)
  await run()
  expect((await breaches()).every(({ ended }) => ended)).toBe(true)
  expect(await stops()).toBe(true)
  // Nothing is left to find out in full.
  await t.look(`update money_check_states set full_at = full_at - interval '1 hour'`)
  const fullAt = () => t.look('select name, full_at from money_check_states order by 1')
  const before = await fullAt()
  await checkInFull.run({})
  expect(await fullAt()).toEqual(before)
})

test('a batch is checked as of one moment: what is committed meanwhile is found with the next one', async () => {
  await moveBalance(1)
  await moveBalance(-1)
  const other = await connectBeside(t)
  // The checks run by name, and this one comes before that of the balances.
  await other.query('begin; lock table appeals in access exclusive mode')
  const checking = checkChanges.run({})
  const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await until(async () => (await other.query(waits)).rowCount === 1)
  await moveBalance(8)
  await other.query('commit')
  await other.end()
  await checking
  expect(await breaches()).toEqual([])
  await checkChanges.run({})
  expect((await breaches()).map(({ check }) => check)).toEqual(['ledger-balances', 'tester-statement'])
  await moveBalance(-8)
  await run()
})

test('a change that names only a charge, a part of a refund or a withdrawal is checked with all that these belong to', async () => {
  expect((await tester.call('POST', '/testers/withdraw', { amountCents: 1000 })).status).toBe(201)
  const { id } = await fundedBy(owner)
  await owner.call('POST', `/campaigns/${id}/cancel`)
  await t.advance(1)
  await run()
  const beside = await connectBeside(t)
  // Whatever it did is rolled back.
  onTestFinished(() => beside.end())
  const one = async <Row>({ text, values }: Sql) => (await beside.query(text, values)).rows[0] as Row
  /** The changed row's own id comes first, followed by what it belongs to. */
  const belongsTo = async (query: Sql) => {
    const ids = Object.values(await one<Record<string, string>>(query))
    await beside.query('delete from money_changes')
    await beside.query('insert into money_changes (ids) values (array[$1::uuid])', ids.slice(0, 1))
    expect(new Set((await takeChanges({ one }, 10)).ids)).toEqual(new Set(ids))
  }
  await beside.query('begin')
  // One that no payment came of.
  await belongsTo(sql`insert into charges
    select (jsonb_populate_record(charges, jsonb_build_object('id', gen_random_uuid()))).* from charges limit 1
    returning id, campaign_id, developer_id`)
  await belongsTo(sql`select p.id, p.refund_id, p.payment_id, r.campaign_id, c.developer_id from refund_parts p
    join refunds r on r.id = p.refund_id join campaigns c on c.id = r.campaign_id limit 1`)
  await belongsTo(sql`select id, tester_id from withdrawals limit 1`)
})

test('a full run does not undo what is found while it runs', async () => {
  const ended = async () => (await breaches()).map(breach => `${breach.check} ${breach.ended}`)
  await moveBalance(6)
  await run()
  await moveBalance(-6)
  await t.advance(1)
  const other = await connectBeside(t)
  await other.query('begin; lock table accounts in access exclusive mode')
  const whole = checkInFull.run({})
  const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await until(async () => (await other.query(waits)).rowCount === 1)
  // What another server does within its minute.
  await other.query('update money_check_states set findings = findings + 1; commit')
  await other.end()
  await whole
  expect(await ended()).toEqual(['ledger-balances false', 'tester-statement true'])
  await t.advance(1)
  await run()
  expect(await ended()).toEqual(['ledger-balances true', 'tester-statement true'])
})

test('each finding counts, and a new breach is checked in full at once, however recent the last full run was', async () => {
  const states = () =>
    t.look<{ findings: number; fullAt: string }>(
      `select findings, full_at as "fullAt" from money_check_states where name = 'ledger-balances'`,
    )
  await moveBalance(6)
  await run()
  const [first] = await states()
  await moveBalance(-6)
  await t.advance(1)
  await run()
  await moveBalance(6)
  await run()
  const [second] = await states()
  expect([first!.findings, second!.findings]).toEqual([1, 2])
  expect((await breaches()).filter(({ ended }) => !ended).map(({ check }) => check)).toEqual([
    'ledger-balances',
    'tester-statement',
  ])
  const [ended] = await t.look<{ at: string }>('select max(ended_at) as at from money_breaches')
  expect(second!.fullAt > ended!.at).toBe(true)
  await moveBalance(-6)
})

test('the check of a minute and full runs at the same time cause no error', async () => {
  for (let times = 0; times < 15; times++) {
    await moveBalance(1)
    await t.look('update money_check_states set full_at = null')
    await Promise.all([checkChanges.run({}), checkInFull.run({})])
    expect(await t.look('select name, error from money_check_states where error is not null')).toEqual([])
  }
  await moveBalance(-15)
})

test('a check that cannot run stops neither withdrawals nor other checks, and catches up with a full run', async () => {
  await t.look('alter table appeals rename to appeals_moved')
  await fundedBy(owner)
  await run()
  const states = () =>
    t.look<{ name: string; since: string }>(
      'select name, error, findings, behind_since as since from money_check_states where behind_since is not null order by 1',
    )
  expect(await states()).toMatchObject([
    { name: 'goodwill', error: expect.stringContaining('does not exist') as string, findings: 1 },
    { name: 'platform-accounts' },
  ])
  expect(await stops()).toBe(false)
  const since = (await states()).map(({ name, since: at }) => [name, at])
  // A full run that fails as well says why, and each is behind since the first time.
  await t.look(`update money_check_states set error = 'Something else.', full_at = null`)
  await checkInFull.run({})
  const missing = expect.stringContaining('does not exist') as string
  expect(await states()).toMatchObject([{ error: missing }, { error: missing }])
  await fundedBy(owner)
  await moveBalance(2)
  await run()
  expect(await states()).toMatchObject([{ findings: 2 }, { findings: 2 }])
  expect((await states()).map(({ name, since: at }) => [name, at])).toEqual(since)
  expect((await breaches()).map(({ check }) => check)).toEqual(['ledger-balances', 'tester-statement'])
  await t.look('alter table appeals_moved rename to appeals')
  await moveBalance(-2)
  await t.advance(1)
  await run()
  expect(await states()).toEqual([])
  expect(await t.look('select name from money_check_states where error is not null')).toEqual([])
})

test('two servers that check at once do not interfere with each other', async () => {
  await moveBalance(4)
  await Promise.all([run(), run(), run()])
  await run()
  expect((await breaches()).map(({ check }) => check)).toEqual(['ledger-balances', 'tester-statement'])
  await moveBalance(-4)
})

test('an admin sees what was found and records why withdrawals resume, and the history shows it', async () => {
  const operations = async () => (await admin.call<Operations>('GET', '/admin/operations')).body
  const goOn = (breachIds: string[], reason: string) =>
    admin.call<{ message: string }>('POST', '/admin/operations/let-withdrawals-go-on', { breachIds, reason })
  await moveBalance(9)
  await run()
  await moveBalance(-9)
  const { breaches: shown, moneyWatch, checks } = await operations()
  // They come from one run, so their order is arbitrary.
  const found = shown.toSorted((a, b) => (a.name < b.name ? 1 : -1))
  expect(found).toMatchObject([
    { name: 'tester-statement', rows: 1, offCents: 9, accepted: null, examples: [expect.any(String)] },
    { name: 'ledger-balances', rows: 1, offCents: 9, accepted: null },
  ])
  expect(moneyWatch).toMatchObject({ changes: expect.any(Number) as number, behind: [] })
  expect(checks.filter(({ isOfMoney }) => isOfMoney).map(({ name }) => name)).toContain('ledger-balances')
  const ids = found.map(({ id }) => id)
  expect((await goOn(ids, 'Fine.')).status).toBe(400)
  expect((await goOn(ids.slice(1), 'A tried balance, taken back.')).status).toBe(409)
  expect(await stops()).toBe(true)
  expect((await goOn(ids, 'A tried balance, taken back.')).status).toBe(204)
  expect(await stops()).toBe(false)
  const by = admin.user.name
  const accepted = { by, reason: 'A tried balance, taken back.', at: expect.any(String) as string }
  expect((await operations()).breaches).toMatchObject([{ accepted }, { accepted }])
  expect((await goOn(ids, 'A tried balance, taken back.')).body.message).toBe('Withdrawals are not stopped.')
  const [entry] = (await admin.call<{ data: AuditEntry[] }>('GET', '/admin/audit-log?limit=1')).body.data
  expect(String(entry?.facts['checks']).split(', ').toSorted()).toEqual(['ledger-balances', 'tester-statement'])
  // What stops them comes first, however long ago it was found.
  await t.look(`insert into money_breaches (id, check_name, found_at, row_count, off_cents, examples)
    values ('00000000-0000-7000-8000-000000000000', 'earlier', now(), 1, '{}', '[]')`)
  expect((await operations()).breaches.map(({ name }) => name)[0]).toBe('earlier')
})
