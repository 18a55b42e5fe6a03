/** Reviewing a proof: verify, which pays the tester, request changes, or reject. */
import { createHash } from 'node:crypto'
import { auditIfAdmin, type NewAuditEntry } from '../../audit/server/audit.ts'
import { clock } from '../../kit/clock.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import type { Tx } from '../../kit/server/db.ts'
import { DomainError, type ErrorCode } from '../../kit/errors.ts'
import { transactOnce } from '../../kit/server/idempotency.ts'
import { during, requestWork } from '../../kit/server/limits.ts'
import * as ledger from '../../ledger/server/ledger.ts'
import { type EmailFacts, notify } from '../../notifications/server/notifications.ts'
import type { CampaignTester, RejectionCode, VerifyResult } from '../contract.ts'
import { appealEndsAt, wakeAt } from '../deadlines.ts'
import type { DecidedProof } from '../inputs.ts'
import { stayDaysOf } from '../optIn.ts'
import { aliasOf } from '../rules.ts'
import { appealHours } from '../terms.ts'
import type { Situation } from '../situation.ts'
import { act, actWithMoney } from './actions.ts'
import { askForConsent, consentOf, tellAdmins } from './consent.ts'
import * as queries from './queries.ts'
import { lockWithTester } from './review.queries.ts'

const audited = (action: NewAuditEntry['action'], subjectId: string): NewAuditEntry => ({
  action,
  subjectType: 'participation',
  subjectId,
})

type Decided = EmailFacts['PROOF_DECIDED_OWNER']['decided']

/** Tells the owner what an admin decided for them. */
const tellOwner = async (tx: Tx, reviewer: SignedIn, row: queries.ParticipationRow, decided: Decided) => {
  const { id: testId, campaignId, campaignTitle: title, developerId } = row
  if (reviewer.id === developerId) return
  await notify(tx, developerId, 'PROOF_DECIDED_OWNER', {
    campaignId,
    testId,
    title,
    alias: aliasOf(row.ordinal),
    decided,
  })
}

export const requestChanges = (
  reviewer: SignedIn,
  id: string,
  { note, proofSubmittedAt }: { note: string } & DecidedProof,
  key: string | null = null,
): Promise<CampaignTester> =>
  act(
    { user: reviewer, id, action: 'requestChanges', key, asked: note, proofSubmittedAt },
    async (tx, row, now) => {
      const waiting: Situation = { ...row, status: 'CHANGES_REQUESTED', lastSeenAt: now, proofWarned: false }
      await queries.setChangesRequested(tx, id, { note, reviewerId: reviewer.id, now, wakeAt: wakeAt(waiting) })
      await auditIfAdmin(tx, reviewer, { ...audited('participation.request-changes', id), facts: { note } })
      await notify(tx, row.testerId, 'CHANGES_REQUESTED', {
        testId: id,
        title: row.campaignTitle,
        note,
        hours: row.dropHours,
      })
      await tellOwner(tx, reviewer, row, { as: 'CHANGES_REQUESTED', note, hours: row.dropHours })
    },
    lockWithTester,
  )

export const verify = (
  reviewer: SignedIn,
  id: string,
  { proofSubmittedAt }: DecidedProof,
  key: string | null,
): Promise<CampaignTester> =>
  actWithMoney({
    user: reviewer,
    id,
    action: 'verify',
    key,
    proofSubmittedAt,
    before: async (tx, row) => {
      const { testerId, campaignTitle: title, payPerTesterCents: amountCents } = row
      await Promise.all([
        auditIfAdmin(tx, reviewer, audited('participation.verify', id)),
        notify(tx, testerId, 'TEST_VERIFIED', {
          testId: id,
          title,
          amountCents,
          stayDays: stayDaysOf(row, clock.now()),
        }),
        tellOwner(tx, reviewer, row, { as: 'VERIFIED', amountCents }),
      ])
    },
    move: tx => ledger.verifyParticipation(tx, id, reviewer.id),
  })

const refusals: readonly ErrorCode[] = ['NOT_FOUND', 'WRONG_STATE']

const verifyOne = async (
  reviewer: SignedIn,
  id: string,
  seen: DecidedProof,
  key: string | null,
): Promise<VerifyResult> => {
  try {
    await verify(reviewer, id, seen, key)
    return { id, status: 'VERIFIED', message: null }
  } catch (error) {
    if (!(error instanceof DomainError) || !refusals.includes(error.code)) throw error
    return { id, status: 'REFUSED', message: error.message }
  }
}

/** The key for one test, derived from the call's key. The space keeps it apart from callers' own keys, which have none. */
const keyForOne = (key: string | null, id: string) =>
  key && `verify-all:${createHash('sha256').update(key).digest('base64url')} ${id}`

/**
 * Verifies each test in a transaction of its own, one after the other, so that no lock is held for long and one refusal undoes
 * nothing. After a crash, a repeat with the same key verifies the rest: tests that were verified before answer from their own keys.
 */
export const verifyAll = (
  reviewer: SignedIn,
  { ids, proofsSubmittedAt }: { ids: readonly string[]; proofsSubmittedAt?: readonly string[] | undefined },
  key: string | null,
): Promise<VerifyResult[]> =>
  transactOnce({
    userId: reviewer.id,
    key,
    call: 'verifyAll',
    asked: proofsSubmittedAt ? { ids, proofsSubmittedAt } : ids,
    subjectId: reviewer.id,
    effect: async () => undefined,
    answer: async () => {
      const results: VerifyResult[] = []
      for (const id of new Set(ids)) {
        // A hundred tests take longer than one request may, so each gets a whole request's time limit.
        const seen = { proofSubmittedAt: proofsSubmittedAt?.[ids.indexOf(id)] }
        results.push(await during(requestWork('writes'), () => verifyOne(reviewer, id, seen, keyForOne(key, id))))
      }
      return results
    },
  })

/** The seat stays frozen, with its pay and fee, until an appeal is decided or the time to appeal is over. */
type Rejection = { code: RejectionCode; reason: string }

/** If too many of the developer's rejections were overturned, this asks an admin for consent instead. */
export const reject = async (
  reviewer: SignedIn,
  id: string,
  { proofSubmittedAt, ...rejection }: Rejection & DecidedProof,
  key: string | null = null,
): Promise<CampaignTester> => {
  const asks = reviewer.role === 'DEVELOPER' && (await consentOf(reviewer.id)).needed
  return actWithMoney({
    user: reviewer,
    id,
    action: 'reject',
    key,
    asked: rejection,
    proofSubmittedAt,
    before: async (tx, row) => {
      if (asks) return tellAdmins(tx, row)
      const { testerId, campaignTitle: title } = row
      const rejected = { reason: rejection.reason, appealBy: appealEndsAt(clock.now()) }
      return Promise.all([
        auditIfAdmin(tx, reviewer, { ...audited('participation.reject', id), facts: rejection }),
        notify(tx, testerId, 'TEST_REJECTED', {
          testId: id,
          title,
          ...rejected,
        }),
        tellOwner(tx, reviewer, row, { as: 'REJECTED', ...rejected }),
      ])
    },
    move: tx =>
      asks
        ? askForConsent(tx, { participationId: id, ...rejection }, clock.now())
        : ledger.rejectParticipation(tx, {
            participationId: id,
            reviewerId: reviewer.id,
            ...rejection,
            hours: appealHours,
          }),
  })
}
