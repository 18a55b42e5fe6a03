/**
 * Which testers and devices a campaign accepts, and who gets a seat (product.md §3). Pure; shared by the server and the screens.
 */
import type { Instant } from '../kit/clock.ts'
import { countryInSentence } from '../kit/countries.ts'
import { platformNames } from '../campaigns/terms.ts'
import { DomainError } from '../kit/errors.ts'
import { anyOf, counted } from '../kit/words.ts'
import type { CampaignStatus, Platform } from '../campaigns/contract.ts'
import { freeSeats } from '../campaigns/seats.ts'
import { unconfirmed } from '../accounts/rules.ts'
import type { DeviceInfo } from './contract.ts'
import type { SeatObstacle } from './terms.ts'

export type Requirements = {
  platform: Platform
  countryCodes: readonly string[]
  minAndroidVersion: string | null
  minIOSVersion: string | null
}

const number = String.raw`\d+(?:\.\d+)*`
const firstNumber = new RegExp(`()(${number})`)
/**
 * "One UI 6.1 (Android 14)": manufacturers put their own version first. An API level, a build or a patch before the version is
 * ignored.
 */
const afterName = new RegExp(String.raw`\b(android|ios|ipados)[\s:™®(-]{0,3}(?:v\.?|version\b)?\s{0,2}(${number})`, 'i')

const versionParts = (text: string) =>
  (afterName.exec(text) ?? firstNumber.exec(text))?.[2]?.split('.').map(Number) ?? null

const isOlder = (have: readonly number[], need: readonly number[]) => {
  for (const [place, needed] of need.entries()) {
    const part = have[place] ?? 0
    if (part !== needed) return part < needed
  }
  return false
}

/** A campaign's minimum version has up to three parts. */
const parts = 3
const most = 1_000_000

/** The parts of the version, to compare with a campaign's minimum part by part; null without a number. */
export const versionToCompare = (osVersion: string | undefined): number[] | null => {
  const have = versionParts(osVersion ?? '')
  return have && Array.from({ length: parts }, (_, place) => Math.min(have[place] ?? 0, most))
}

/** Why this tester cannot join with this device, as a sentence; null if they can. */
export const whyNotEligible = (
  requirements: Requirements,
  tester: { country: string | null },
  device: DeviceInfo,
): string | null => {
  const { platform, countryCodes } = requirements
  if (device.platform && device.platform !== platform) {
    return `Needs an ${platformNames[platform]} device; yours runs ${platformNames[device.platform]}.`
  }
  if (countryCodes.length > 0 && (tester.country === null || !countryCodes.includes(tester.country))) {
    const wanted = anyOf(countryCodes.map(countryInSentence))
    if (tester.country === null) return `Needs a tester from ${wanted}. Set your country in your profile first.`
    return `Needs a tester from ${wanted}; you are from ${countryInSentence(tester.country)}.`
  }
  const needed = platform === 'android' ? requirements.minAndroidVersion : requirements.minIOSVersion
  if (needed === null) return null
  const have = versionParts(device.osVersion ?? '')
  if (!have) return `Needs ${platformNames[platform]} ${needed} or newer. Enter the version that your device runs.`
  if (isOlder(have, versionParts(needed) ?? []))
    return `Needs ${platformNames[platform]} ${needed} or newer; you have ${have.join('.')}.`
  return null
}

/** For a tester on the bench, who did fit when they entered it. */
export const fitsNoLonger = (problem: string): DomainError =>
  new DomainError('DEVICE_DOES_NOT_FIT', `You no longer fit this campaign, so you cannot accept its seat. ${problem}`)

type Seats = Parameters<typeof freeSeats>[0]

const full = (words: string) => new DomainError('CAMPAIGN_FULL', words)
export const benchFull = (): DomainError =>
  full('All seats of this campaign are taken, and so are the places on its bench.')
export const joinedBefore = (): DomainError =>
  new DomainError('ALREADY_JOINED', 'You have joined this campaign before.')
const onBench = (canAccept: boolean): DomainError =>
  new DomainError(
    'ALREADY_JOINED',
    canAccept
      ? 'You are on the bench of this campaign, and a seat is held for you: accept it.'
      : 'You are on the bench of this campaign. We will tell you when there is a seat for you.',
  )
const sharedAccount = 'Another tester of this campaign uses this Google account, and Google Play counts it once.'
export const accountTaken = (): DomainError => {
  const message = `${sharedAccount} Enter a Google account of your own.`
  return new DomainError('PLAY_ACCOUNT_TAKEN', message, { fields: { playEmail: message } })
}
const onlyOffered =
  'A seat is held for another tester with this Google account, and Google Play counts it once. If they let it pass, you can take a seat; if they accept it,'
/** A tester who is only offered a seat may yet let it pass. */
export const accountTakenMeanwhile = (by: 'TESTER' | 'OFFER'): DomainError =>
  new DomainError(
    'PLAY_ACCOUNT_TAKEN',
    `${by === 'OFFER' ? `${onlyOffered} leave` : `${sharedAccount} Leave`} the bench, and join again with a Google account of your own.`,
  )
const takesNobody = (): DomainError =>
  new DomainError('WRONG_STATE', 'This campaign is not accepting new testers at the moment.')
export const tooManyOpen = (open: number): DomainError =>
  new DomainError(
    'LIMIT_REACHED',
    `You have ${counted(open, 'open test')}, which is the limit. Finish or leave one before you join another.`,
  )

/** Throws if the tester can neither join nor wait on the bench. Unless joined before, the campaign is LIVE here. */
export const assertMayJoin = (
  campaign: Seats & {
    status: CampaignStatus
    joinedBefore: boolean
    takesNobody: boolean
    benchTesters: number
    /** Whether a seat is held for the tester; null if they are not on the bench. */
    benchOffer: boolean | null
  },
  waits: boolean,
): void => {
  const free = freeSeats(campaign)
  if (campaign.benchOffer !== null) {
    const mayTakeSeat = campaign.status === 'LIVE' && !campaign.takesNobody && (campaign.benchOffer || free > 0)
    throw onBench(mayTakeSeat)
  }
  if (campaign.joinedBefore) throw joinedBefore()
  if (campaign.takesNobody) throw takesNobody()
  if (free <= 0 && !waits) throw campaign.benchTesters < campaign.testersRequired ? fullWithBench() : campaignFull()
}
const fullWithBench = (): DomainError =>
  full('All seats of this campaign are taken. Its bench is open: join with `waitlist: true` to wait for a seat.')
export const campaignFull = (): DomainError => full('All seats of this campaign are taken.')

/** A tester on the bench can take the seat that is held for them, or a free one, unless something is in the way. */
export const seatWaits = (entry: {
  campaignStatus: CampaignStatus
  offerEndsAt: Instant | null
  freeSeats: number
  takesNobody: boolean
}): boolean =>
  entry.campaignStatus === 'LIVE' && !entry.takesNobody && (entry.offerEndsAt !== null || entry.freeSeats > 0)

/** Why a tester on the bench could not accept a seat now: the refusal that `acceptSeat` (bench.ts) would give; null without one. */
export const whyNotAccept = (
  entry: Requirements & {
    country: string | null
    device: DeviceInfo
    openTests: number
    mostOpenTests: number
    accountTakenBy: 'TESTER' | 'OFFER' | null
    mustConfirmEmail: boolean
  },
): { code: SeatObstacle; message: string } | null => {
  const { openTests, mostOpenTests, accountTakenBy, mustConfirmEmail, country, device } = entry
  if (openTests >= mostOpenTests) return { code: 'LIMIT_REACHED', message: tooManyOpen(openTests).message }
  if (accountTakenBy !== null)
    return { code: 'PLAY_ACCOUNT_TAKEN', message: accountTakenMeanwhile(accountTakenBy).message }
  if (mustConfirmEmail) return { code: 'EMAIL_NOT_CONFIRMED', message: unconfirmed('JOIN').message }
  const problem = whyNotEligible(entry, { country }, device)
  return problem === null ? null : { code: 'DEVICE_DOES_NOT_FIT', message: fitsNoLonger(problem).message }
}
