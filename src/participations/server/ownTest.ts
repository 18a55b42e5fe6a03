/** A tester's actions in a test: check in, submit the proof, leave. */
import { dayIn } from '../../kit/clock.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import * as ledger from '../../ledger/server/ledger.ts'
import { notify } from '../../notifications/server/notifications.ts'
import type { CampaignTester, Proof } from '../contract.ts'
import { aliasOf, lifecycle, type Situation, wakeAt } from '../rules.ts'
import { act, actWithMoney } from './actions.ts'
import * as queries from './queries.ts'

export const checkIn = (tester: SignedIn, id: string, note: string | undefined): Promise<CampaignTester> =>
  act(tester, id, 'checkIn', (tx, row, now) => {
    const day = dayIn(row.timeZone, now)
    const seen = { ...row, lastSeenAt: now, atRisk: false }
    return queries.insertCheckIn(tx, { participationId: id, day, at: now, note: note || null }, wakeAt(seen))
  })

export const submitProof = (tester: SignedIn, id: string, proof: Proof): Promise<CampaignTester> =>
  act(tester, id, 'submitProof', async (tx, row, now) => {
    const submitted: Situation = { ...row, status: 'SUBMITTED', proofSubmittedAt: now }
    const verifiesAt = wakeAt(submitted)!
    await queries.setProof(tx, id, proof, now, verifiesAt)
    await notify(tx, row.developerId, 'PROOF_TO_REVIEW', {
      campaignId: row.campaignId,
      title: row.campaignTitle,
      alias: aliasOf(row.ordinal),
      verifiesAt,
    })
  })

export const leave = (tester: SignedIn, id: string): Promise<CampaignTester> =>
  actWithMoney({
    user: tester,
    id,
    action: 'leave',
    key: null,
    before: (tx, { developerId, campaignId, campaignTitle: title, ordinal }) =>
      notify(tx, developerId, 'TESTER_DROPPED_OWNER', { campaignId, title, alias: aliasOf(ordinal) }),
    move: tx =>
      ledger.closeUnpaid(tx, { participationId: id, from: lifecycle.leave.from, to: 'DROPPED', dropReason: 'LEFT' }),
  })
