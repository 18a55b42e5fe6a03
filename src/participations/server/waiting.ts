/** Testers whom the developer has not put on the tester list yet: who is told of them, and when. */
import { clock, hoursAfter } from '../../kit/clock.ts'
import type { Tx } from '../../kit/server/db.ts'
import { type Notice, notice } from '../../notifications/server/notifications.ts'
import { doorIsClosed } from '../../nda/rules.ts'
import { mayLeavePaidAt, onWake, waitingEndsAt, waitingPay, waitingSince, wakeAt } from '../deadlines.ts'
import { aliasOf } from '../rules.ts'
import { lockWaiting, setAwaited } from './due.queries.ts'
import type { ParticipationRow } from './queries.ts'

/** Whoever becomes due so soon is told of in the same message: the seats of a campaign fill within hours. */
const togetherHours = 12

/** Of campaigns that the caller holds: one message to each developer about all who are due, and one to each tester who may leave with pay. */
export const tellOfWaiting = async (tx: Tx, campaignIds: readonly string[]): Promise<Notice[]> => {
  if (campaignIds.length === 0) return []
  const soon = hoursAfter(clock.now(), togetherHours)
  const due = (await lockWaiting(tx, [...new Set(campaignIds)])).flatMap(row => {
    const waking = onWake(row, soon)
    return waking.does === 'TELL_OF_WAITING' ? [{ row, to: waking.to, waitNoticesSent: waking.sent }] : []
  })
  const told = due.map(({ row, waitNoticesSent }) => ({ ...row, waitNoticesSent }))
  await setAwaited(
    tx,
    told.map(row => ({ ...row, wakeAt: wakeAt(row) })),
  )
  const rowsTo = (who: 'OWNER' | 'TESTER') => due.filter(({ to }) => to.includes(who)).map(({ row }) => row)
  // The list takes nobody who has not accepted the NDA: the owner could do nothing about them.
  const addable = rowsTo('OWNER').filter(row => !doorIsClosed(row))
  const ofOwners = Map.groupBy(addable, ({ campaignId }) => campaignId)
  return [...rowsTo('TESTER').map(ofTester), ...[...ofOwners.values()].flatMap(ofOwner)]
}

const ofTester = (row: ParticipationRow): Notice => {
  const facts = { testId: row.id, title: row.campaignTitle, amountCents: waitingPay(row), endsAt: waitingEndsAt(row) }
  return notice(row.testerId, 'WAITING_MAY_LEAVE', facts)
}

/** All of one campaign, in the order they joined. */
const ofOwner = (rows: readonly ParticipationRow[]): Notice[] => {
  const [first] = rows
  if (!first) return []
  const { campaignId, campaignTitle: title, developerId } = first
  const aliases = rows.map(({ ordinal }) => aliasOf(ordinal))
  const facts = { campaignId, title, aliases, since: waitingSince(first), mayLeaveAt: mayLeavePaidAt(first) }
  return [notice(developerId, 'TESTERS_WAIT_FOR_LIST', facts)]
}
