/**
 * A tester whom the developer has confirmed as listed reports that Google Play does not let them in (decision 070). The wait for
 * the list begins again, and the developer has to check the list and confirm it once more.
 */
import { adminIds } from '../../accounts/server/accounts.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { notice, notifyMany } from '../../notifications/server/notifications.ts'
import { accessWords } from '../accessWords.ts'
import type { CampaignTester } from '../contract.ts'
import { mayLeavePaidAt, wakeAt } from '../deadlines.ts'
import { aliasOf } from '../rules.ts'
import type { Situation } from '../situation.ts'
import { type AccessProblem, mostNoAccessReports } from '../terms.ts'
import { actOnRun } from './actions.ts'
import { insertRunEvent } from './optIn.queries.ts'
import { setNoAccess } from './listing.queries.ts'

/** Locks the campaign, so that a confirmation of the list comes either before it or after it. */
export const reportNoAccess = (
  tester: SignedIn,
  id: string,
  problem: AccessProblem,
  key: string | null = null,
): Promise<CampaignTester> =>
  actOnRun({ user: tester, id, action: 'reportNoAccess', key, asked: problem }, async (tx, row, now) => {
    const { campaignId, campaignTitle: title, developerId, accessMode } = row
    const reports = row.noAccessReports + 1
    const waiting: Situation = {
      ...row,
      listedAt: null,
      noAccessAt: now,
      noAccessReports: reports,
      waitNoticesSent: 0,
      atRisk: false,
      proofWarned: false,
    }
    await setNoAccess(tx, { participationId: id, now, problem, wakeAt: wakeAt(waiting) })
    const { choice, says, check } = accessWords[problem]
    await insertRunEvent(tx, row, 'TESTER_NOT_LET_IN', now, choice)
    const facts = { campaignId, testId: id, title, alias: aliasOf(row.ordinal), says }
    const inGroup = accessMode === 'GOOGLE_GROUP'
    const ofOwner = { ...facts, inGroup, check: check(accessMode), mayLeaveAt: mayLeavePaidAt(waiting) }
    const admins = reports < mostNoAccessReports ? [] : await adminIds(tx)
    await notifyMany(tx, [
      notice(developerId, 'TESTER_NOT_LET_IN_OWNER', ofOwner),
      ...admins.map(admin => notice(admin, 'TESTER_NOT_LET_IN_ADMIN', facts)),
    ])
  })
