/** Who belongs on a tester list, what has changed since it was confirmed, and what its exports contain. Pure. */
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
  /** The tester got in: a run continues. */
  optedIn: boolean
  /** The test has not ended. This includes a rejection while its seat is frozen. */
  open: boolean
  /** The owner confirmed that the tester is on the list. */
  listed: boolean
  /** An export added the tester, and no confirmed export has removed them since. */
  exported: boolean
  erased: boolean
  /** What the tester reported if Google Play does not let them in; null again after a confirmation. */
  notLetIn: AccessProblem | null
  /**
   * The campaign asks for an NDA that the tester has not accepted yet, so exports do not add them. Testers who are on the list
   * already stay there.
   */
  ndaAwaited: boolean
}

export type ListedCampaign = {
  accessMode: AccessMode
  startDate: Instant | null
  /** When the campaign was completed or cancelled. */
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
    // A tester who is verified in the end must not have lost the run.
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
 * Testers who are on the list, or were exported, got in before the NDA was asked for. This does not hold for exported ones who
 * reported that Google Play does not let them in.
 */
export const mayGetIn = ({ listed, exported, notLetIn, ndaAwaited }: Member) =>
  listed || (exported && notLetIn === null) || !ndaAwaited

/**
 * The tester has deleted the account, but counts for the date while they stay on the list. Files cannot name them, so they are
 * neither added nor removed.
 */
const staysUnnamed = (member: Member, campaign: ListedCampaign, now: Instant): boolean =>
  member.erased && member.optedIn && belongs({ ...member, erased: false }, campaign, now)

export type Changes = { additions: Member[]; removals: Member[]; unnamed: Member[] }

/**
 * A tester who was exported may be on the list even if the owner never confirmed it, so they have to be removed in the end. Once
 * the addresses of the campaign are erased, there is nothing left to change.
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

/**
 * Who comes off the list when an export is confirmed. The whole list replaces the present one, so everyone whom it cannot name
 * comes off, too.
 */
export const takenOff = ({ removals, unnamed }: Changes, form: ExportForm): Member[] =>
  form === 'play' ? [...removals, ...unnamed] : removals

export type LastExport = { confirmedAt: Instant | null; added: readonly string[]; removed: readonly string[] }

const sameIds = (members: readonly Member[], ids: readonly string[]) =>
  members.length === ids.length && members.every(({ id }) => ids.includes(id))

/** Testers who count while they stay, but come off the list when the last export is confirmed. */
export const leftOutOf = ({ unnamed }: Pick<Changes, 'unnamed'>, last: LastExport | null): Member[] =>
  last?.confirmedAt === null ? unnamed.filter(({ id }) => last.removed.includes(id)) : []

/**
 * An empty export leaves nothing to confirm. An export whose only changes are testers left out counts only if the owner replaced
 * the list with it.
 */
export const stateOf = (changes: Changes, last: LastExport | null): ListState => {
  const { additions, removals } = changes
  const leftOut = leftOutOf(changes, last)
  if (last !== null && last.confirmedAt === null && last.added.length + last.removed.length > leftOut.length)
    return sameIds(additions, last.added) && sameIds([...removals, ...leftOut], last.removed) ? 'EXPORTED' : 'CHANGED'
  return additions.length + removals.length > 0 ? 'TO_EXPORT' : 'NOTHING_TO_DO'
}

/** Testers who have left since, or who got in before, are not told of a next step. */
export const waitsToGetIn = ({ status, optedIn }: Pick<Member, 'status' | 'optedIn'>): boolean =>
  !optedIn && openStatuses.some(open => open === status)

export const tooManyExports = 'You have exported tester lists too many times in the last hour. Try again later.'

const wrongState = (message: string) => new DomainError('WRONG_STATE', message)

export const assertHasList = ({ accessMode }: Pick<ListedCampaign, 'accessMode'>): void => {
  if (!hasTesterList(accessMode))
    throw wrongState('Anyone with the link can get into this test, so it has no tester list.')
}

export const assertConfirmable = (
  last: { exportedAt: Instant; confirmedAt: Instant | null } | null,
  { accessMode }: Pick<ListedCampaign, 'accessMode'>,
  meant?: Instant,
): void => {
  if (last === null)
    throw wrongState(
      `There is no export to confirm. Export the list, bring ${listPlaceOf(accessMode).where} up to date, and then confirm it.`,
    )
  if (meant !== undefined && meant !== last.exportedAt)
    throw wrongState(
      'The list has been exported again since then. Update your list with the newest export, and then confirm it.',
    )
  if (last.confirmedAt !== null)
    throw wrongState('You have already confirmed the last export. Export the list again when it has changed.')
}

/** Offered only if somebody counts or is verified, since applying concerns nobody else. The call itself works without that. */
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
 * `email,change`, with each address once. An address that two testers share is not removed while one of them stays, and not added
 * if it is already there.
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

/** The format that Play Console imports in place of its list: one address per line, and nothing else. */
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
