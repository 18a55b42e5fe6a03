/** Who belongs on a tester list, what has changed since it was confirmed, and what its exports say. Pure. */
import { listPlaceOf } from '../campaigns/listPlace.ts'
import type { AccessMode } from '../campaigns/terms.ts'
import { hasTesterList } from '../campaigns/rules.ts'
import { daysAfter, type Instant } from '../kit/clock.ts'
import { toCsv } from '../kit/csv.ts'
import { DomainError } from '../kit/errors.ts'
import type { ParticipationStatus } from '../participations/contract.ts'
import { openStatuses } from '../participations/situation.ts'
import { type AccessProblem, staysAfterEndDays } from '../participations/terms.ts'
import type { ExportForm, ListState } from './terms.ts'

export type Member = {
  id: string
  ordinal: number
  status: ParticipationStatus
  /** Has got in: a run lasts. */
  optedIn: boolean
  /** Not ended: also a rejection, while its seat is frozen. */
  open: boolean
  /** On the list, as the owner confirmed. */
  listed: boolean
  /** An export said to add them, and none that is confirmed has said to remove them since. */
  exported: boolean
  erased: boolean
  /** Has reported that Google Play does not let them in, and was not confirmed since. */
  notLetIn: AccessProblem | null
  /** The NDA is asked for and not accepted yet, so the address waits. Who is on the list already stays there. */
  ndaAwaited: boolean
}

export type ListedCampaign = {
  accessMode: AccessMode
  startDate: Instant | null
  /** When it was completed or cancelled. */
  closedAt: Instant | null
  appliedAt: Instant | null
  erasedAt: Instant | null
}

export const belongs = (
  { status, open, erased }: Pick<Member, 'status' | 'open' | 'erased'>,
  { closedAt, appliedAt }: Pick<ListedCampaign, 'closedAt' | 'appliedAt'>,
  now: Instant,
): boolean => {
  if (erased) return false
  switch (status) {
    case 'ACTIVE':
    case 'SUBMITTED':
    case 'CHANGES_REQUESTED':
      return true
    case 'VERIFIED':
      return appliedAt === null && (closedAt === null || now < daysAfter(closedAt, staysAfterEndDays))
    // Whoever is verified in the end must not have lost the run.
    case 'REJECTED':
    case 'APPEALED':
      return open
    case 'WAITLISTED':
    case 'DROPPED':
    case 'CANCELLED':
      return false
  }
}

/**
 * Whoever was exported, or is on the list, got in before the NDA was asked for; unless they have reported that Google Play does not
 * let them in.
 */
export const mayGetIn = ({ listed, exported, notLetIn, ndaAwaited }: Member) =>
  listed || (exported && notLetIn === null) || !ndaAwaited

/**
 * Has deleted the account, and counts for the date as long as they stay on the list. No file can name them, so they are neither
 * to be added nor to be removed.
 */
const staysUnnamed = (member: Member, campaign: ListedCampaign, now: Instant): boolean =>
  member.erased && member.optedIn && belongs({ ...member, erased: false }, campaign, now)

export type Changes = { additions: Member[]; removals: Member[]; unnamed: Member[] }

/**
 * Whoever was exported may be there, although the owner never confirmed it, and is to be removed in the end. Once the
 * addresses of the campaign are erased, nothing is left to tell.
 */
export const changesOf = (members: readonly Member[], campaign: ListedCampaign, now: Instant): Changes => {
  if (campaign.erasedAt !== null) return { additions: [], removals: [], unnamed: [] }
  const [unnamed, named] = [true, false].map(is => members.filter(one => staysUnnamed(one, campaign, now) === is))
  return {
    additions: named!.filter(member => !member.listed && mayGetIn(member) && belongs(member, campaign, now)),
    removals: named!.filter(member => (member.listed || member.exported) && !belongs(member, campaign, now)),
    unnamed: unnamed!,
  }
}

/** Whom an export takes off the list once it is confirmed: the whole list replaces the one there, and cannot name everybody. */
export const takenOff = ({ removals, unnamed }: Changes, form: ExportForm): Member[] =>
  form === 'play' ? [...removals, ...unnamed] : removals

export type LastExport = { confirmedAt: Instant | null; added: readonly string[]; removed: readonly string[] }

const sameIds = (members: readonly Member[], ids: readonly string[]) =>
  members.length === ids.length && members.every(({ id }) => ids.includes(id))

/** Who counts as long as they stay, and comes off the list when the last export is confirmed. */
export const leftOutOf = ({ unnamed }: Pick<Changes, 'unnamed'>, last: LastExport | null): Member[] =>
  last?.confirmedAt === null ? unnamed.filter(({ id }) => last.removed.includes(id)) : []

/** An export of a list that was up to date leaves nothing to confirm, unless the owner has replaced the list with it. */
export const stateOf = (changes: Changes, last: LastExport | null): ListState => {
  const { additions, removals } = changes
  const leftOut = leftOutOf(changes, last)
  if (last !== null && last.confirmedAt === null && last.added.length + last.removed.length > leftOut.length)
    return sameIds(additions, last.added) && sameIds([...removals, ...leftOut], last.removed) ? 'EXPORTED' : 'CHANGED'
  return additions.length + removals.length > 0 ? 'TO_EXPORT' : 'NOTHING_TO_DO'
}

/** Whoever has left since, or has got in before, is not told of a next step. */
export const waitsToGetIn = ({ status, optedIn }: Pick<Member, 'status' | 'optedIn'>): boolean =>
  !optedIn && openStatuses.some(open => open === status)

export const tooManyExports = 'You have exported tester lists many times within the hour. Try again later.'

const wrongState = (message: string) => new DomainError('WRONG_STATE', message)

export const assertHasList = ({ accessMode }: Pick<ListedCampaign, 'accessMode'>): void => {
  if (!hasTesterList(accessMode))
    throw wrongState('Anyone with the link gets into this campaign: it has no tester list.')
}

export const assertConfirmable = (
  last: { exportedAt: Instant; confirmedAt: Instant | null } | null,
  { accessMode }: Pick<ListedCampaign, 'accessMode'>,
  meant?: Instant,
): void => {
  if (last === null)
    throw wrongState(
      `There is no export to confirm. Export the list, bring ${listPlaceOf(accessMode).where} up to date, and confirm then.`,
    )
  if (meant !== undefined && meant !== last.exportedAt)
    throw wrongState('The list has been exported again since. Update the list by the newest export, and confirm then.')
  if (last.confirmedAt !== null)
    throw wrongState('You have confirmed the last export already. Export the list again when it has changed.')
}

/** Offered only with somebody who counts or is verified: applying concerns nobody else. Saying so is taken all the same. */
export const mayApply = (
  { startDate, appliedAt }: Pick<ListedCampaign, 'startDate' | 'appliedAt'>,
  members: readonly Pick<Member, 'optedIn' | 'status'>[],
): boolean =>
  startDate !== null && appliedAt === null && members.some(({ optedIn, status }) => optedIn || status === 'VERIFIED')

export const assertStarted = ({ startDate }: Pick<ListedCampaign, 'startDate'>): void => {
  if (startDate === null) throw wrongState('This campaign has not started, so you cannot have applied with it.')
}

type Addresses = ReadonlyMap<string, string>

const addressesOf = (members: readonly Member[], addresses: Addresses): string[] => [
  ...new Set(members.flatMap(({ id }) => addresses.get(id) ?? [])),
]

/**
 * `email,change`, each address once. An address that two testers gave is not removed while one of them stays, nor added when
 * it is there.
 */
export const changeList = (
  { additions, removals }: Changes,
  members: readonly Member[],
  campaign: ListedCampaign,
  addresses: Addresses,
  now: Instant,
): string => {
  const staying = new Set(
    addressesOf(
      members.filter(member => belongs(member, campaign, now)),
      addresses,
    ),
  )
  const there = new Set(
    addressesOf(
      members.filter(member => member.listed),
      addresses,
    ),
  )
  const added = addressesOf(additions, addresses).filter(address => !there.has(address))
  const removed = addressesOf(removals, addresses).filter(address => !staying.has(address))
  return toCsv([
    ['email', 'change'],
    ...added.map(address => [address, 'ADD']),
    ...removed.map(address => [address, 'REMOVE']),
  ])
}

/** What Play Console takes in place of its list: an address a line, and nothing else. */
export const wholeList = (
  members: readonly Member[],
  campaign: ListedCampaign,
  addresses: Addresses,
  now: Instant,
): string =>
  addressesOf(
    members.filter(member => mayGetIn(member) && belongs(member, campaign, now)),
    addresses,
  ).join('\n')
