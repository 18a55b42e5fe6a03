/** SQL for play_addresses (024-closed-tests.sql). The row itself is written together with its seat. */
import type { Sql } from 'sql-template-tag'
import { sql, type Tx } from '../../kit/server/db.ts'

export type SealedRow = { participationId: string; sealed: Buffer }

export const addressesOf = (tx: Tx, participationIds: readonly string[]): Promise<SealedRow[]> =>
  tx.rows(sql`select participation_id as "participationId", sealed from play_addresses
    where participation_id = any(${participationIds}) and sealed is not null`)

export const lastOf = (tx: Tx, testerId: string): Promise<SealedRow | undefined> =>
  tx.maybe(sql`select participation_id as "participationId", sealed from play_addresses
    where tester_id = ${testerId} and sealed is not null order by consented_at desc limit 1`)

export type OwnRow = {
  participationId: string
  sealed: Buffer | null
  consentVersion: number
  consentedAt: string
  erasedAt: string | null
}

export const pageOf = (tx: Tx, testerId: string, after: string | undefined, limit: number): Promise<OwnRow[]> =>
  tx.rows(sql`select participation_id as "participationId", sealed, consent_version as "consentVersion",
      consented_at as "consentedAt", erased_at as "erasedAt"
    from (
      select participation_id, tester_id, sealed, consent_version, consented_at, erased_at from play_addresses
      union all
      select id, tester_id, address_sealed, consent_version, entered_at, null from bench_entries
        where address_sealed is not null
    ) own
    where tester_id = ${testerId} and participation_id > ${after ?? '00000000-0000-0000-0000-000000000000'}
    order by participation_id limit ${limit}`)

const erased = sql`sealed = null, address_hash = null, same_address = null`

/**
 * Erases these addresses, of `play_addresses a`. Google Play goes on counting testers of one campaign who share an account as
 * one, so it is kept that they do: the first of their tests, which says nothing about the address.
 */
const erase = async (tx: Tx, which: Sql, now: string): Promise<number> => {
  await tx.run(sql`
    with gone as materialized (
      select distinct p.campaign_id, a.address_hash from play_addresses a join participations p on p.id = a.participation_id
      where a.erased_at is null and ${which}
    ), same as (
      select o.participation_id, min(coalesce(o.same_account, o.participation_id)::text) over account as first,
        count(*) over account as testers
      from gone join play_addresses o on o.address_hash = gone.address_hash
        join participations p on p.id = o.participation_id and p.campaign_id = gone.campaign_id
      window account as (partition by gone.campaign_id, gone.address_hash)
    )
    update play_addresses set same_account = first::uuid from same
      where same.participation_id = play_addresses.participation_id and testers > 1`)
  return tx.run(sql`update play_addresses a set ${erased}, erased_at = ${now} where a.erased_at is null and ${which}`)
}

/** Erases a tester's own addresses, and those that a developer received. */
export const eraseOf = async (tx: Tx, userId: string, now: string): Promise<void> => {
  await erase(tx, sql`a.tester_id = ${userId}`, now)
  await erase(
    tx,
    sql`a.participation_id in (
      select p.id from participations p join campaigns c on c.id = p.campaign_id where c.developer_id = ${userId})`,
    now,
  )
}

/** Erases the addresses of a limited number of campaigns that ended before `endedBefore`; returns how many campaigns. */
export const eraseOfEnded = async (tx: Tx, endedBefore: string, now: string, limit: number): Promise<number> => {
  const due = await tx.rows<{ id: string }>(sql`
    update campaigns set addresses_erased_at = ${now} where id in (
      select id from campaigns
      where closed_at <= ${endedBefore} and access_mode <> 'OPEN_LINK' and addresses_erased_at is null
      order by closed_at limit ${limit} for no key update skip locked)
    returning id`)
  const ids = due.map(({ id }) => id)
  await erase(tx, sql`a.participation_id in (select id from participations where campaign_id = any(${ids}))`, now)
  return ids.length
}

/** Addresses that are sealed with one of these keys. */
export const sealedWith = (tx: Tx, keyIds: readonly Buffer[], limit: number): Promise<SealedRow[]> =>
  tx.rows(sql`select participation_id as "participationId", sealed from play_addresses
    where sealed is not null and substring(sealed from 2 for 4) = any(${keyIds}) limit ${limit}`)

/** Addresses of testers on a bench. An entry has the id of the participation that it may become. */
export const sealedOnBench = (tx: Tx, keyIds: readonly Buffer[], limit: number): Promise<SealedRow[]> =>
  tx.rows(sql`select id as "participationId", address_sealed as sealed from bench_entries
    where address_sealed is not null and substring(address_sealed from 2 for 4) = any(${keyIds}) limit ${limit}`)

export const sealAgainOnBench = (
  tx: Tx,
  { participationId, sealed: old }: SealedRow,
  { sealed, hash }: { sealed: Buffer; hash: Buffer },
): Promise<number> =>
  tx.run(sql`update bench_entries set address_sealed = ${sealed}, address_hash = ${hash}
    where id = ${participationId} and address_sealed = ${old}`)

/** Changes nothing if the address was erased or resealed meanwhile. */
export const sealAgain = (
  tx: Tx,
  { participationId, sealed: old }: SealedRow,
  { sealed, hash }: { sealed: Buffer; hash: Buffer },
): Promise<number> =>
  tx.run(sql`update play_addresses set sealed = ${sealed}, address_hash = ${hash}
    where participation_id = ${participationId} and sealed = ${old}`)

export type Erased = { id: string; at: string }

export const erasedSince = (tx: Tx, since: string): Promise<Erased[]> =>
  tx.rows(sql`select participation_id as id, erased_at as at from play_addresses where erased_at >= ${since}
    order by erased_at`)

export const eraseThese = (tx: Tx, ids: readonly string[], now: string): Promise<number> =>
  erase(tx, sql`a.participation_id = any(${ids}::uuid[])`, now)
