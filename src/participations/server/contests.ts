/** The developer's doubt about an opt-in, and how it ends: by an admin's decision, or after `contestHours` by time. */
import { auditIfAdmin } from '../../audit/server/audit.ts'
import { clock, hoursAfter } from '../../kit/clock.ts'
import type { Page, SignedIn } from '../../kit/endpoint.ts'
import { autocommit, transact } from '../../kit/server/db.ts'
import { eachDue, type Job } from '../../kit/server/jobs.ts'
import { notify } from '../../notifications/server/notifications.ts'
import type { CampaignTester, ContestedOptIn } from '../contract.ts'
import { wakeAt } from '../deadlines.ts'
import { aliasOf } from '../rules.ts'
import { contestHours, type ContestDecision } from '../terms.ts'
import { actOnRun } from './actions.ts'
import * as contested from './contests.queries.ts'
import { optInPicturesOf, pictureSince } from './evidence.ts'
import * as runs from './optIn.queries.ts'
import * as queries from './queries.ts'

/** It touches the clock only: days, check-ins, proof and pay go on. */
export const contestOptIn = (owner: SignedIn, id: string, reason: string): Promise<CampaignTester> =>
  actOnRun(owner, id, 'contestOptIn', async (tx, row, now) => {
    await runs.contestRun(tx, id, reason, now)
    await runs.insertRunEvent(tx, row, 'OPT_IN_CONTESTED', now, reason)
    const clearsAt = hoursAfter(now, contestHours)
    await notify(tx, row.testerId, 'OPT_IN_CONTESTED', { testId: id, title: row.campaignTitle, reason, clearsAt })
  })

type Decision = { decision: ContestDecision; note: string }

export const decideOptIn = (admin: SignedIn, id: string, { decision, note }: Decision): Promise<CampaignTester> =>
  actOnRun(admin, id, 'decideOptIn', async (tx, row, now) => {
    const { campaignId, campaignTitle: title, testerId, developerId, dropHours: hours } = row
    const voided = decision === 'VOID'
    const outcome = voided ? 'VOIDED' : 'CLEARED_BY_ADMIN'
    await runs.settleContest(tx, { participationId: id, outcome, now, note, decidedBy: admin.id })
    if (voided) {
      const out = { ...row, optedInAt: null, optedOutAt: now, proofAllowedAt: null, atRisk: false, proofWarned: false }
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
      await notify(tx, testerId, 'OPT_IN_VOIDED', { testId: id, title, note, hours })
      return notify(tx, developerId, 'OPT_IN_VOIDED_OWNER', ofOwner)
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
    clearsAt: hoursAfter(row.contestedAt, contestHours),
  }))
  return { items, nextCursor: rows.length > limit ? String(rows[limit - 1]!.runId) : null }
}

/** Without a decision in time the opt-in counts again, from its first start. */
export const clearContests: Job<object> = {
  name: 'participations.clear-contests',
  cron: '* * * * *',
  expireMinutes: 120,
  retried: false,
  run: () =>
    eachDue(page => contested.contestsToClear(autocommit, hoursAfter(clock.now(), -contestHours), page), clear),
}

const clear = ({ id, participationId }: contested.DueContest): Promise<void> =>
  transact(async tx => {
    const row = await queries.lockParticipation(tx, participationId)
    const now = clock.now()
    const settled = await contested.clearByTime(tx, Number(id), now)
    // Decided meanwhile, or the run is over and nobody asks any more.
    if (settled !== 'PRESENT') return
    const { campaignId, campaignTitle: title, testerId, developerId } = row
    await runs.insertRunEvent(tx, row, 'OPT_IN_CLEARED', now)
    await notify(tx, testerId, 'OPT_IN_CLEARED', { testId: participationId, title, note: null })
    const ofOwner = { campaignId, testId: participationId, title, alias: aliasOf(row.ordinal), note: null }
    await notify(tx, developerId, 'OPT_IN_CLEARED_OWNER', ofOwner)
  })
