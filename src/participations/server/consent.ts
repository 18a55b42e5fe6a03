/**
 * A developer whose rejections were overturned too often needs an admin's consent to reject. The time for the review goes on
 * meanwhile: without consent in time, the proof is verified.
 */
import { adminIds } from '../../accounts/server/accounts.ts'
import { auditIfAdmin } from '../../audit/server/audit.ts'
import type { Page, SignedIn } from '../../kit/endpoint.ts'
import { autocommit, type Tx } from '../../kit/server/db.ts'
import * as ledger from '../../ledger/server/ledger.ts'
import { notice, notify, notifyMany } from '../../notifications/server/notifications.ts'
import { currentSettings } from '../../settings/server/settings.ts'
import { needsConsent } from '../consent.ts'
import type { CampaignTester, RejectionConsent, WaitingRejection } from '../contract.ts'
import { appealEndsAt, deadlineOf } from '../deadlines.ts'
import { aliasOf, whileDisputed } from '../rules.ts'
import { appealHours, type ConsentDecision } from '../terms.ts'
import { actOnRun } from './actions.ts'
import * as consent from './consent.queries.ts'
import type { ParticipationRow } from './queries.ts'

export const consentOf = async (developerId: string): Promise<RejectionConsent> => {
  const limits = await currentSettings(autocommit)
  const overturned = await consent.overturnedOf(autocommit, developerId, limits.consentOfLast)
  return { ...overturned, needed: needsConsent(overturned, limits) }
}

/** Asks an admin instead of rejecting; nothing else changes. */
export const askForConsent = async (tx: Tx, request: consent.NewRequest, now: string): Promise<ledger.Outcome> =>
  (await consent.insertRequest(tx, request, now)) ? 'OK' : 'WRONG_STATE'

export const tellAdmins = async (tx: Tx, row: ParticipationRow): Promise<void> => {
  const { id: testId, campaignId, campaignTitle: title, ordinal } = row
  const facts = { campaignId, testId, title, alias: aliasOf(ordinal), verifiesAt: deadlineOf(row) ?? row.lastSeenAt }
  await notifyMany(
    tx,
    (await adminIds(tx)).map(id => notice(id, 'CONSENT_ASKED', facts)),
  )
}

type Query = { limit: number; cursor?: string | undefined }

export const waitingForConsent = async ({ limit, cursor }: Query): Promise<Page<WaitingRejection>> => {
  const rows = await consent.waitingRequests(autocommit, limit + 1, cursor)
  const page = rows.slice(0, limit)
  const standing = new Map<string, RejectionConsent>()
  for (const { developerId } of page)
    if (!standing.has(developerId)) standing.set(developerId, await consentOf(developerId))
  const items = page.map(({ campaignId, campaignTitle, developerId, ordinal, ...row }) => ({
    ...row,
    alias: aliasOf(ordinal),
    campaign: { id: campaignId, title: campaignTitle },
    overturned: standing.get(developerId)!.overturned,
    of: standing.get(developerId)!.of,
  }))
  return { items, nextCursor: rows.length > limit ? String(rows[limit - 1]!.seq) : null }
}

type Decision = { decision: ConsentDecision; note: string }

/**
 * CONSENT rejects the proof in the developer's name. REFUSE leaves the proof to be verified, by the developer or at the end of
 * the time.
 */
export const decideRejection = (
  admin: SignedIn,
  id: string,
  { decision, note }: Decision,
  key: string | null = null,
): Promise<CampaignTester> =>
  actOnRun({ user: admin, id, action: 'decideRejection', key, asked: { decision, note } }, async (tx, row, now) => {
    const { campaignId, campaignTitle: title, testerId, developerId, ordinal } = row
    const consents = decision === 'CONSENT'
    // It would be the developer's rejection.
    if (consents && row.disputed) throw whileDisputed(row)()
    const outcome = consents ? 'CONSENTED' : 'REFUSED'
    const { code, reason } = await consent.settleRequest(tx, {
      participationId: id,
      outcome,
      note,
      adminId: admin.id,
      now,
    })
    await auditIfAdmin(tx, admin, {
      action: 'participation.decide-rejection',
      subjectType: 'participation',
      subjectId: id,
      facts: { decision, note },
    })
    const ofOwner = { campaignId, testId: id, title, alias: aliasOf(ordinal), note }
    await notify(tx, developerId, consents ? 'CONSENT_GIVEN' : 'CONSENT_REFUSED', ofOwner)
    if (!consents) return
    await notify(tx, testerId, 'TEST_REJECTED', { testId: id, title, reason, appealBy: appealEndsAt(now) })
    const rejection = { participationId: id, reviewerId: developerId, code, reason, hours: appealHours }
    const moved = await ledger.rejectParticipation(tx, rejection)
    if (moved !== 'OK') throw new Error(`the rejection of ${id} was refused with ${moved} against its rule`)
  })
