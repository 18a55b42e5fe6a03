/** SQL of appeals against rejections. */
import type { Sql } from 'sql-template-tag'
import { empty, sql, type Tx } from '../../kit/server/db.ts'
import { rowLimit } from '../../kit/server/rowLimits.ts'
import { instantText } from '../../kit/server/json.ts'
import type { RejectionCode } from '../contract.ts'
import { nextLook } from '../goodwill.ts'
import { type AppealOutcome, goodwillDays, type GoodwillHold } from '../terms.ts'

export type AppealRow = {
  at: string
  reason: string
  outcome: AppealOutcome | null
  decidedAt: string | null
  note: string | null
  heldFor: GoodwillHold | null
}

/**
 * What holds the payment back: as found when it was due, or, before that, a month's limit that the pay alone is above. Like
 * `holdAhead` of goodwill.ts.
 */
const heldFor = sql`coalesce(a.held_for, (select case when a.outcome is not null then null
    when c.pay_per_tester_cents > goodwill_per_developer_cents then 'DEVELOPER_LIMIT'
    when c.pay_per_tester_cents > goodwill_in_all_cents then 'TOTAL_LIMIT' end from settings))`

/** The appeal of a test of campaign `c`; null without one. */
export const appealOf = (
  participationId: Sql,
): Sql => sql`(select json_build_object('at', ${instantText(sql`a.appealed_at`)},
    'reason', a.reason, 'outcome', a.outcome, 'decidedAt', ${instantText(sql`a.decided_at`)}, 'note', a.note, 'heldFor', ${heldFor})
  from appeals a where a.participation_id = ${participationId})`

/** For a test that the caller has locked. */
export const insertAppeal = async (tx: Tx, participationId: string, reason: string, now: string): Promise<void> => {
  await tx.run(sql`insert into appeals (participation_id, appealed_at, reason, wake_at, rejected_by)
    select id, ${now}, ${reason}, ${nextLook(now, now)}, reviewed_by from participations where id = ${participationId}`)
  await tx.run(sql`update participations set status = 'APPEALED', wake_at = null where id = ${participationId}`)
}

export type WaitingAppeal = {
  id: string
  seq: number
  ordinal: number
  campaignId: string
  campaignTitle: string
  developerName: string
  testerName: string
  appealedAt: string
  code: RejectionCode
  payCents: number
  heldFor: GoodwillHold | null
  /** When the platform pays if nobody has decided. */
  paysAt: string
}

/** Undecided appeals, oldest first. The cursor is a position in the queue, which stays valid after its appeal is decided. */
export const waitingAppeals = (tx: Tx, limit: number, cursor: string | undefined): Promise<WaitingAppeal[]> =>
  tx.rows(sql`
    select p.id, a.seq, p.ordinal, c.id as "campaignId", c.title as "campaignTitle", d.name as "developerName",
      u.name as "testerName", a.appealed_at as "appealedAt", p.rejection_code as code, c.pay_per_tester_cents as "payCents",
      ${heldFor} as "heldFor", after_downtimes(a.appealed_at, ${24 * goodwillDays}) as "paysAt"
    from appeals a join participations p on p.id = a.participation_id join campaigns c on c.id = p.campaign_id
      join users d on d.id = c.developer_id join users u on u.id = p.tester_id
    where a.outcome is null ${cursor ? sql`and a.seq > ${cursor}` : empty}
    order by a.seq limit ${rowLimit(limit)}`)

export type Sides = {
  developerId: string
  developerName: string
  testerId: string
  testerName: string
  description: string
  heldFor: GoodwillHold | null
}

/** Both sides, and what testers were asked to do. NOT_FOUND unless there is an appeal. */
export const sidesOf = (tx: Tx, participationId: string): Promise<Sides> =>
  tx.one(
    sql`select d.id as "developerId", d.name as "developerName", u.id as "testerId", u.name as "testerName", c.description,
        ${heldFor} as "heldFor"
      from appeals a join participations p on p.id = a.participation_id join campaigns c on c.id = p.campaign_id
        join users d on d.id = c.developer_id join users u on u.id = p.tester_id
      where a.participation_id = ${participationId}`,
    'Appeal',
  )
