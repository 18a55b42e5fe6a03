/** SQL for what has changed in the money since the last check. */
import { wholeLocks } from '../../kit/server/advisoryLocks.ts'
import { sql, type Tx } from '../../kit/server/db.ts'

export const beginSnapshot = async (tx: Tx): Promise<void> => {
  await tx.raw('set transaction isolation level repeatable read')
}

/** False while another server checks; otherwise the lock lasts until the end of the transaction. */
export const holdChanges = (tx: Tx): Promise<boolean> =>
  tx.value(sql`select pg_try_advisory_xact_lock(${wholeLocks.MONEY_CHANGES})`)

export type Taken = { changes: number; ids: string[]; accounts: string[]; keys: string[] }

/**
 * Takes up to `limit` changes off the list. Adds what they do not name themselves, so that both sides of each check are complete:
 * the campaigns of tests, payments and refunds, the people who pay or earn there, and the owners of accounts. The running sum of
 * the provider's cash is updated by the same changes.
 */
export const takeChanges = (tx: Pick<Tx, 'one'>, limit: number): Promise<Taken> =>
  tx.one(
    sql`with taken as (
      delete from money_changes where ctid = any (array(select ctid from money_changes limit ${limit})) returning *
    ), touched_accounts as (
      select a.id, a.owner_id from accounts a where a.owner_id is not null and a.id in (
        select account_id from taken union select debit_account_id from taken union select credit_account_id from taken)
    ), named as (
      select id from taken, unnest(ids) id where id is not null
      union select substring(business_key from '[0-9a-f]{8}-[0-9a-f-]{27}')::uuid from taken
        where business_key ~ '[0-9a-f]{8}-[0-9a-f-]{27}'
      union select owner_id from touched_accounts
    ), parts as (
      select refund_id, payment_id from refund_parts where id in (select id from named)
    ), around as (
      select id from named
      union select campaign_id from participations where id in (select id from named)
      union select campaign_id from payments where id in (select id from named)
      union select campaign_id from refunds where id in (select id from named)
      union select campaign_id from charges where id in (select id from named)
      union select refund_id from parts union select payment_id from parts
      union select r.campaign_id from parts join refunds r on r.id = parts.refund_id
      union select tester_id from withdrawals where id in (select id from named)
    ), counted as (
      update provider_cash set cents = provider_cash.cents + (
        select coalesce(sum(case cash.id when credit_account_id then cents when debit_account_id then -cents end), 0)
        from taken, (select id from accounts where kind = 'PROVIDER_CASH') cash)
      where exists (select from taken)
    )
    select (select count(*)::int from taken) as changes,
      array(select id from around union select developer_id from campaigns where id in (select id from around)) as ids,
      array(select id::text from touched_accounts) as accounts,
      array(select distinct business_key from taken where business_key is not null) as keys`,
    'Changes',
  )

export const recordWatch = (tx: Tx, w: { at: string; tookMs: number; changes: number }): Promise<number> =>
  tx.run(sql`insert into money_watch (ran_at, took_ms, changes) values (${w.at}, ${w.tookMs}, ${w.changes})
    on conflict (only_row) do update set ran_at = excluded.ran_at, took_ms = excluded.took_ms, changes = excluded.changes`)

/** The check could not follow the changes, so it has to run in full. */
export const fallBehind = (tx: Tx, name: string, error: string, now: string): Promise<number> =>
  tx.run(sql`insert into money_check_states (name, behind_since, error, findings) values (${name}, ${now}, ${error}, 1)
    on conflict (name) do update set error = excluded.error, findings = money_check_states.findings + 1,
      behind_since = coalesce(money_check_states.behind_since, excluded.behind_since)`)

/** Counts a finding of the check among the changes. */
export const noteFinding = (tx: Tx, name: string): Promise<number> =>
  tx.run(sql`insert into money_check_states (name, findings) values (${name}, 1)
    on conflict (name) do update set findings = money_check_states.findings + 1`)

/** Lets the next full run happen regardless of how recent the last one is. */
export const askInFull = (tx: Tx, name: string): Promise<number> =>
  tx.run(sql`update money_check_states set full_at = null where name = ${name}`)

/** Begins a full run, unless one has begun after `before`. Returns the number of findings so far. */
export const beginFull = async (
  tx: Tx,
  name: string,
  times: { before: string; now: string },
): Promise<number | null> => {
  const row = await tx.maybe<{ findings: number }>(sql`
    insert into money_check_states as s (name, full_at) values (${name}, ${times.now})
    on conflict (name) do update set full_at = excluded.full_at where s.full_at is null or s.full_at <= ${times.before}
    returning findings`)
  return row?.findings ?? null
}

/** Locks them until the end of the transaction. */
export const lockFindings = (tx: Tx, name: string): Promise<number> =>
  tx.value(sql`select findings from money_check_states where name = ${name} for update`)

/** The check ran in full, and nothing was found in the meantime. */
export const recordFull = (tx: Tx, name: string): Promise<number> =>
  tx.run(sql`update money_check_states set error = null, behind_since = null where name = ${name}`)

/** The full run failed, so the check is as far behind as before. */
export const recordFailure = (tx: Tx, name: string, error: string): Promise<number> =>
  tx.run(sql`update money_check_states set error = ${error} where name = ${name}`)

/** Checks that have to run in full because they are broken or behind, and have not done so after `before`. */
export const dueInFull = async (tx: Tx, before: string): Promise<string[]> =>
  (
    await tx.rows<{ name: string }>(sql`
      select name from (
        select check_name as name from money_breaches where ended_at is null
        union select name from money_check_states where behind_since is not null) due
      where not exists (select from money_check_states s where s.name = due.name and s.full_at > ${before})`)
  ).map(({ name }) => name)

export type Behind = { name: string; since: string; error: string | null }
export type Watch = { at: string; tookMs: number; changes: number }

export const lastWatch = (tx: Tx): Promise<Watch | undefined> =>
  tx.maybe(sql`select ran_at as at, took_ms as "tookMs", changes from money_watch where only_row`)

export const checksBehind = (tx: Tx): Promise<Behind[]> =>
  tx.rows(
    sql`select name, behind_since as since, error from money_check_states where behind_since is not null order by name`,
  )
