/** Finds violations at the end: everything acknowledged has to be there once, nothing half done, and nobody paid twice. */
import type pg from 'pg'
import { runChecks } from '../../src/testing/checks.ts'
import type { Calls, Move } from './calls.ts'
import type { Movement } from './provider.ts'

/** For each kind of move, what has to be in the database. `m` is the move, with `id` from its path or answer. */
const found: Record<string, string> = {
  create: `exists (select from campaigns c where c.id = m.made)`,
  fund: `exists (select from charges c where c.campaign_id = m.id) and (m.status <> 'PENDING_APPROVAL'
    or exists (select from payments p where p.campaign_id = m.id and p.status = 'COMPLETED'))`,
  cancel: `exists (select from campaigns c where c.id = m.id and c.status = 'CANCELLED')`,
  approve: `exists (select from audit_log a where a.subject_id = m.id and a.action = 'campaign.approve')`,
  start: `exists (select from campaigns c where c.id = m.id and c.start_date is not null)`,
  'close-seat': `exists (select from campaigns c where c.id = m.id and (c.closed_seats > 0 or c.status in ('CANCELLED', 'COMPLETED')))`,
  join: `exists (select from participations p where p.id = m.made)`,
  'check-in': `exists (select from check_ins c where c.participation_id = m.id)`,
  proof: `exists (select from participations p where p.id = m.id and p.proof_submitted_at is not null)`,
  verify: `exists (select from participations p where p.id = m.id and p.status = 'VERIFIED')`,
  withdraw: `exists (select from withdrawals w where w.id = m.made and w.amount_cents = m.amount)`,
}

const lost = async (db: pg.Client, moves: readonly Move[]): Promise<string[]> => {
  const violations: string[] = []
  for (const [kind, condition] of Object.entries(found)) {
    const given = moves
      .filter(move => move.kind === kind)
      .map(({ path, answer }) => ({
        id: /[0-9a-f-]{36}/.exec(path)?.[0] ?? null,
        made: answer['id'],
        status: answer['status'],
        amount: answer['amountCents'],
      }))
    const { rows } = await db.query(
      `select * from jsonb_to_recordset($1) as m (id uuid, made uuid, status text, amount bigint) where not (${condition})`,
      [JSON.stringify(given)],
    )
    violations.push(...rows.map(row => `lost: ${kind} ${JSON.stringify(row)}`))
  }
  return violations
}

/** Each key was answered in the end, so there is exactly as much as was acknowledged. */
const surplus = async (db: pg.Client, moves: readonly Move[]): Promise<string[]> => {
  const made: [string, string][] = [
    ['create', 'campaigns'],
    ['join', 'participations'],
    ['withdraw', 'withdrawals'],
    ['check-in', 'check_ins'],
  ]
  const violations: string[] = []
  for (const [kind, table] of made) {
    const { rows } = await db.query<{ n: number }>(`select count(*)::int as n from ${table}`)
    const acknowledged = moves.filter(move => move.kind === kind).length
    if (rows[0]!.n !== acknowledged) violations.push(`${table}: ${rows[0]!.n}, acknowledged: ${acknowledged}`)
  }
  const { rows } = await db.query(`select campaign_id, count(*) from charges where status = 'COMPLETED'
    group by 1 having count(*) > 1`)
  return [...violations, ...rows.map(row => `charged twice: ${JSON.stringify(row)}`)]
}

const refusedPayouts = async (db: pg.Client): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>(
    `select id from withdrawals where status = 'FAILED' and returned_at is null`,
  )
  return rows.map(({ id }) => id)
}

/** A payout that came back before we learned that it was made counts as refused: the money is where it was before. */
const forgetReturned = (theirs: Map<string, number>, id: string): void => {
  const [payout, back] = [`PAYOUT ${id}`, `RETURN ${id}`]
  if (theirs.get(payout) !== theirs.get(back)) return
  theirs.delete(payout)
  theirs.delete(back)
}

/** Compares our books with what the provider says that it did. */
const differing = async (db: pg.Client, movements: readonly Movement[]): Promise<string[]> => {
  const theirs = new Map<string, number>()
  const violations: string[] = []
  for (const { name, cents } of movements) {
    if (theirs.has(name)) violations.push(`done twice: ${name}`)
    theirs.set(name, cents)
  }
  const { rows } = await db.query<{ name: string; cents: number }>(
    `select 'CHARGE ' || id as name, amount_cents::int as cents from payments where status = 'COMPLETED'
    union all select 'PAYOUT ' || id, amount_cents::int from withdrawals where status = 'COMPLETED' or returned_at is not null
    union all select 'RETURN ' || id, amount_cents::int from withdrawals where returned_at is not null
    union all select 'REFUND ' || id, amount_cents::int from refund_parts where status = 'COMPLETED'`,
  )
  const ours = new Map(rows.map(({ name, cents }) => [name, cents]))
  for (const id of await refusedPayouts(db)) forgetReturned(theirs, id)
  for (const [name, cents] of theirs) if (ours.get(name) !== cents) violations.push(`only theirs: ${name} ${cents}`)
  for (const [name, cents] of ours) if (theirs.get(name) !== cents) violations.push(`only ours: ${name} ${cents}`)
  return violations
}

/** By the transfers alone: no test was paid twice, no transfer has the key of another, and none was settled twice. */
const paidTwice = async (db: pg.Client): Promise<string[]> => {
  const { rows } = await db.query(
    `select split_part(business_key, ':', 2) as subject, count(*) from transfers t join accounts a on a.id = t.credit_account_id
      where a.kind = 'TESTER_BALANCE' and t.phase = 'SINGLE' and business_key not like 'payout%' group by 1 having count(*) > 1
    union all
    select business_key, count(*) from transfers group by 1 having count(*) > 1
    union all
    select pending_id::text, count(*) from transfers where pending_id is not null group by 1 having count(*) > 1`,
  )
  return rows.map(row => `twice: ${JSON.stringify(row)}`)
}

/** The number of things that are not settled yet. */
export const openMatters = async (db: pg.Client): Promise<number> => {
  const { rows } = await db.query<{ n: number }>(`select ((select count(*) from charges where status = 'PENDING')
    + (select count(*) from withdrawals where status = 'PENDING') + (select count(*) from refund_parts where status = 'PENDING')
    + (select count(*) from provider_calls where status = 'PENDING')
    + (select count(*) from provider_events where processed_at is null))::int as n`)
  return rows[0]!.n
}

/** Equal to the cent, since nothing is on its way any more; and no false alarm has stopped withdrawals. */
const balances = async (db: pg.Client, heldCents: number): Promise<string[]> => {
  const { rows } = await db.query<{
    cents: number
  }>(`select (coalesce(sum(amount_cents) filter (where a.id = t.debit_account_id), 0)
      - coalesce(sum(amount_cents) filter (where a.id = t.credit_account_id), 0))::int as cents
    from accounts a join transfers t on a.id in (t.debit_account_id, t.credit_account_id) where a.kind = 'PROVIDER_CASH'`)
  const ours = rows[0]!.cents
  const { rows: breaches } = await db.query('select check_name, off_cents, examples from money_breaches')
  return [
    ...(ours === heldCents ? [] : [`the provider holds ${heldCents}, by our books ${ours}`]),
    ...breaches.map(breach => `withdrawals were stopped: ${JSON.stringify(breach)}`),
  ]
}

/** The results of a run: what its clients know, and what its provider did. */
export type Evidence = Pick<Calls, 'moves' | 'wrong'> & { movements: readonly Movement[]; heldCents: number }

export const violationsOf = async (db: pg.Client, evidence: Evidence): Promise<string[]> => [
  ...evidence.wrong,
  ...(await lost(db, evidence.moves)),
  ...(await surplus(db, evidence.moves)),
  ...(await differing(db, evidence.movements)),
  ...(await paidTwice(db)),
  ...(await balances(db, evidence.heldCents)),
  ...(await runChecks(statement => db.query(statement))).map(broken => JSON.stringify(broken)),
]
