/** A campaign as its viewer sees it: the costs, the allowed actions, and the link for those who may test. */
import { clock } from '../../kit/clock.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import type { Campaign } from '../contract.ts'
import { quote } from '../quote.ts'
import { surplusGoes } from '../seats.ts'
import { allowedActions, hasEnded, type Situation, type Viewer } from '../rules.ts'
import type { CampaignRow } from './queries.ts'

export const viewerOf = (user: SignedIn, row: CampaignRow): Viewer => {
  if (user.role !== 'DEVELOPER') return user.role
  return row.developerId === user.id ? 'OWNER' : 'STRANGER'
}

const costsOf = (row: CampaignRow) => {
  const costs = quote(row.testersRequired, row.payPerTesterCents, row.feeBasisPoints)
  const paidCents = row.fundedCents + row.feeCents
  // Only a draft can have an outstanding amount. Later the paid-in amount decreases as testers are paid.
  return { ...costs, outstandingCents: row.status === 'DRAFT' ? Math.max(0, costs.totalCostCents - paidCents) : 0 }
}

const linkWaits = ({ pendingLink, pendingGroupLink }: CampaignRow) => pendingLink !== null || pendingGroupLink !== null

export const situationOf = (row: CampaignRow): Situation => ({
  status: row.status,
  outstandingCents: costsOf(row).outstandingCents,
  seatsTaken: row.seatsTaken,
  closedSeats: row.closedSeats,
  offeredSeats: row.offeredSeats,
  benchTesters: row.benchTesters,
  promisedSeats: (row.promisesUntil ?? []).filter(until => until > clock.now()).length,
  testersRequired: row.testersRequired,
  joinedBefore: row.participationId !== null,
  takesNobody: row.disputedSince !== null || row.disputeLostAt !== null,
  renewalCents: row.renewalCents,
  paymentIsOnItsWay: row.paymentIsOnItsWay,
  linkWaits: linkWaits(row),
})

/** A tester must accept a required NDA before getting into the app. After the end, verified testers are no longer asked. */
const doorIsOpen = (viewer: Viewer, { ndaVersion, ndaAccepted, participationStatus, status }: CampaignRow) =>
  viewer === 'OWNER' ||
  viewer === 'ADMIN' ||
  ndaVersion === null ||
  ndaAccepted !== null ||
  (participationStatus === 'VERIFIED' && hasEnded(status))

/** A tester sees the link while testing and once verified, not after leaving or being dropped. */
const seesLink = (viewer: Viewer, row: CampaignRow) =>
  viewer === 'OWNER' ||
  viewer === 'ADMIN' ||
  ['ACTIVE', 'SUBMITTED', 'CHANGES_REQUESTED', 'VERIFIED'].includes(row.participationStatus ?? '')

/** A waiting link is shown to the owner and to admins only. */
const waitingLinks = (viewer: Viewer, row: CampaignRow) =>
  linkWaits(row) && (viewer === 'OWNER' || viewer === 'ADMIN')
    ? {
        pendingLink: row.pendingLink,
        pendingGroupLink: row.pendingGroupLink,
        pendingLinkSince: row.linkRequestedAt,
      }
    : { pendingLink: null, pendingGroupLink: null, pendingLinkSince: null }

/** Shown to the owner, to admins, and to the testers inside, whose tests go on. */
const seesDispute = (viewer: Viewer, row: CampaignRow) =>
  (row.disputedSince !== null || row.disputeLostAt !== null) &&
  (viewer === 'OWNER' ||
    viewer === 'ADMIN' ||
    ['ACTIVE', 'SUBMITTED', 'CHANGES_REQUESTED'].includes(row.participationStatus ?? ''))

/** What happens to money that the campaign no longer needs. */
export const surplusOf = (
  row: Pick<CampaignRow, 'disputedSince' | 'disputeLostAt'>,
): ReturnType<typeof surplusGoes> => {
  const { disputedSince: since, disputeLostAt: lostAt } = row
  return surplusGoes({ dispute: since === null && lostAt === null ? null : { since, lostAt } })
}

/** Shown to the owner and to admins while the new payment is due and can be made. */
const renewalOf = (viewer: Viewer, row: CampaignRow, situation: Situation): Campaign['renewal'] => {
  const { renewalAskedAt: askedAt, renewalCents: amountCents } = row
  if (askedAt === null || amountCents === null || viewer === 'TESTER') return null
  const unpaid = { ...situation, paymentIsOnItsWay: false }
  return allowedActions('OWNER', unpaid).includes('renew') ? { askedAt, amountCents } : null
}

export const toCampaign = (user: SignedIn, row: CampaignRow): Campaign => {
  const [viewer, situation] = [viewerOf(user, row), situationOf(row)]
  const isOpen = doorIsOpen(viewer, row)
  const isOwners = viewer === 'OWNER' || viewer === 'ADMIN'
  return {
    ...row,
    ...costsOf(row),
    distributionLink: isOpen && seesLink(viewer, row) ? row.distributionLink : null,
    groupLink: isOpen ? row.groupLink : null,
    ...waitingLinks(viewer, row),
    frozen: isOwners ? row.frozen : null,
    dispute: seesDispute(viewer, row) ? { since: row.disputedSince, lostAt: row.disputeLostAt } : null,
    held: isOwners ? row.held : null,
    pausedBy: isOwners ? row.pausedBy : null,
    renewal: renewalOf(viewer, row, situation),
    filters: {
      countries: row.countries,
      minAndroidVersion: row.minAndroidVersion,
      minIOSVersion: row.minIOSVersion,
    },
    _count: { campaignTesters: row.seatsTaken, joined: row.joinsEver, verified: row.verifiedTesters },
    developer: { id: row.developerId, name: row.developerName },
    participation:
      row.participationId !== null && row.participationStatus !== null
        ? { id: row.participationId, status: row.participationStatus }
        : null,
    actions: allowedActions(viewer, situation),
  }
}
