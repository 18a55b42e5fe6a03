/**
 * A campaign's seats and the money behind each (docs/decisions/026). A seat is free, taken, verified, or closed; a closed seat
 * is not given again and counts as done. Pure and shared; the SQL functions in migrations/functions compute the same.
 */
import { type Cents, proRata } from '../kit/money.ts'
import type { Campaign } from './contract.ts'

type Seats = { testersRequired: number; seatsTaken: number; closedSeats: number; offeredSeats: number }

/** Seats that a tester can take. A seat held for somebody on the bench is not free. */
export const freeSeats = ({ testersRequired, seatsTaken, closedSeats, offeredSeats }: Seats): number =>
  testersRequired - seatsTaken - closedSeats - offeredSeats

export const freeSeatsOf = ({ testersRequired, closedSeats, offeredSeats, _count }: SeatsOf): number =>
  freeSeats({ testersRequired, closedSeats, offeredSeats, seatsTaken: _count.campaignTesters })

type SeatsOf = Pick<Campaign, 'testersRequired' | 'closedSeats' | 'offeredSeats'> & {
  _count: Pick<Campaign['_count'], 'campaignTesters' | 'verified'>
}
type Paid = SeatsOf &
  Pick<
    Campaign,
    'status' | 'payPerTesterCents' | 'quotedFeeCents' | 'durationDays' | 'fundedCents' | 'feeCents' | 'dispute' | 'held'
  >

const feeShare = ({ quotedFeeCents, testersRequired }: Paid): Cents => proRata(quotedFeeCents, 1, testersRequired)

/** The fee of this many seats that are neither verified nor closed. The last seat of all takes the rounding. */
export const feeOf = (campaign: Paid, seats: number): Cents => {
  const { testersRequired, closedSeats, quotedFeeCents, _count } = campaign
  const settled = _count.verified + closedSeats
  if (seats > 0 && seats + settled === testersRequired) return quotedFeeCents - settled * feeShare(campaign)
  return seats * feeShare(campaign)
}

/** Pay and fee of the seats whose proof was rejected, until the rejection is final. */
export const frozenCents = (campaign: Paid & Pick<Campaign, 'frozen'>): Cents => {
  const seats = campaign.frozen?.seats ?? 0
  return seats * campaign.payPerTesterCents + feeOf(campaign, seats)
}

/** What the platform has earned: the fee shares of the verified seats. */
export const feeEarned = (campaign: Paid): Cents => {
  const { testersRequired, closedSeats, feeCents, held, _count } = campaign
  if (held) return feeCents - held.feeCents
  return _count.verified + closedSeats === testersRequired ? feeCents : _count.verified * feeShare(campaign)
}

/** What is refunded for a free seat that is closed: the pay, and its share of the fee. */
export const seatRefund = (campaign: Paid): { payCents: Cents; feeCents: Cents; totalCents: Cents } => {
  const { testersRequired, closedSeats, payPerTesterCents, _count } = campaign
  const left = testersRequired - closedSeats - _count.verified
  const feeCents = feeOf(campaign, left) - feeOf({ ...campaign, closedSeats: closedSeats + 1 }, left - 1)
  return { payCents: payPerTesterCents, feeCents, totalCents: payPerTesterCents + feeCents }
}

/** The testers' pay that the campaign still holds. */
export const escrowOf = (campaign: Paid): Cents => {
  const { status, testersRequired, closedSeats, payPerTesterCents, fundedCents, held, _count } = campaign
  if (held) return held.payCents
  switch (status) {
    case 'DRAFT':
    case 'REJECTED':
    case 'PENDING_APPROVAL':
    case 'APPROVED':
      return fundedCents
    case 'LIVE':
    case 'PAUSED':
      return (testersRequired - closedSeats - _count.verified) * payPerTesterCents
    case 'COMPLETED':
    case 'CANCELLED':
      return (_count.campaignTesters - _count.verified) * payPerTesterCents
  }
}

/** What the campaign still holds: the testers' pay, and the fee that the platform has not earned. */
export const heldOf = (campaign: Paid): Cents => escrowOf(campaign) + campaign.feeCents - feeEarned(campaign)

/**
 * What happens to money that is no longer needed (docs/decisions/054): it is refunded at once, it waits for the bank's decision
 * on a dispute, or it first covers what a bank took back.
 */
export const surplusGoes = ({ dispute }: Pick<Campaign, 'dispute'>): 'REFUNDED' | 'WAITS' | 'COVERS' => {
  if (dispute === null) return 'REFUNDED'
  return dispute.since === null ? 'COVERS' : 'WAITS'
}

/**
 * What would be refunded at once: everything before the start, afterwards the pay and the fee of the free seats. During a dispute
 * nothing is certain.
 */
export const refundableOf = (campaign: Paid): Cents => {
  const { status, payPerTesterCents, fundedCents, feeCents } = campaign
  if (surplusGoes(campaign) !== 'REFUNDED') return 0
  if (status === 'COMPLETED' || status === 'CANCELLED') return 0
  if (status !== 'LIVE' && status !== 'PAUSED') return fundedCents + feeCents
  const free = freeSeatsOf(campaign)
  const { testersRequired, closedSeats, _count } = campaign
  const left = testersRequired - closedSeats - _count.verified
  // The remaining seats keep their share; the last seat of all takes the rounding.
  return (
    free * payPerTesterCents +
    feeOf(campaign, left) -
    feeOf({ ...campaign, closedSeats: closedSeats + free }, left - free)
  )
}

/** What testers were paid: for verified tests, for the days of a cancelled campaign, and for having waited in vain. */
export const earnedByTesters = (campaign: Paid): Cents => campaign.fundedCents - escrowOf(campaign)
