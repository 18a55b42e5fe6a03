/** Joining a campaign. */
import { randomUUIDv7 } from 'node:crypto'
import { assertActive, assertConfirmed, userOf } from '../../accounts/server/accounts.ts'
import { clock } from '../../kit/clock.ts'
import type { ReplyOf, SignedIn } from '../../kit/endpoint.ts'
import { DomainError } from '../../kit/errors.ts'
import { autocommit, transact, violated } from '../../kit/server/db.ts'
import { counted } from '../../kit/words.ts'
import { freeSeats } from '../../campaigns/seats.ts'
import { hasTesterList } from '../../campaigns/rules.ts'
import { consentText, consentVersion } from '../../playAddresses/consent.ts'
import { assertConsent, lastPlayAddressOf } from '../../playAddresses/server/playAddresses.ts'
import type { CampaignTester, Joining, participationApi } from '../contract.ts'
import { wakeAt } from '../deadlines.ts'
import { whyNotEligible } from '../eligibility.ts'
import { proofAllowedFrom } from '../rules.ts'
import { freshSituation } from '../situation.ts'
import { get } from './participations.ts'
import * as bench from './bench.queries.ts'
import * as queries from './queries.ts'

const full = () => new DomainError('CAMPAIGN_FULL', 'All seats of this campaign are taken.')
const tooManyOpen = (open: number) =>
  new DomainError(
    'LIMIT_REACHED',
    `You have ${counted(open, 'open test')}, and more are not possible at a time. Finish or leave one before you join another.`,
  )
const joinedBefore = () => new DomainError('ALREADY_JOINED', 'You have joined this campaign before.')

/** Throws if the tester cannot join, apart from the race for the last seat. A campaign not joined before is LIVE here. */
const assertMayJoin = (campaign: queries.CampaignToJoin, waits = false) => {
  if (campaign.joinedBefore) throw joinedBefore()
  if (freeSeats(campaign) <= 0 && !waits) throw full()
}

/** The address that the tester gave last, and what to agree to; of a campaign that the tester may see. */
export const joinForm = async (
  tester: SignedIn,
  campaignId: string,
): Promise<ReplyOf<typeof participationApi.joinForm>> => {
  const { accessMode, developerName: developer } = await queries.campaignToJoin(autocommit, tester.id, campaignId)
  if (!hasTesterList(accessMode)) return { playEmail: null, consent: null }
  const text = consentText({ developer, inGroup: accessMode === 'GOOGLE_GROUP' })
  return { playEmail: await lastPlayAddressOf(autocommit, tester.id), consent: { version: consentVersion, text } }
}

/** Onto the bench; false when a seat has become free in the meantime, or the campaign is closed to the tester. */
const wait = async (seat: bench.NewEntry): Promise<boolean> => {
  switch (await transact(tx => bench.enter(tx, seat))) {
    case 'OK':
      return true
    case 'JOINED':
      throw joinedBefore()
    case 'FULL':
      throw new DomainError(
        'CAMPAIGN_FULL',
        'All seats of this campaign are taken, and so are the places on its bench.',
      )
    case 'SUSPENDED':
    case 'WRONG_STATE':
    case 'SEAT_FREE':
      return false
  }
}

/** Filters cannot change while a campaign is live, so eligibility is checked before the row is locked. */
export const join = async (
  tester: SignedIn,
  campaignId: string,
  { deviceInfo: device, ...asked }: Joining,
): Promise<CampaignTester> => {
  const campaign = await queries.campaignToJoin(autocommit, tester.id, campaignId)
  const waits = asked.waitlist === true
  assertMayJoin(campaign, waits)
  const id = randomUUIDv7()
  const address = hasTesterList(campaign.accessMode) ? assertConsent(id, asked) : null
  await assertConfirmed(autocommit, tester.id, 'JOIN')
  const profile = await userOf(autocommit, tester.id)
  const problem = whyNotEligible(campaign, profile, device)
  if (problem) throw new DomainError('DEVICE_DOES_NOT_FIT', problem, { fields: { deviceInfo: problem } })

  const now = clock.now()
  const proofAllowedAt = hasTesterList(campaign.accessMode) ? null : proofAllowedFrom(now, campaign.durationDays)
  const fresh = freshSituation({ ...campaign, ...profile, campaignStatus: campaign.status }, { now, proofAllowedAt })
  const seat = {
    id,
    campaignId,
    testerId: tester.id,
    device,
    address,
    timeZone: profile.timeZone,
    now,
    proofAllowedAt,
  }
  const taken = await queries.takeSeat(autocommit, { ...seat, wakeAt: wakeAt(fresh)! }).catch((error: unknown) => {
    throw violated(error) === 'participations_campaign_id_tester_id_key' ? joinedBefore() : error
  })
  if (!taken) {
    await assertActive(autocommit, tester.id)
    if (waits && (await wait(seat))) return get(tester, seat.id)
    assertMayJoin(await queries.campaignToJoin(autocommit, tester.id, campaignId))
    const { open, most } = await queries.openTests(autocommit, tester.id)
    throw open >= most ? tooManyOpen(open) : full()
  }
  return get(tester, seat.id)
}
