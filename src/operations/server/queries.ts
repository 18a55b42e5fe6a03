import { sql, type Tx } from '../../kit/server/db.ts'
import type { MoneyKind } from '../contract.ts'

export type CheckResult = {
  name: string
  at: string
  tookMs: number
  broken: number | null
  brokenSince: string | null
  examples: unknown[]
  error: string | null
}

export const checkResults = (tx: Tx): Promise<CheckResult[]> =>
  tx.rows(sql`select name, ran_at as at, took_ms as "tookMs", broken, broken_since as "brokenSince", examples, error
    from check_results`)

/** What is broken stays broken since the run that noticed it first. */
export const recordResult = (tx: Tx, r: Omit<CheckResult, 'brokenSince'>): Promise<number> => {
  const since = r.broken === 0 ? null : r.at
  return tx.run(sql`
    insert into check_results (name, ran_at, took_ms, broken, examples, error, broken_since)
    values (${r.name}, ${r.at}, ${r.tookMs}, ${r.broken}, ${JSON.stringify(r.examples)}, ${r.error}, ${since})
    on conflict (name) do update set ran_at = excluded.ran_at, took_ms = excluded.took_ms, broken = excluded.broken,
      examples = excluded.examples, error = excluded.error,
      broken_since = case when excluded.broken_since is not null
        then coalesce(check_results.broken_since, excluded.broken_since) end`)
}

/** Results of checks that are no more. */
export const forgetOthers = (tx: Tx, names: readonly string[]): Promise<number> =>
  tx.run(sql`delete from check_results where name <> all(${names})`)

export const beginRound = (tx: Tx, now: string): Promise<number> =>
  tx.value(sql`insert into check_rounds (started_at) values (${now}) returning id`)

export const endRound = (tx: Tx, id: number, now: string): Promise<number> =>
  tx.run(sql`update check_rounds set ended_at = ${now} where id = ${id}`)

export type Round = { startedAt: string; endedAt: string | null }

export const lastRound = (tx: Tx): Promise<Round | undefined> =>
  tx.maybe(sql`select started_at as "startedAt", ended_at as "endedAt" from check_rounds order by id desc limit 1`)

export type MoneyRow = { kind: MoneyKind; count: number; amountCents: number; oldestAt: string | null }

export const moneyOnItsWay = (tx: Tx): Promise<MoneyRow[]> =>
  tx.rows(sql`
    select 'WITHDRAWALS' as kind, count(*) as count, coalesce(sum(amount_cents), 0)::bigint as "amountCents",
      min(created_at) as "oldestAt"
    from withdrawals where status = 'PENDING'
    union all
    select 'REFUNDS', count(*), coalesce(sum(part.amount_cents), 0)::bigint, min(r.created_at)
    from refund_parts part join refunds r on r.id = part.refund_id where part.status = 'PENDING'`)
