/** What developers are told about money that a campaign no longer needs, and about seats that testers gave up. Pure. */

/** What happens to that money: `surplusGoes` of a campaign (decision 054). */
export type Surplus = 'REFUNDED' | 'WAITS' | 'COVERS'

/** Follows what is refunded: "The pay and the fee of the seat …". */
const goBack: Record<Surplus, string> = {
  REFUNDED: 'are refunded to you.',
  WAITS: 'stay held until your bank has decided on the dispute. What it does not take back is refunded then.',
  COVERS: 'first cover what your bank took back, and only the rest is refunded to you.',
}

/** Follows a singular subject: "what is left of it …". */
export const goesBack: Record<Surplus, string> = {
  REFUNDED: 'is refunded to you.',
  WAITS: 'stays held until your bank has decided on the dispute. What it does not take back is refunded then.',
  COVERS: 'first covers what your bank took back, and only the rest is refunded to you.',
}

export const seatMoney = (surplus: Surplus): string => `The pay and the fee of the seat ${goBack[surplus]}`

/**
 * Who could take the seat. In a campaign that has ended, nobody. A campaign past its end date completes once nobody is testing
 * any more, and takes testers until then.
 */
export type Seat = { campaign: 'TAKES_TESTERS' | 'PAUSED' | 'ENDED'; isPastEnd: boolean; surplus: Surplus }

/** Whether another tester could still take it, if not today. */
export const isGivenAgain = ({ campaign, isPastEnd, surplus }: Seat): boolean =>
  campaign !== 'ENDED' && !isPastEnd && surplus !== 'COVERS'

const pastEnd = 'The campaign is past its end date, and completes as soon as nobody is testing anymore.'

/** Of a seat that nobody was paid for. */
export const seatFate = (seat: Seat, free: string): string => {
  const { campaign, isPastEnd, surplus } = seat
  if (campaign === 'ENDED') return seatMoney(surplus)
  if (surplus === 'COVERS') return `The seat is closed. What you paid for it ${goesBack.COVERS}`
  if (surplus === 'WAITS') return 'The seat is free, but nobody can take it until your bank has decided on the dispute.'
  if (campaign === 'PAUSED')
    return isPastEnd ? pastEnd : 'The seat is free, but nobody can take it while the campaign is paused.'
  return isPastEnd ? `${pastEnd} Until then another tester can take the seat.` : free
}
