/** A developer contests an opt-in. The contest ends with an admin's decision, or by itself after `contestHours`. */
import { auditIfAdmin } from '../../audit/server/audit.ts'
import { clock, hoursAfter } from '../../kit/clock.ts'
import type { Page, SignedIn } from '../../kit/endpoint.ts'
import type { Hold } from '../../kit/server/batches.ts'
import { autocommit, type Tx } from '../../kit/server/db.ts'
import { deadlines } from '../../kit/server/downtimes.ts'
import { type Notice, notice, notify, notifyMany } from '../../notifications/server/notifications.ts'
import type { CampaignTester, ContestedOptIn } from '../contract.ts'
import { wakeAt } from '../deadlines.ts'
import { aliasOf } from '../rules.ts'
import { isFrozen, proofWarnedInRuns } from '../situation.ts'
import { contestHours, type ContestDecision } from '../terms.ts'
import { actOnRun } from './actions.ts'
import * as contested from './contests.queries.ts'
import { lockTests } from './due.queries.ts'
import { optInPicturesOf, pictureSince } from './evidence.ts'
import * as runs from './optIn.queries.ts'
import type * as queries from './queries.ts'

/** Affects only the fourteen-day clock: days, check-ins, proof and pay go on. */
export const contestOptIn = (
  owner: SignedIn,
  id: string,
  reason: string,
  key: string | null = null,
): Promise<CampaignTester> =>
  actOnRun({ user: owner, id, action: 'contestOptIn', key, asked: reason }, async (tx, row, now) => {
    await runs.contestRun(tx, id, reason, now)
    await runs.insertRunEvent(tx, row, 'OPT_IN_CONTESTED', now, reason)
    const clearsAt = hoursAfter(now, contestHours)
    await notify(tx, row.testerId, 'OPT_IN_CONTESTED', { testId: id, title: row.campaignTitle, reason, clearsAt })
  })

type Decision = { decision: ContestDecision; note: string }

export const decideOptIn = (
  admin: SignedIn,
  id: string,
  { decision, note }: Decision,
  key: string | null = null,
): Promise<CampaignTester> =>
  actOnRun({ user: admin, id, action: 'decideOptIn', key, asked: { decision, note } }, async (tx, row, now) => {
    const { campaignId, campaignTitle: title, testerId, developerId, dropHours: hours } = row
    const voided = decision === 'VOID'
    const outcome = voided ? 'VOIDED' : 'CLEARED_BY_ADMIN'
    await runs.settleContest(tx, { participationId: id, outcome, now, note, decidedBy: admin.id })
    if (voided) {
      const out = {
        ...row,
        optedInAt: null,
        optedOutAt: now,
        proofAllowedAt: null,
        atRisk: false,
        proofWarned: proofWarnedInRuns(row),
      }
      await runs.endRun(tx, { participationId: id, now, reason: 'VOIDED', wakeAt: wakeAt(out) })
    }
    await runs.insertRunEvent(tx, row, voided ? 'OPT_IN_VOIDED' : 'OPT_IN_CLEARED', now, note)
    await auditIfAdmin(tx, admin, {
      action: 'participation.decide-opt-in',
      subjectType: 'participation',
      subjectId: id,
      facts: { decision, note },
    })
    const ofOwner = { campaignId, testId: id, title, alias: aliasOf(row.ordinal), note }
    if (voided) {
      const frozen = isFrozen(row)
      const gone = row.cannotSignIn
      // Nobody is told on a deleted account, so here it can only be suspended.
      await notify(tx, testerId, 'OPT_IN_VOIDED', { testId: id, title, note, hours, frozen, suspended: gone })
      return notify(tx, developerId, 'OPT_IN_VOIDED_OWNER', { ...ofOwner, frozen, gone })
    }
    await notify(tx, testerId, 'OPT_IN_CLEARED', { testId: id, title, note })
    return notify(tx, developerId, 'OPT_IN_CLEARED_OWNER', ofOwner)
  })

type ListQuery = { limit: number; cursor?: string | undefined }

export const contestedOptIns = async ({ limit, cursor }: ListQuery): Promise<Page<ContestedOptIn>> => {
  const rows = await contested.openContests(autocommit, limit + 1, cursor ?? null)
  const shown = rows.slice(0, limit)
  const items = shown.map(({ campaignId, campaignTitle, ordinal, runBeforeEndedAt, attached, ...row }) => ({
    ...row,
    screenshot: pictureSince(optInPicturesOf({ attached }), runBeforeEndedAt),
    alias: aliasOf(ordinal),
    campaign: { id: campaignId, title: campaignTitle },
  }))
  return { items, nextCursor: rows.length > limit ? String(rows[limit - 1]!.runId) : null }
}

/** Without a decision in time the opt-in counts again, from when it first started. */
export const clearContests = deadlines('participations.clear-contests', () => {
  const now = clock.now()
  return { load: page => contested.contestsToClear(autocommit, now, page), run: clear }
})

const clear = async (tx: Tx, due: readonly contested.DueContest[], hold: Hold): Promise<string[]> => {
  const tests = due.map(({ participationId }) => participationId)
  const rows = await lockTests(tx, tests, hold)
  const now = clock.now()
  const locked = new Set(rows.map(({ id }) => id))
  const runIds = due.map(({ id }) => id)
  const counts = new Set(await contested.clearByTime(tx, runIds, [...locked], now))
  const cleared = rows.filter(({ id }) => counts.has(id))
  await runs.insertRunEvents(tx, cleared, 'OPT_IN_CLEARED', now)
  await notifyMany(tx, cleared.flatMap(ofCleared))
  return due.filter(({ participationId }) => locked.has(participationId)).map(({ id }) => id)
}

const ofCleared = (row: queries.ParticipationRow): Notice[] => {
  const { id: testId, campaignId, campaignTitle: title, testerId, developerId } = row
  const facts = { testId, title, note: null }
  return [
    notice(testerId, 'OPT_IN_CLEARED', facts),
    notice(developerId, 'OPT_IN_CLEARED_OWNER', { ...facts, campaignId, alias: aliasOf(row.ordinal) }),
  ]
}
