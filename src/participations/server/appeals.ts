/** Appeals against rejections: the tester appeals once and in time, admins have a queue and decide (decision 039). */
import { assertActive } from '../../accounts/server/accounts.ts'
import { hangOn } from '../../attachments/server/attachments.ts'
import { auditIfAdmin } from '../../audit/server/audit.ts'
import type { Page, SignedIn } from '../../kit/endpoint.ts'
import { autocommit, type Tx } from '../../kit/server/db.ts'
import { outcomeOf } from '../../kit/server/transaction.ts'
import * as ledger from '../../ledger/server/ledger.ts'
import { notice, notify, notifyMany } from '../../notifications/server/notifications.ts'
import type { AppealCase, CampaignTester, NewAppeal, WaitingAppeal } from '../contract.ts'
import { aliasOf } from '../rules.ts'
import type { AppealDecision } from '../terms.ts'
import { act, actWithMoney } from './actions.ts'
import * as appeals from './appeals.queries.ts'
import { get } from './participations.ts'
import * as queries from './queries.ts'
import { isRejectedByAdmin, seatOf } from './seatFacts.ts'

/**
 * Locks the tester first: an appeal keeps an account from being deleted and a rejected test does not, so an appeal and a deletion
 * must not overtake each other.
 */
const lockWithTester = async (tx: Tx, tester: SignedIn, id: string): Promise<queries.ParticipationRow> => {
  const [active, row] = await Promise.allSettled([
    assertActive(tx, tester.id),
    queries.lockParticipationFor(tx, tester, id),
  ])
  outcomeOf(active)
  return outcomeOf(row)
}

export const appeal = (
  tester: SignedIn,
  id: string,
  { reason, attachmentIds }: NewAppeal,
  key: string | null = null,
): Promise<CampaignTester> =>
  act(
    { user: tester, id, action: 'appeal', key, asked: { reason, attachmentIds } },
    async (tx, row, now) => {
      await appeals.insertAppeal(tx, id, reason, now)
      for (const attachmentId of attachmentIds)
        await hangOn(tx, tester.id, attachmentId, { participationId: id, kind: 'APPEAL' })
      const { campaignId, campaignTitle: title, developerId } = row
      await notify(tx, developerId, 'APPEAL_OWNER', {
        campaignId,
        testId: id,
        title,
        alias: aliasOf(row.ordinal),
        reason,
        byAdmin: isRejectedByAdmin(row),
      })
    },
    lockWithTester,
  )

type Query = { limit: number; cursor?: string | undefined }

export const waiting = async ({ limit, cursor }: Query): Promise<Page<WaitingAppeal>> => {
  const rows = await appeals.waitingAppeals(autocommit, limit + 1, cursor)
  const items = rows.slice(0, limit).map(({ campaignId, campaignTitle, ordinal, ...row }) => ({
    ...row,
    alias: aliasOf(ordinal),
    campaign: { id: campaignId, title: campaignTitle },
  }))
  return { items, nextCursor: rows.length > limit ? String(rows[limit - 1]!.seq) : null }
}

/** Everything that both sides have said, also after the decision. */
export const caseOf = async (admin: SignedIn, id: string): Promise<AppealCase> => {
  const [{ developerId, developerName, testerId, testerName, description, heldFor }, test] = await Promise.all([
    appeals.sidesOf(autocommit, id),
    get(admin, id),
  ])
  return {
    test,
    description,
    heldFor,
    developer: { id: developerId, name: developerName },
    tester: { id: testerId, name: testerName },
  }
}

type Decision = { decision: AppealDecision; note: string }

/** VERIFY pays the tester. UPHOLD frees the seat, or refunds its money if the campaign has ended. */
export const decide = (
  admin: SignedIn,
  id: string,
  { decision, note }: Decision,
  key: string | null = null,
): Promise<CampaignTester> =>
  actWithMoney({
    user: admin,
    id,
    action: 'decideAppeal',
    key,
    asked: { decision, note },
    before: async (tx, row) => {
      await auditIfAdmin(tx, admin, {
        action: 'participation.decide-appeal',
        subjectType: 'participation',
        subjectId: id,
        facts: { decision, note },
      })
      await tellOf(tx, row, { decision, note })
    },
    move: tx =>
      ledger.decideAppeal(tx, {
        participationId: id,
        outcome: decision === 'VERIFY' ? 'VERIFIED' : 'UPHELD',
        note,
        adminId: admin.id,
      }),
  })

const tellOf = (tx: Tx, row: queries.ParticipationRow, { decision, note }: Decision) => {
  const { id: testId, campaignId, campaignTitle: title, testerId, developerId } = row
  const toOwner = { campaignId, testId, title, alias: aliasOf(row.ordinal), note, byAdmin: isRejectedByAdmin(row) }
  if (decision === 'VERIFY') {
    const amountCents = row.payPerTesterCents
    return notifyMany(tx, [
      notice(testerId, 'APPEAL_GRANTED', { testId, title, note, amountCents }),
      notice(developerId, 'APPEAL_GRANTED_OWNER', { ...toOwner, amountCents }),
    ])
  }
  return notifyMany(tx, [
    notice(testerId, 'APPEAL_UPHELD', { testId, title, note }),
    notice(developerId, 'APPEAL_UPHELD_OWNER', { ...toOwner, ...seatOf(row) }),
  ])
}
