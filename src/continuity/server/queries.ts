import type { Sql } from 'sql-template-tag'
import { sql, type Tx } from '../../kit/server/db.ts'
import type { DropReason, ParticipationStatus } from '../../participations/contract.ts'
import type { RunEnding } from '../terms.ts'

export type TesterRow = {
  id: string
  ordinal: number
  status: ParticipationStatus
  joinedAt: string
  /** When the days of an open link begin: null while the NDA that joining asked for is not accepted. */
  begunAt: string | null
  listedAt: string | null
  notLetIn: boolean
  ndaVersion: number | null
  ndaAccepted: number | null
  closedAt: string | null
  checkIns: number
  atRisk: boolean
  dropReason: DropReason | null
  dropHours: number
  accountDeleted: boolean
  account: string | null
}

/**
 * The first test of the campaign that got in with the Google account: recorded where an address is erased, and found by the keyed
 * hash where it is not.
 */
const accountIn = (campaignId: Sql) => sql`min(coalesce(a.same_account, a.participation_id)::text)
  over (partition by ${campaignId}, coalesce(a.address_hash, uuid_send(a.participation_id))) as account`

/** In the order they joined. */
export const testersOf = (tx: Tx, campaignId: string): Promise<TesterRow[]> =>
  tx.rows(sql`
    select p.id, p.ordinal, p.status, p.joined_at as "joinedAt", begun_at(p) as "begunAt", p.listed_at as "listedAt",
      p.listed_at is null and p.no_access_at is not null as "notLetIn",
      c.nda_version as "ndaVersion", p.nda_accepted as "ndaAccepted", p.closed_at as "closedAt",
      p.check_in_count as "checkIns",
      p.closed_at is null and (p.at_risk or (p.status in ('ACTIVE', 'CHANGES_REQUESTED') and p.proof_warned)) as "atRisk",
      p.drop_reason as "dropReason", c.drop_hours as "dropHours",
      u.deleted_at is not null as "accountDeleted", ${accountIn(sql`p.campaign_id`)}
    from participations p join campaigns c on c.id = p.campaign_id join users u on u.id = p.tester_id
      left join play_addresses a on a.participation_id = p.id
    where p.campaign_id = ${campaignId} order by p.ordinal`)

export type RunRow = {
  participationId: string
  startedAt: string
  endedAt: string | null
  endReason: RunEnding | null
  confirmedAt: string
  contestedAt: string | null
  contestReason: string | null
  contestEndedAt: string | null
}

/** In the order in which they were recorded: the clocks of servers differ. */
export const runsOf = (tx: Tx, campaignId: string): Promise<RunRow[]> =>
  tx.rows(sql`
    select participation_id as "participationId", started_at as "startedAt", ended_at as "endedAt",
      end_reason as "endReason", confirmed_at as "confirmedAt", contested_at as "contestedAt",
      contest_reason as "contestReason", contest_ended_at as "contestEndedAt"
    from opt_in_runs where campaign_id = ${campaignId} order by id`)

export type PresentRun = {
  id: string
  campaignId: string
  startedAt: string
  contested: boolean
  account: string | null
}

/** The runs that last, with their tests. */
export const presentRunsOf = (tx: Tx, campaignIds: readonly string[]): Promise<PresentRun[]> =>
  tx.rows(sql`
    select r.participation_id as id, campaign_id as "campaignId", started_at as "startedAt",
      contested_at is not null and contest_ended_at is null as contested, ${accountIn(sql`campaign_id`)}
    from opt_in_runs r left join play_addresses a on a.participation_id = r.participation_id
    where campaign_id = any(${campaignIds}) and ended_at is null`)

export const appliedAtOf = (tx: Tx, campaignId: string): Promise<string | null> =>
  tx.value(sql`select applied_at from campaigns where id = ${campaignId}`)

/** Newest first. */
export const playCountsOf = (tx: Tx, campaignId: string): Promise<{ day: string; count: number }[]> =>
  tx.rows(sql`select day, count from play_counts where campaign_id = ${campaignId} order by day desc`)

export const deletePlayCount = (tx: Tx, campaignId: string, day: string): Promise<number> =>
  tx.run(sql`delete from play_counts where campaign_id = ${campaignId} and day = ${day}`)

/** A later number of the same day replaces the earlier one. */
export const putPlayCount = (
  tx: Tx,
  { campaignId, day, count, now }: { campaignId: string; day: string; count: number; now: string },
): Promise<number> =>
  tx.run(sql`
    insert into play_counts (campaign_id, day, count, recorded_at) values (${campaignId}, ${day}, ${count}, ${now})
    on conflict (campaign_id, day) do update set count = excluded.count, recorded_at = excluded.recorded_at`)
