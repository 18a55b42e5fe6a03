/** Joining a campaign. */
import { randomUUIDv7 } from 'node:crypto'
import { assertActive, assertConfirmed, userOf } from '../../accounts/server/accounts.ts'
import { clock } from '../../kit/clock.ts'
import type { ReplyOf, SignedIn } from '../../kit/endpoint.ts'
import { DomainError } from '../../kit/errors.ts'
import { autocommit, type Tx, violated } from '../../kit/server/db.ts'
import { grouped } from '../../kit/server/grouped.ts'
import { transactOnce } from '../../kit/server/idempotency.ts'
import { hasTesterList } from '../../campaigns/rules.ts'
import { consentText, consentVersion } from '../../playAddresses/consent.ts'
import { assertConsent, fingerprintOf, lastPlayAddressOf } from '../../playAddresses/server/playAddresses.ts'
import type { CampaignTester, Joining, participationApi } from '../contract.ts'
import {
  accountTaken,
  assertMayJoin,
  benchFull,
  campaignFull,
  joinedBefore,
  tooManyOpen,
  whyNotEligible,
} from '../eligibility.ts'
import { acceptSeat } from './bench.ts'
import { get } from './participations.ts'
import * as bench from './bench.queries.ts'
import * as queries from './joining.queries.ts'
import type { WholeRow } from './rows.ts'
import { toTester } from './shown.ts'

/** The device and the address that the tester gave last, and what to consent to. Only for a campaign that the tester may see. */
export const joinForm = async (
  tester: SignedIn,
  campaignId: string,
): Promise<ReplyOf<typeof participationApi.joinForm>> => {
  const { accessMode, developerName: developer } = await queries.campaignToJoin(autocommit, tester.id, campaignId)
  const device = (await queries.lastDeviceOf(autocommit, tester.id)) ?? null
  if (!hasTesterList(accessMode)) return { playEmail: null, consent: null, device }
  const text = consentText({ developer, inGroup: accessMode === 'GOOGLE_GROUP' })
  return {
    playEmail: await lastPlayAddressOf(autocommit, tester.id),
    consent: { version: consentVersion, text },
    device,
  }
}

/** Null without a valid address: the campaign may need none. If it does, `refuse` says what is wrong. */
const addressIn = (id: string, asked: Omit<Joining, 'deviceInfo'>) => {
  try {
    return asked.playEmail === undefined && asked.consent === undefined ? null : assertConsent(id, asked)
  } catch (error) {
    if (error instanceof DomainError) return null
    throw error
  }
}

/** Puts the tester on the bench. False if a seat has become free meanwhile, or the campaign is closed to the tester. */
const wait = async (tx: Tx, seat: bench.NewEntry): Promise<boolean> => {
  switch (await bench.enter(tx, seat)) {
    case 'OK':
      return true
    case 'FULL':
      throw benchFull()
    case 'SUSPENDED':
    case 'WRONG_STATE':
    case 'JOINED':
    case 'SEAT_FREE':
      return false
  }
}

type JoinRequest = { id: string; tester: SignedIn; campaignId: string; asked: Joining }

/** While many join at once, several seats are taken by one statement (decision 072). */
const takeTogether = grouped<queries.Seat, WholeRow>({
  statement: queries.takeFreeSeats,
  subjectsOf: ({ campaignId, testerId }) => [campaignId, testerId],
})

type TakeSeat = (seat: queries.Seat) => Promise<WholeRow | undefined>

const takeAtOnce: TakeSeat = seat => takeTogether(seat, () => queries.takeSeat(autocommit, seat))

const seatOf = ({ id, tester, campaignId, asked }: JoinRequest): queries.Seat => ({
  id,
  campaignId,
  testerId: tester.id,
  device: asked.deviceInfo,
  address: addressIn(id, asked),
  now: clock.now(),
})

type Ask = { tester: SignedIn; seat: queries.Seat; asked: Joining }

/**
 * For a tester who got no seat: puts them on the bench, or throws the refusal. Filters cannot change while a campaign is LIVE, so
 * the same facts are checked again, now with words. False if nothing is in the way any more.
 */
const waitOrRefuse = async (tx: Tx, { tester, seat, asked }: Ask): Promise<boolean> => {
  const { campaignId, device } = seat
  const waits = asked.waitlist === true
  const campaign = await queries.campaignToJoin(tx, tester.id, campaignId)
  assertMayJoin(campaign, waits)
  const address = hasTesterList(campaign.accessMode) ? assertConsent(seat.id, asked) : null
  await assertConfirmed(tx, tester.id, 'JOIN')
  const { country, timeZone } = await userOf(tx, tester.id)
  const problem = whyNotEligible(campaign, { country }, device)
  if (problem) throw new DomainError('DEVICE_DOES_NOT_FIT', problem, { fields: { deviceInfo: problem } })
  await assertActive(tx, tester.id)
  if (waits && (await wait(tx, { ...seat, address, timeZone }))) return true
  assertMayJoin(await queries.campaignToJoin(tx, tester.id, campaignId), false)
  const { open, most } = await queries.openTests(tx, tester.id)
  if (open >= most) throw tooManyOpen(open)
  if (address && (await queries.isAccountTaken(tx, seat, address.hash))) throw accountTaken()
  return false
}

/** If a seat becomes free between the two checks, tries once more. */
const tries = 2

/** The new test, as the statement returned it; null for a bench entry. */
const seatOrBench = async (
  tx: Tx,
  request: JoinRequest,
  take: TakeSeat = seat => queries.takeSeat(tx, seat),
): Promise<WholeRow | null> => {
  const { tester, asked } = request
  for (let tried = 0; tried < tries; tried++) {
    const seat = seatOf(request)
    const row = await take(seat).catch((error: unknown) => {
      throw violated(error) === 'participations_campaign_id_tester_id_key' ? joinedBefore() : error
    })
    if (row) return row
    if (await waitOrRefuse(tx, { tester, seat, asked })) return null
  }
  throw campaignFull()
}

/** One statement takes the seat and claims the key. Who gets no seat that way is answered in the key's transaction, if there is one. */
export const join = async (
  tester: SignedIn,
  campaignId: string,
  asked: Joining,
  key: string | null = null,
): Promise<CampaignTester> => {
  const id = randomUUIDv7()
  const answer = (testId: string) => get(tester, testId)
  const request = { id, tester, campaignId, asked }
  if (key === null) {
    const row = await seatOrBench(autocommit, request, takeAtOnce)
    return row ? toTester(tester, row) : answer(id)
  }
  const { playEmail, ...rest } = asked
  return transactOnce({
    userId: tester.id,
    key,
    call: 'join',
    // No hash is kept of an address that is stored readable.
    asked: { campaignId, ...rest, playAddress: playEmail === undefined ? null : fingerprintOf(playEmail) },
    subjectId: id,
    atOnce: async claim => {
      const row = await takeAtOnce({ ...seatOf(request), claim })
      return row && toTester(tester, row)
    },
    effect: async tx => {
      await seatOrBench(tx, request)
    },
    answer,
  })
}

/** Takes the seat that is held for the caller, or a free one. */
export const acceptOffer = (tester: SignedIn, id: string, key: string | null = null): Promise<CampaignTester> =>
  transactOnce({
    userId: tester.id,
    key,
    call: 'acceptSeat',
    asked: { id },
    subjectId: id,
    effect: tx => acceptSeat(tx, tester, id),
    answer: testId => get(tester, testId),
  })
