/** SQL of deadlines that a downtime postpones, in batches. */
import type { Sql } from 'sql-template-tag'
import type { Downtime } from '../../kit/downtimes.ts'
import { type Due, type Hold, holding, type Page } from '../../kit/server/batches.ts'
import { empty, join, sql, type Tx } from '../../kit/server/db.ts'
import { downtimesSince } from '../../kit/server/downtimes.ts'
import { offerHours } from '../terms.ts'
import { columns, type ParticipationRow, tables } from './rows.ts'

/** The page after `after`, latest first. */
const pageBefore = (at: Sql, { after, limit }: Page) => {
  const before = after ? sql`and (${at}, id) < (${after.at}::timestamptz, ${after.id})` : empty
  return sql`${before} order by ${join([sql`${at} desc`, sql`id desc`])} limit ${limit}`
}

const idsOf = async (rows: Promise<{ id: string }[]>) => (await rows).map(({ id }) => id)

export const testsAhead = (tx: Tx, from: string, page: Page): Promise<Due[]> =>
  tx.rows(
    sql`select id, wake_at::text as at from participations where wake_at > ${from} ${pageBefore(sql`wake_at`, page)}`,
  )

export const lockTestsAhead = (
  tx: Tx,
  ids: readonly string[],
  hold: Hold,
): Promise<(ParticipationRow & { wakeAt: string })[]> =>
  tx.rows(sql`select ${columns}, p.wake_at as "wakeAt" from ${tables} where p.id = any(${ids}) and p.wake_at is not null
    order by p.id for update of p ${holding(hold)}`)

export const appealsAhead = (tx: Tx, from: string, page: Page): Promise<Due[]> =>
  tx.rows(sql`select id, wake_at::text as at from (select participation_id as id, wake_at from appeals where outcome is null) due
    where wake_at > ${from} ${pageBefore(sql`wake_at`, page)}`)

export type AppealAhead = { id: string; appealedAt: string; wakeAt: string; downtimes: readonly Downtime[] }

/** A payment that is held back is due already, and only looked at again: it has no deadline. */
export const lockAppealsAhead = (tx: Tx, ids: readonly string[], hold: Hold): Promise<AppealAhead[]> =>
  tx.rows(sql`select a.participation_id as id, a.appealed_at as "appealedAt", a.wake_at as "wakeAt",
      ${downtimesSince(sql`a.appealed_at`)} as downtimes
    from appeals a where a.participation_id = any(${ids}) and a.outcome is null and a.held_for is null
    order by a.participation_id for update ${holding(hold)}`)

export const setLookAt = async (tx: Tx, appeals: readonly AppealAhead[]): Promise<void> => {
  if (appeals.length === 0) return
  await tx.run(sql`update appeals a set wake_at = moved.at
    from unnest(${appeals.map(({ id }) => id)}::uuid[], ${appeals.map(({ wakeAt }) => wakeAt)}::timestamptz[]) as moved (id, at)
    where a.participation_id = moved.id and a.outcome is null`)
}

export const offersAhead = (tx: Tx, from: string, page: Page): Promise<Due[]> =>
  tx.rows(sql`select id, offer_ends_at::text as at from bench_entries where offered_at is not null and offer_ends_at > ${from}
    ${pageBefore(sql`offer_ends_at`, page)}`)

export const lockOffersAhead = (tx: Tx, ids: readonly string[], hold: Hold): Promise<string[]> =>
  idsOf(
    tx.rows(sql`select id from bench_entries where id = any(${ids}) and offered_at is not null
      order by id for update ${holding(hold)}`),
  )

/** For entries that the caller has locked. */
export const moveOffers = (tx: Tx, ids: readonly string[]): Promise<number> =>
  tx.run(sql`update bench_entries set offer_ends_at = after_downtimes(offered_at, ${offerHours})
    where id = any(${ids}) and offered_at is not null and after_downtimes(offered_at, ${offerHours}) > offer_ends_at`)

/** Contests that waited for an admin before the end of a downtime, and still wait. */
export const contestsOpenSince = (tx: Tx, endedAt: string): Promise<number> =>
  tx.value(sql`select count(*) from opt_in_runs where contested_at is not null and contest_ended_at is null
    and contested_at < ${endedAt}`)
