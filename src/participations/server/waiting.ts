/** Testers whom the developer has not put on the tester list yet: who is told of them, and when. */
import { clock, hoursAfter } from '../../kit/clock.ts'
import type { Tx } from '../../kit/server/db.ts'
import { notify } from '../../notifications/server/notifications.ts'
import { mayLeavePaidAt, onWake, waitingEndsAt, waitingPay, wakeAt } from '../deadlines.ts'
import { aliasOf } from '../rules.ts'
import * as queries from './queries.ts'

/** Whoever becomes due so soon is told of in the same message: the seats of a campaign fill within hours. */
const togetherHours = 12

/** One message to the developer about all who are due, and one to each tester who may leave with pay. */
export const tellOfWaiting = async (
  tx: Tx,
  { campaignId, campaignTitle: title, developerId }: queries.ParticipationRow,
) => {
  const soon = hoursAfter(clock.now(), togetherHours)
  const waiting = await queries.lockWaiting(tx, campaignId)
  const due = waiting.flatMap(row => {
    const waking = onWake(row, soon)
    return waking.does === 'TELL_OF_WAITING' ? [{ row, ...waking }] : []
  })
  const ofOwner = due.filter(({ to }) => to.includes('OWNER')).map(({ row }) => row)
  for (const { row, to, sent } of due) {
    await queries.setWaitNotices(tx, row.id, sent, wakeAt({ ...row, waitNoticesSent: sent }))
    if (!to.includes('TESTER')) continue
    const facts = { testId: row.id, title, amountCents: waitingPay(row), endsAt: waitingEndsAt(row) }
    await notify(tx, row.testerId, 'WAITING_MAY_LEAVE', facts)
  }
  const [first] = ofOwner
  if (!first) return
  const aliases = ofOwner.map(({ ordinal }) => aliasOf(ordinal))
  const facts = { campaignId, title, aliases, since: first.joinedAt, mayLeaveAt: mayLeavePaidAt(first) }
  await notify(tx, developerId, 'TESTERS_WAIT_FOR_LIST', facts)
}
