/**
 * Appeals that nobody has decided: admins are alerted on days 3 and 6, and after 7 days the platform pays the tester. If
 * something holds the payment back, the tester, the developer and the admins are told (decision 039).
 */
import { adminIds } from '../../accounts/server/accounts.ts'
import { clock } from '../../kit/clock.ts'
import type { Due, Hold } from '../../kit/server/batches.ts'
import { autocommit, type Tx } from '../../kit/server/db.ts'
import { deadlines } from '../../kit/server/downtimes.ts'
import * as ledger from '../../ledger/server/ledger.ts'
import { type Notice, notice, notifyMany } from '../../notifications/server/notifications.ts'
import { currentSettings } from '../../settings/server/settings.ts'
import { alertsDue, goodwillAt, holdAhead, holdOf, type Limits, nextLook, publicHoldOf } from '../goodwill.ts'
import { aliasOf } from '../rules.ts'
import { alertDays, type GoodwillHold } from '../terms.ts'
import { lockTests } from './due.queries.ts'
import * as goodwill from './goodwill.queries.ts'
import type { ParticipationRow } from './queries.ts'
import { isRejectedByAdmin, surplusOf } from './seatFacts.ts'

/** Those of these people who are named by an open fraud report of severity HIGH or above. A later slice provides it. */
type Reported = (tx: Tx, userIds: readonly string[]) => Promise<ReadonlySet<string>>
let reportedOf: Reported = async () => new Set()
export const useReported = (given: Reported): void => {
  reportedOf = given
}

export const lookAtAppeals = deadlines('participations.appeals', () => {
  const now = clock.now()
  return { load: page => goodwill.dueAppeals(autocommit, now, page), run: look, atOnce: 50 }
})

type Appealed = { row: ParticipationRow; appeal: goodwill.DueAppeal }

/** Runs on one server at a time, so that two cannot spend the same budget; then takes the locks that a decision takes as well. */
const look = async (tx: Tx, due: readonly Due[], hold: Hold): Promise<string[]> => {
  await goodwill.holdGoodwill(tx)
  const now = clock.now()
  const rows = await lockTests(
    tx,
    due.map(({ id }) => id),
    hold,
  )
  const byId = new Map(rows.map(row => [row.id, row]))
  const appeals = await goodwill.appealsDue(tx, [...byId.keys()], now)
  const all = appeals.map(appeal => ({ appeal, row: byId.get(appeal.id)! }))
  const isLate = ({ appeal }: Appealed) => now >= goodwillAt(appeal.appealedAt, appeal.downtimes)
  if (all.length === 0) return rows.map(({ id }) => id)
  const [admins, limits] = await Promise.all([adminIds(tx), currentSettings(tx)])
  const paying = await judged(tx, all.filter(isLate), limits, now)
  const early = all.filter(one => !isLate(one))
  await goodwill.setLooked(tx, [
    ...early.map(({ appeal }) => ({
      id: appeal.id,
      heldFor: null,
      alertsSent: alertsDue(appeal.appealedAt, now, appeal.downtimes),
      wakeAt: nextLook(appeal.appealedAt, now, appeal.downtimes),
    })),
    ...paying.flatMap(({ appeal, holds }) =>
      holds === null
        ? []
        : [
            {
              id: appeal.id,
              heldFor: holds,
              alertsSent: appeal.alertsSent,
              wakeAt: nextLook(appeal.appealedAt, now, appeal.downtimes),
            },
          ],
    ),
  ])
  await notifyMany(tx, [
    ...early.flatMap(one => alertsOf(one, admins, limits, now)),
    ...paying.flatMap(({ holds, ...one }) => (holds === null ? ofPaid(one) : ofHeld(one, holds, admins))),
  ])
  for (const { appeal, holds } of paying) {
    const outcome = holds === null ? await ledger.payGoodwill(tx, appeal.id) : 'OK'
    if (outcome !== 'OK') throw new Error(`the goodwill of ${appeal.id} was refused with ${outcome} although due`)
  }
  return rows.map(({ id }) => id)
}

/** Decides which are paid now; each counts what those before it take from the month's budgets. */
const judged = async (tx: Tx, late: readonly Appealed[], limits: Limits, now: string) => {
  if (late.length === 0) return []
  const month = `${now.slice(0, 7)}-01T00:00:00.000Z`
  const [paid, earned, reported] = await Promise.all([
    goodwill.paidSince(tx, month),
    ledger.platformRevenue(tx),
    reportedOf(tx, [...new Set(late.flatMap(({ row }) => [row.testerId, row.developerId]))]),
  ])
  const spent = new Map(paid.map(({ developerId, cents }) => [developerId, cents]))
  const result: (Appealed & { holds: GoodwillHold | null })[] = []
  let revenueCents = earned
  for (const { row, appeal } of late) {
    const { developerId, testerId, payPerTesterCents: payCents } = row
    const paidForDeveloperCents = spent.get(developerId) ?? 0
    const holds = holdOf(
      {
        payCents,
        reported: reported.has(testerId) || reported.has(developerId),
        testerSuspended: appeal.testerSuspended,
        paidForDeveloperCents,
        paidInAllCents: spent.values().reduce((sum, cents) => sum + cents, 0),
        revenueCents,
      },
      limits,
    )
    if (holds === null) {
      spent.set(developerId, paidForDeveloperCents + payCents)
      revenueCents -= payCents
    }
    result.push({ row, appeal, holds })
  }
  return result
}

const factsOf = ({ row }: Appealed) => ({
  testId: row.id,
  title: row.campaignTitle,
  alias: aliasOf(row.ordinal),
  amountCents: row.payPerTesterCents,
})

/** One alert for each of the days; if several were missed, only the last one. */
const alertsOf = (one: Appealed, admins: readonly string[], limits: Limits, now: string): Notice[] => {
  const { appealedAt, alertsSent, downtimes } = one.appeal
  const due = alertsDue(appealedAt, now, downtimes)
  if (due <= alertsSent) return []
  const [days, paysAt] = [alertDays[due - 1]!, goodwillAt(appealedAt, downtimes)]
  const facts = { ...factsOf(one), days, paysAt, holds: holdAhead(one.row.payPerTesterCents, limits) }
  return admins.map(id => notice(id, 'APPEAL_WAITS', facts))
}

const ofPaid = (one: Appealed): Notice[] => {
  const { testerId, developerId, campaignId } = one.row
  const { alias, ...facts } = factsOf(one)
  const ofOwner = { campaignId, alias, surplus: surplusOf(one.row), byAdmin: isRejectedByAdmin(one.row) }
  return [
    notice(testerId, 'GOODWILL_PAID', facts),
    notice(developerId, 'GOODWILL_PAID_OWNER', { ...facts, ...ofOwner }),
  ]
}

/** Only when the reason for waiting changes, not each time the appeal is looked at. */
const ofHeld = (one: Appealed, holds: GoodwillHold, admins: readonly string[]): Notice[] => {
  const { row, appeal } = one
  if (appeal.heldFor === holds) return []
  const { alias, ...facts } = factsOf(one)
  const ofAdmins = admins.map(id => notice(id, 'GOODWILL_HELD_ADMIN', { ...facts, alias, holds }))
  const hold = publicHoldOf(holds)
  if (hold === null || publicHoldOf(appeal.heldFor) === hold) return ofAdmins
  return [
    ...ofAdmins,
    notice(row.testerId, 'GOODWILL_HELD', { ...facts, hold }),
    notice(row.developerId, 'GOODWILL_HELD_OWNER', {
      ...facts,
      alias,
      campaignId: row.campaignId,
      hold,
      surplus: surplusOf(row),
    }),
  ]
}
