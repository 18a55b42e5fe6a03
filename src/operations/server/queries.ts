import { sql, type Tx } from '../../kit/server/db.ts'
import { fixedRowLimit } from '../../kit/server/rowLimits.ts'
import type { Downtime, JobPause, MoneyKind } from '../contract.ts'

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

/** A broken check keeps the time of the run that first found it broken. */
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

/** Deletes results of checks that no longer exist. */
export const forgetOthers = (tx: Tx, names: readonly string[]): Promise<number> =>
  tx.run(sql`delete from check_results where name <> all(${names})`)

export const beginRound = (tx: Tx, now: string): Promise<number> =>
  tx.value(sql`insert into check_rounds (started_at) values (${now}) returning id`)

export const endRound = (tx: Tx, id: number, now: string): Promise<number> =>
  tx.run(sql`update check_rounds set ended_at = ${now} where id = ${id}`)

export type Round = { startedAt: string; endedAt: string | null }

export const lastRound = (tx: Tx): Promise<Round | undefined> =>
  tx.maybe(sql`select started_at as "startedAt", ended_at as "endedAt" from check_rounds order by id desc limit 1`)

export const pauseNow = (tx: Tx): Promise<JobPause | undefined> =>
  tx.maybe(sql`select p.reason, p.note, p.paused_at as since, u.name as by, p.reconciled_at as "reconciledAt"
    from job_pauses p left join users u on u.id = p.paused_by where p.resumed_at is null`)

const breachesShown = 10

export type BreachRow = {
  id: string
  name: string
  foundAt: string
  rows: number
  offCents: number
  examples: unknown[]
  endedAt: string | null
  accepted: { at: string; by: string; reason: string } | null
}

/** All that stop withdrawals, and the latest of the others. */
export const breaches = (tx: Tx): Promise<BreachRow[]> =>
  tx.rows(sql`
    select b.id, b.check_name as name, b.found_at as "foundAt", b.row_count as rows, b.examples, b.ended_at as "endedAt",
      (select coalesce(sum(abs(value::bigint)), 0)::bigint from jsonb_each_text(b.off_cents)) as "offCents",
      case when b.accepted_at is not null then jsonb_build_object('at', to_char(b.accepted_at at time zone 'UTC',
        'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'by', u.name, 'reason', b.reason) end as accepted
    from (
      select * from money_breaches where accepted_at is null
      union all
      (select * from money_breaches where accepted_at is not null order by id desc limit ${fixedRowLimit(breachesShown)})
    ) b left join users u on u.id = b.accepted_by
    order by (b.accepted_at is null) desc, b.id desc`)

export type MoneyRow = {
  kind: MoneyKind
  count: number
  amountCents: number
  oldestAt: string | null
  /** When the provider should have been asked. Leaves out what waits on purpose: for an admin, a bank, or its next attempt. */
  lateSince: string | null
}

export const moneyOnItsWay = (
  tx: Tx,
  { now, refusedHours }: { now: string; refusedHours: number },
): Promise<MoneyRow[]> =>
  tx.rows(sql`
    select 'WITHDRAWALS' as kind, count(*) as count, coalesce(sum(amount_cents), 0)::bigint as "amountCents",
      min(created_at) as "oldestAt",
      min(greatest(created_at, a.decided_at)) filter (where (a.withdrawal_id is null or a.outcome is not null)
        and (claimed_at is not null or frozen.id is null)) as "lateSince"
    from withdrawals w left join payout_approvals a on a.withdrawal_id = w.id
      left join (select id from users where suspended_at is not null) frozen on frozen.id = w.tester_id
    where w.status = 'PENDING'
    union all
    select 'REFUNDS', count(*), coalesce(sum(part.amount_cents), 0)::bigint, min(r.created_at),
      min(due.at) filter (where due.at <= ${now} and (exists (select from provider_calls c where c.subject_id = part.id
        and c.status = 'PENDING' and c.sent_at is not null) or not is_kept_by_dispute(part.payment_id)))
    from refund_parts part join refunds r on r.id = part.refund_id
      cross join lateral (select greatest(r.created_at, max(c.settled_at) + make_interval(hours => ${refusedHours})) as at
        from provider_calls c where c.subject_id = part.id and c.status = 'REFUSED') due
    where part.status = 'PENDING' and stuck_since is null
    union all
    select 'REFUNDS_STUCK', count(*), coalesce(sum(amount_cents), 0)::bigint, min(stuck_since), min(stuck_since)
    from (
      select amount_cents, stuck_since from refund_parts where stuck_since is not null and status = 'PENDING'
      union all select amount_cents, returned_at from lost_returns
      union all select amount_cents, returned_at from lost_movements where returned_at is not null and booked_at is null
    ) stuck
    union all
    select 'REFUNDS_PAID_TWICE', count(*), coalesce(sum(amount_cents), 0)::bigint, min(told_at), min(told_at)
    from over_refunds where outcome is null
    union all
    select 'LOST_DISPUTES', count(*), coalesce(sum(amount_cents), 0)::bigint, min(opened_at), null
    from lost_disputes where status = 'OPEN'`)

const downtimesShown = 10

/** Newest first, by when they became known. */
export const lastDowntimes = (tx: Tx): Promise<Downtime[]> =>
  tx.rows(sql`
    select d.id, d.cause, d.started_at as from, d.ended_at as to, u.name as by, p.note, d.moved,
      d.settled_at is not null as settled
    from downtimes d left join job_pauses p on p.id = d.pause_id left join users u on u.id = p.paused_by
    order by d.id desc limit ${fixedRowLimit(downtimesShown)}`)

export type DowntimeNow = { heartbeatAgeSeconds: number; recentSeconds: number; unsettledSeconds: number }

/** How long the product has not run since an instant, counting overlaps once; and how long deadlines have waited to be moved. */
export const downtimeNow = (tx: Tx, since: string, now: string): Promise<DowntimeNow> =>
  tx.one(
    sql`select
      coalesce((select extract(epoch from clock_timestamp() - beat_at) from heartbeat where only_row), 0)::float8
        as "heartbeatAgeSeconds",
      (select coalesce(sum(extract(epoch from upper(span) - lower(span))), 0)::float8 from unnest((
        select range_agg(tstzrange(greatest(started_at, ${since}), ended_at)) from stoppages where until > ${since})) span)
        as "recentSeconds",
      coalesce((select extract(epoch from ${now}::timestamptz - min(ended_at)) from downtimes
        where settled_at is null and ended_at is not null), 0)::float8 as "unsettledSeconds"`,
    'Downtime',
  )
