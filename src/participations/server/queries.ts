/** Loads participations, and writes what their actions change. Joining has statements of its own. */
import type { Sql } from 'sql-template-tag'
import type { SignedIn } from '../../kit/endpoint.ts'
import { empty, sql, type Tx } from '../../kit/server/db.ts'
import { rowLimit } from '../../kit/server/rowLimits.ts'
import type { CampaignQuery } from '../../campaigns/contract.ts'
import { matchingOwn } from '../../campaigns/server/campaigns.ts'
import type { ParticipationStatus } from '../contract.ts'
import type { Said } from '../facts.ts'
import {
  type CheckInRow,
  columns,
  type ParticipationRow,
  tables,
  visibleTo,
  wholeColumns,
  type WholeRow,
} from './rows.ts'

export type { ParticipationRow } from './rows.ts'

/** With its evidence. Undefined if there is no such test that the caller may see. */
export const wholeFor = (tx: Tx, user: SignedIn, id: string): Promise<WholeRow | undefined> =>
  tx.maybe(sql`select ${wholeColumns} from ${tables} where p.id = ${id} and ${visibleTo(user)}`)

export const participationFor = (tx: Tx, user: SignedIn, id: string): Promise<ParticipationRow> =>
  tx.one(sql`select ${columns} from ${tables} where p.id = ${id} and ${visibleTo(user)}`, 'Test')

/**
 * Locks the campaign, then the participation, as everything does: events of a test are recorded with a reference to its campaign,
 * and ending a test locks the campaign. The weakest lock is enough, so that the tests of one campaign do not wait for each other.
 */
const lockedInOrder = (id: string, visible: Sql, strength: Sql = sql`for key share`) => sql`
  with c as materialized (
    select * from campaigns where id = (select campaign_id from participations where id = ${id}) ${strength}
  )
  select ${columns} from participations p join c on c.id = p.campaign_id where p.id = ${id} and ${visible} for update of p`

export const lockParticipationFor = (tx: Tx, user: SignedIn, id: string): Promise<ParticipationRow> =>
  tx.one(lockedInOrder(id, visibleTo(user)), 'Test')

/** Locks the campaign exclusively, for actions that change the campaign or close the test. */
export const lockParticipationAndCampaign = async (tx: Tx, user: SignedIn, id: string): Promise<ParticipationRow> => {
  await tx.one(lockedInOrder(id, visibleTo(user), sql`for update`), 'Test')
  return participationFor(tx, user, id)
}

export const participationsByIds = (tx: Tx, ids: readonly string[]): Promise<ParticipationRow[]> =>
  tx.rows(sql`select ${columns} from ${tables} where p.id = any(${ids}) order by p.ordinal`)

export type ListQuery = { status?: ParticipationStatus | undefined; limit: number; cursor?: string | undefined }

export type OwnQuery = ListQuery & Pick<CampaignQuery, 'search' | 'platform'>

export const listOwn = (
  tx: Tx,
  testerId: string,
  { status, limit, cursor, search, platform }: OwnQuery,
): Promise<WholeRow[]> =>
  tx.rows(sql`
    select ${wholeColumns} from ${tables}
    where p.tester_id = ${testerId} and ${matchingOwn({ search, platform })} ${status ? sql`and p.status = ${status}` : empty}
      ${cursor ? sql`and p.id < ${cursor}` : empty}
    order by p.id desc limit ${rowLimit(limit + 1)}`)

/** In the order they joined. */
export const listOfCampaign = (
  tx: Tx,
  user: SignedIn,
  campaignId: string,
  { status, limit, cursor }: ListQuery,
): Promise<WholeRow[]> =>
  tx.rows(sql`
    select ${wholeColumns} from ${tables}
    where p.campaign_id = ${campaignId} and ${visibleTo(user)} ${status ? sql`and p.status = ${status}` : empty}
      ${cursor ? sql`and p.ordinal > (select ordinal from participations where id = ${cursor})` : empty}
    order by p.ordinal limit ${rowLimit(limit + 1)}`)

/** Tests that are still under way. */
export const openOf = (tx: Tx, testerId: string): Promise<ParticipationRow[]> =>
  tx.rows(sql`select ${columns} from ${tables}
    where p.tester_id = ${testerId} and p.closed_at is null and p.status in ('ACTIVE', 'CHANGES_REQUESTED') order by p.campaign_id`)

/**
 * Removes a day's check-in that belongs to a voided opt-in, and so does not count: another one can take its place.
 */
export const removeVoidedCheckIn = (tx: Tx, participationId: string, day: string): Promise<Said | undefined> =>
  tx.maybe(sql`delete from check_ins k where participation_id = ${participationId} and day = ${day}
      and exists (select from opt_in_runs r where r.id = k.run_id and r.end_reason = 'VOIDED')
    returning note, minutes, features`)

/**
 * False if that day has a check-in. `replaces`: the day was counted before. The last day never moves back: another server's clock
 * may have been ahead.
 */
export const insertCheckIn = async (
  tx: Tx,
  participationId: string,
  { day, at, note, minutes, features, code }: Omit<CheckInRow, 'runId'>,
  { wakeAt, replaces }: { wakeAt: string | null; replaces: boolean },
): Promise<boolean> =>
  (await tx.run(sql`
    with checked_in as (
      insert into check_ins (participation_id, day, at, note, minutes, features, code)
        values (${participationId}, ${day}, ${at}, ${note}, ${minutes}, ${features}, ${code})
        on conflict (participation_id, day) do nothing returning day
    )
    update participations set check_in_count = check_in_count + ${replaces ? 0 : 1}, last_check_in_day = greatest(last_check_in_day, checked_in.day),
      last_seen_at = ${at}, at_risk = false, wake_at = ${wakeAt} from checked_in where id = ${participationId}`)) === 1

export const setProof = (
  tx: Tx,
  id: string,
  proof: { text: string; links: readonly string[] },
  now: string,
  wakeAt: string | null,
): Promise<number> =>
  tx.run(sql`update participations set status = 'SUBMITTED', proof_text = ${proof.text}, proof_links = ${proof.links},
    proof_submitted_at = ${now}, last_seen_at = ${now}, at_risk = false, wake_at = ${wakeAt} where id = ${id}`)

export const setChangesRequested = (
  tx: Tx,
  id: string,
  review: { note: string; reviewerId: string; now: string; wakeAt: string | null },
): Promise<number> =>
  tx.run(sql`update participations set status = 'CHANGES_REQUESTED', changes_requested = changes_requested + 1, review_note = ${review.note},
    reviewed_at = ${review.now}, reviewed_by = ${review.reviewerId}, last_seen_at = ${review.now}, proof_warned = false,
    wake_at = ${review.wakeAt} where id = ${id}`)
