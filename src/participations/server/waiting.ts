/** Testers whom the developer has not put on the tester list yet: who is told about them, and when. */
import { clock, hoursAfter, type Instant } from '../../kit/clock.ts'
import type { Tx } from '../../kit/server/db.ts'
import { type Notice, notice, notifyMany } from '../../notifications/server/notifications.ts'
import {
  mayLeavePaidAt,
  onWake,
  waitingEndsAt,
  waitingPay,
  waitingSince,
  waitNoticesInAll,
  wakeAt,
} from '../deadlines.ts'
import { aliasOf } from '../rules.ts'
import { waitsForList } from '../situation.ts'
import { lockWaiting, setAwaited } from './due.queries.ts'
import type { ParticipationRow } from './queries.ts'

/** Testers who become due this soon are included in the same message, since the seats of a campaign fill within hours. */
const togetherHours = 12

/** Testers are not told early: a tester who leaves before the time is not paid. */
const wakingOf = (row: ParticipationRow, now: Instant) => {
  const together = onWake(row, hoursAfter(now, togetherHours))
  return together.does === 'TELL_OF_WAITING' && together.to.includes('TESTER') ? onWake(row, now) : together
}

/**
 * For campaigns that the caller has locked: one message to each developer about all testers who are due, and one to each tester
 * who may leave with pay.
 */
export const tellOfWaiting = async (tx: Tx, campaignIds: readonly string[]): Promise<Notice[]> => {
  if (campaignIds.length === 0) return []
  const now = clock.now()
  const due = (await lockWaiting(tx, [...new Set(campaignIds)])).flatMap(row => {
    const waking = wakingOf(row, now)
    return waking.does === 'TELL_OF_WAITING' ? [{ row, to: waking.to, waitNoticesSent: waking.sent }] : []
  })
  const told = due.map(({ row, waitNoticesSent }) => ({ ...row, waitNoticesSent }))
  await setAwaited(
    tx,
    told.map(row => ({ ...row, wakeAt: wakeAt(row) })),
  )
  const rowsTo = (who: 'OWNER' | 'TESTER') => due.filter(({ to }) => to.includes(who)).map(({ row }) => row)
  const ofOwners = Map.groupBy(rowsTo('OWNER'), ({ campaignId }) => campaignId)
  return [...rowsTo('TESTER').map(ofTester), ...[...ofOwners.values()].flatMap(noticeToOwner)]
}

const ofTester = (row: ParticipationRow): Notice => {
  const facts = { testId: row.id, title: row.campaignTitle, amountCents: waitingPay(row), endsAt: waitingEndsAt(row) }
  return notice(row.testerId, 'WAITING_MAY_LEAVE', facts)
}

const aliasesOf = (rows: readonly ParticipationRow[]) => rows.map(({ ordinal }) => aliasOf(ordinal))

/** All testers of one campaign, in the order they joined. The time is that of the tester who has waited longest. */
export const noticeToOwner = (rows: readonly ParticipationRow[]): Notice[] => {
  const [first] = rows.toSorted((a, b) => (waitingSince(a) < waitingSince(b) ? -1 : 1))
  if (!first) return []
  const { campaignId, campaignTitle: title, developerId } = first
  const facts = {
    campaignId,
    title,
    aliases: aliasesOf(rows),
    keptOut: aliasesOf(rows.filter(({ noAccessReports }) => noAccessReports > 0)),
    inGroup: first.accessMode === 'GOOGLE_GROUP',
    since: waitingSince(first),
    mayLeaveAt: mayLeavePaidAt(first),
  }
  return [notice(developerId, 'TESTERS_WAIT_FOR_LIST', facts)]
}

/**
 * Once an NDA no longer keeps them off the list: if the last notice had gone to the testers already, the developer would hear
 * nothing more.
 */
export const tellOfOpened = async (tx: Tx, campaignId: string): Promise<void> => {
  const waiting = (await lockWaiting(tx, [campaignId])).filter(
    row => waitsForList(row) && row.waitNoticesSent >= waitNoticesInAll,
  )
  await notifyMany(tx, noticeToOwner(waiting))
}
