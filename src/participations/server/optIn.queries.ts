/** SQL of runs: the unbroken periods during which a tester is opted in. */
import type { Sql } from 'sql-template-tag'
import { sql, type Tx } from '../../kit/server/db.ts'
import { instantText } from '../../kit/server/json.ts'

export type RunRow = {
  id: number
  startedAt: string
  confirmedAt: string
  endedAt: string | null
  /** An admin decided that the opt-in never happened. */
  voided: boolean
  contestedAt: string | null
  contestReason: string | null
  contestEndedAt: string | null
  contestNote: string | null
}

/** The runs of a test, oldest first. */
export const runsOf = (participationId: Sql): Sql => sql`(select coalesce(json_agg(json_build_object('id', r.id,
    'startedAt', ${instantText(sql`r.started_at`)}, 'confirmedAt', ${instantText(sql`r.confirmed_at`)},
    'endedAt', ${instantText(sql`r.ended_at`)}, 'voided', coalesce(r.end_reason = 'VOIDED', false), 'contestedAt', ${instantText(sql`r.contested_at`)},
    'contestReason', r.contest_reason, 'contestEndedAt', ${instantText(sql`r.contest_ended_at`)},
    'contestNote', r.contest_note) order by r.id), '[]')
  from opt_in_runs r where r.participation_id = ${participationId})`

export const setLinkOpened = (tx: Tx, id: string, now: string): Promise<number> =>
  tx.run(sql`update participations set link_opened_at = ${now} where id = ${id} and link_opened_at is null`)

/** Like proofWarnedInRuns. */
const warnedInRuns = sql`proof_warned and status = 'CHANGES_REQUESTED'`

/**
 * A tester who had reported that Google Play does not let them in is in now, so the list was right. A tester who has submitted a
 * proof has done the days: a later run changes neither the earliest time for the proof nor the campaign's end.
 */
export const startRun = async (
  tx: Tx,
  run: { participationId: string; campaignId: string; now: string; proofAllowedAt: string; wakeAt: string | null },
): Promise<void> => {
  await tx.run(sql`insert into opt_in_runs (participation_id, campaign_id, started_at, confirmed_at)
    values (${run.participationId}, ${run.campaignId}, ${run.now}, ${run.now})`)
  await tx.run(sql`update participations set opted_in_at = ${run.now},
    listed_at = case when no_access_at is null then listed_at else coalesce(listed_at, ${run.now}) end,
    proof_allowed_at = case when status = 'ACTIVE' then ${run.proofAllowedAt}::timestamptz else proof_allowed_at end,
    at_risk = false, proof_warned = ${warnedInRuns}, wake_at = ${run.wakeAt} where id = ${run.participationId}`)
  // Never moves it back.
  await tx.run(sql`update campaigns set end_date = greatest(end_date, ${run.proofAllowedAt}::timestamptz)
    where id = ${run.campaignId} and status in ('LIVE', 'PAUSED')
      and exists (select from participations where id = ${run.participationId} and status = 'ACTIVE')`)
}

export const confirmRun = (tx: Tx, participationId: string, now: string): Promise<number> =>
  tx.run(sql`update opt_in_runs set confirmed_at = ${now}
    where participation_id = ${participationId} and ended_at is null`)

type Ending = { participationId: string; now: string; reason: 'OPTED_OUT' | 'VOIDED'; wakeAt: string | null }

/** The tester may opt in again, and the days of an open test then start over. */
export const endRun = async (tx: Tx, { participationId, now, reason, wakeAt }: Ending): Promise<void> => {
  await tx.run(sql`update opt_in_runs set ended_at = greatest(${now}, started_at), end_reason = ${reason}
    where participation_id = ${participationId} and ended_at is null`)
  await tx.run(sql`update participations set opted_in_at = null, opted_out_at = ${now},
    proof_allowed_at = case when status <> 'ACTIVE' then proof_allowed_at end,
    opt_outs = opt_outs + ${reason === 'OPTED_OUT' ? 1 : 0}, at_risk = false, proof_warned = ${warnedInRuns}, wake_at = ${wakeAt}
    where id = ${participationId}`)
}

export const contestRun = (tx: Tx, participationId: string, reason: string, now: string): Promise<number> =>
  tx.run(sql`update opt_in_runs set contested_at = ${now}, contest_reason = ${reason}
    where participation_id = ${participationId} and ended_at is null`)

type ContestOutcome = 'CLEARED_BY_EVIDENCE' | 'CLEARED_BY_ADMIN' | 'CLEARED_BY_TIME' | 'VOIDED'

type Settled = {
  participationId: string
  outcome: ContestOutcome
  now: string
  note?: string | null
  decidedBy?: string | null
}

/** False if the present run has no open contest. */
export const settleContest = async (
  tx: Tx,
  { participationId, outcome, now, note = null, decidedBy = null }: Settled,
): Promise<boolean> => {
  const settled = await tx.run(sql`update opt_in_runs set contest_ended_at = ${now}, contest_outcome = ${outcome},
      contest_note = ${note}, contest_decided_by = ${decidedBy}
    where participation_id = ${participationId} and ended_at is null
      and contested_at is not null and contest_ended_at is null`)
  return settled === 1
}

type RunEvent =
  | 'TESTER_NOT_LET_IN'
  | 'TESTER_OPTED_IN'
  | 'TESTER_OPTED_OUT'
  | 'OPT_IN_CONTESTED'
  | 'OPT_IN_CLEARED'
  | 'OPT_IN_VOIDED'
type OfRun = { id: string; campaignId: string; ordinal: number }

export const insertRunEvents = (
  tx: Tx,
  tests: readonly OfRun[],
  kind: RunEvent,
  now: string,
  reason: string | null = null,
): Promise<number> =>
  tx.run(sql`insert into campaign_events (campaign_id, participation_id, at, kind, facts)
    select campaign_id, id, ${now}, ${kind},
      jsonb_strip_nulls(jsonb_build_object('ordinal', ordinal, 'reason', ${reason}::text))
    from unnest(${tests.map(({ campaignId }) => campaignId)}::uuid[], ${tests.map(({ id }) => id)}::uuid[],
      ${tests.map(({ ordinal }) => ordinal)}::int[]) as test (campaign_id, id, ordinal)`)

export const insertRunEvent = (
  tx: Tx,
  test: OfRun,
  kind: RunEvent,
  now: string,
  reason: string | null = null,
): Promise<number> => insertRunEvents(tx, [test], kind, now, reason)

export const setNudged = (tx: Tx, id: string, now: string): Promise<number> =>
  tx.run(sql`update participations set nudged_at = ${now} where id = ${id}`)

/** Counts the pictures of its opt-ins, in all of its runs. */
export const countPictures = (tx: Tx, participationId: string): Promise<number> =>
  tx.value(sql`select count(*)::int from attachments where participation_id = ${participationId} and kind = 'OPT_IN'`)
