/** Ending a campaign early, by its owner or an admin. */
import { auditIfAdmin } from '../../audit/server/audit.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import type { Tx } from '../../kit/server/db.ts'
import * as ledger from '../../ledger/server/ledger.ts'
import { notice, notifyMany } from '../../notifications/server/notifications.ts'
import { assertCan, wrongState } from '../rules.ts'
import * as bench from './bench.queries.ts'
import * as queries from './queries.ts'
import { situationOf, surplusOf, viewerOf } from './toCampaign.ts'

/** `reason`: given by an admin, shown to the owner. */
export const cancelNow = async (tx: Tx, user: SignedIn, id: string, reason?: string): Promise<void> => {
  const row = await queries.campaignFor(tx, user, id)
  assertCan('cancel', viewerOf(user, row), situationOf(row))
  const { title, developerId, startDate } = row
  const why = reason !== undefined && { reason }
  await auditIfAdmin(tx, user, {
    action: 'campaign.cancel',
    subjectType: 'campaign',
    subjectId: id,
    facts: { ...why },
  })
  const byAdmin = user.id !== developerId
  if (byAdmin) await queries.setCancelledByAdmin(tx, id)
  if ((await ledger.cancelCampaign(tx, id)) !== 'OK') {
    throw wrongState('cancel', viewerOf(user, row), situationOf(await queries.campaignFor(tx, user, id)))
  }
  const pending = await ledger.endCharges(tx, id)
  // Inside the locks, although that holds them longer: only now is it certain whose tests have ended.
  const tests = await queries.testsAtCancellation(tx, id)
  const held = byAdmin && (await queries.hasOpenProofs(tx, id))
  const inLine = await bench.endBenches(tx, [id])
  await notifyMany(tx, [
    ...(byAdmin
      ? [
          notice(developerId, 'CAMPAIGN_CANCELLED_OWNER', {
            campaignId: id,
            title,
            surplus: surplusOf(row),
            paid: row.fundedCents + row.feeCents > 0,
            pending,
            started: startDate !== null,
            daysPaid: tests.some(({ as, amountCents }) => as === 'TESTING' && amountCents > 0),
            held,
            ...why,
          }),
        ]
      : []),
    ...tests.map(({ id: testId, testerId, amountCents, waited, as }) =>
      as === 'IN_REVIEW' || as === 'VERIFIED'
        ? notice(testerId, 'MAY_OPT_OUT', {
            testId,
            title,
            because: as === 'VERIFIED' ? 'CANCELLED' : 'CANCELLED_IN_REVIEW',
          })
        : notice(testerId, 'CAMPAIGN_CANCELLED', {
            testId,
            title,
            amountCents,
            waited,
            maySubmit: as === 'MAY_SUBMIT',
          }),
    ),
    ...inLine.map(({ testerId }) => notice(testerId, 'BENCH_ENDED', { title, ended: true })),
  ])
}
