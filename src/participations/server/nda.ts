/** The NDA of a test: accepting it lets the tester in, refusing a changed one ends the test with pay (decision 037). */
import { clock } from '../../kit/clock.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { DomainError } from '../../kit/errors.ts'
import { autocommit } from '../../kit/server/db.ts'
import { transactOnce } from '../../kit/server/idempotency.ts'
import { assertVisible } from '../../campaigns/server/campaigns.ts'
import { hasTesterList } from '../../campaigns/rules.ts'
import type { AcceptNda } from '../../nda/contract.ts'
import { doorIsClosed, staleVersion } from '../../nda/rules.ts'
import { recordAcceptance } from '../../nda/server/nda.ts'
import { notifyMany } from '../../notifications/server/notifications.ts'
import type { CampaignTester, Leaving } from '../contract.ts'
import { waitNoticesInAll, wakeAt } from '../deadlines.ts'
import { proofAllowedFrom, refusal } from '../rules.ts'
import { mustAcceptNda, type Situation, waitsForList } from '../situation.ts'
import { leaveBy } from './leaving.ts'
import * as nda from './nda.queries.ts'
import { get } from './participations.ts'
import * as queries from './queries.ts'
import { noticeToOwner } from './waiting.ts'

const testIn = async (tester: SignedIn, campaignId: string): Promise<string> => {
  const id = await nda.testIn(autocommit, tester.id, campaignId)
  if (id !== null) return id
  await assertVisible(tester, campaignId)
  throw new DomainError('WRONG_STATE', 'Join this campaign first. You will then be asked to accept its NDA.')
}

/** Starts the days of a test that has not begun. Accepting the same version again changes nothing. */
const accepted = (row: queries.ParticipationRow, version: number, now: string): Situation => {
  const acceptance = { ndaAccepted: version, ndaAcceptedAt: row.ndaAcceptedAt ?? now }
  if (!mustAcceptNda(row)) return { ...row, ...acceptance }
  const proofAllowedAt = hasTesterList(row.accessMode) ? row.proofAllowedAt : proofAllowedFrom(now, row.durationDays)
  return { ...row, ...acceptance, proofAllowedAt, lastSeenAt: now, atRisk: false, proofWarned: false }
}

export const acceptNda = async (
  tester: SignedIn,
  campaignId: string,
  { name, version }: AcceptNda,
  { ip, key = null }: { ip: string; key?: string | null },
): Promise<CampaignTester> => {
  const id = await testIn(tester, campaignId)
  return transactOnce({
    userId: tester.id,
    key,
    call: 'acceptNda',
    asked: { id, name, version },
    subjectId: id,
    load: tx => queries.lockParticipationAndCampaign(tx, tester, id),
    effect: async (tx, row) => {
      const now = clock.now()
      if (row.ndaVersion !== null && version !== row.ndaVersion) throw staleVersion()
      if (row.ndaVersion !== null && row.ndaAccepted === version) return
      const refused = refusal('acceptNda', row, now)
      if (refused) throw refused
      await recordAcceptance(tx, { campaignId, version, participationId: id, testerId: tester.id, name, ip, now })
      const next = accepted(row, version, now)
      await nda.setAccepted(tx, { ...next, id, campaignId, wakeAt: wakeAt(next) })
      // The last notice went to the tester, so none to the developer is left.
      if (doorIsClosed(row) && waitsForList(next) && next.waitNoticesSent >= waitNoticesInAll)
        await notifyMany(tx, noticeToOwner([{ ...row, ...next }]))
    },
    answer: (participationId, tx) => get(tester, participationId, tx),
    answeredWithCommit: true,
  })
}

export const refuseNda = (
  tester: SignedIn,
  id: string,
  asked: Leaving = {},
  key: string | null = null,
): Promise<CampaignTester> => leaveBy('refuseNda', { tester, id, asked, key })
