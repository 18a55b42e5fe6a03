/** A tester's way into a closed test: opening the link, opting in, opting out. */
import { hangOn } from '../../attachments/server/attachments.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { clock, hoursAfter } from '../../kit/clock.ts'
import { DomainError } from '../../kit/errors.ts'
import { transact, type Tx } from '../../kit/server/db.ts'
import * as ledger from '../../ledger/server/ledger.ts'
import { notify } from '../../notifications/server/notifications.ts'
import { playAddressOf } from '../../playAddresses/server/playAddresses.ts'
import type { CampaignTester, OpenedLink } from '../contract.ts'
import { deadlineOf, wakeAt } from '../deadlines.ts'
import { dropWords } from '../dropWords.ts'
import { aliasOf, givesSeatBack, lifecycle, proofAllowedFrom, refusal } from '../rules.ts'
import { proofWarnedInRuns, type Situation } from '../situation.ts'
import { lastOptOut, mostOptInPictures, optOutNoticeHours } from '../terms.ts'
import { actOnRun, orWithoutSeat } from './actions.ts'
import * as runs from './optIn.queries.ts'
import * as queries from './queries.ts'
import { seatOf } from './seatFacts.ts'

/** The link, and the account to open it with. Records when it was first opened. */
export const openLink = (tester: SignedIn, id: string): Promise<OpenedLink> =>
  orWithoutSeat({ user: tester, id, action: 'openLink' }, () =>
    transact(async tx => {
      const row = await queries.lockParticipationFor(tx, tester, id)
      const now = clock.now()
      const refused = refusal('openLink', row, now)
      if (refused) throw refused
      await runs.setLinkOpened(tx, id, now)
      return { url: row.distributionLink, playEmail: await playAddressOf(tx, id), groupLink: row.groupLink }
    }),
  )

const tooManyPictures = () =>
  new DomainError(
    'WRONG_STATE',
    `You have shown ${mostOptInPictures} pictures of your opt-in, which is the limit for a test. You can opt in without another one.`,
  )

const unwarned = (row: Situation) => ({ atRisk: false, proofWarned: proofWarnedInRuns(row) })

/** Starts the days. During a run it only confirms the opt-in. `attachmentId` is a picture of the opted-in page. */
export const optIn = (
  tester: SignedIn,
  id: string,
  attachmentId?: string | null,
  key: string | null = null,
): Promise<CampaignTester> =>
  actOnRun({ user: tester, id, action: 'optIn', key, asked: attachmentId }, async (tx, row, now) => {
    const shown = attachmentId != null
    if (shown) {
      if ((await runs.countPictures(tx, id)) >= mostOptInPictures) throw tooManyPictures()
      await hangOn(tx, tester.id, attachmentId, { participationId: id, kind: 'OPT_IN' })
    }
    if (row.optedInAt !== null) return confirm(tx, row, shown, now)
    const proofAllowedAt = proofAllowedFrom(now, row.durationDays)
    const started: Situation = { ...row, optedInAt: now, proofAllowedAt, ...unwarned(row) }
    const run = { participationId: id, campaignId: row.campaignId, now, proofAllowedAt, wakeAt: wakeAt(started) }
    await runs.startRun(tx, run)
    await runs.insertRunEvent(tx, row, 'TESTER_OPTED_IN', now)
  })

/** A picture ends the developer's contest: the run counts again, from when it first started. */
const confirm = async (tx: Tx, row: queries.ParticipationRow, shown: boolean, now: string) => {
  const { id, campaignId, campaignTitle: title, developerId } = row
  await runs.confirmRun(tx, id, now)
  if (!shown) return
  const cleared = await runs.settleContest(tx, { participationId: id, outcome: 'CLEARED_BY_EVIDENCE', now })
  if (!cleared) return
  await runs.insertRunEvent(tx, row, 'OPT_IN_CLEARED', now)
  const ofOwner = { campaignId, testId: id, title, alias: aliasOf(row.ordinal), note: null }
  await notify(tx, developerId, 'OPT_IN_CLEARED_OWNER', ofOwner)
}

/**
 * The owner knows it already and no seat depends on it. Not told again, testers who go in and out do not fill the owner's
 * mailbox.
 */
const wasOutLately = (row: queries.ParticipationRow, now: string): boolean =>
  !givesSeatBack(row) && row.optedOutAt !== null && now < hoursAfter(row.optedOutAt, optOutNoticeHours)

/** Ends the run. While days or a proof are missing, the third opt-out also gives up the seat. */
export const optOut = (tester: SignedIn, id: string, key: string | null = null): Promise<CampaignTester> =>
  actOnRun({ user: tester, id, action: 'optOut', key }, async (tx, row, now) => {
    const { campaignId, campaignTitle: title, developerId } = row
    const optOuts = row.optOuts + 1
    const out: Situation = { ...row, optedInAt: null, optedOutAt: now, proofAllowedAt: null, optOuts }
    const waking = wakeAt({ ...out, ...unwarned(row) })
    await runs.endRun(tx, { participationId: id, now, reason: 'OPTED_OUT', wakeAt: waking })
    await runs.insertRunEvent(tx, row, 'TESTER_OPTED_OUT', now)
    const ofOwner = { campaignId, testId: id, title, alias: aliasOf(row.ordinal) }
    if (optOuts < lastOptOut || !givesSeatBack(row)) {
      const dropsAt = givesSeatBack(row) ? deadlineOf(out) : null
      if (wasOutLately(row, now)) return
      return notify(tx, developerId, 'TESTER_OPTED_OUT_OWNER', { ...ofOwner, dropsAt })
    }
    const why = dropWords.THIRD_OPT_OUT(row.dropHours)
    await notify(tx, developerId, 'TESTER_DROPPED_OWNER', { ...ofOwner, ...seatOf(row), why })
    const dropped = { participationId: id, from: lifecycle.leave.from, reason: 'THIRD_OPT_OUT' }
    if ((await ledger.drop(tx, dropped)) !== 'OK') throw new Error(`the seat of ${id} was not given back`)
  })
