/** What the owner's notifications say about a test: what happens to its seat, and who rejected its proof. */
import { hasEnded } from '../../campaigns/rules.ts'
import type { Seat } from '../../notifications/server/notifications.ts'
import { clock } from '../../kit/clock.ts'
import type { surplusGoes } from '../../campaigns/seats.ts'
import type { ParticipationRow } from './queries.ts'

/** Like `surplusGoes` for its campaign (decision 054). */
export const surplusOf = ({ disputed, disputeLost }: ParticipationRow): ReturnType<typeof surplusGoes> => {
  if (disputed) return 'WAITS'
  return disputeLost ? 'COVERS' : 'REFUNDED'
}

const campaignOf = ({ campaignStatus }: ParticipationRow): Seat['campaign'] => {
  if (hasEnded(campaignStatus)) return 'ENDED'
  return campaignStatus === 'PAUSED' ? 'PAUSED' : 'TAKES_TESTERS'
}

export const seatOf = (row: ParticipationRow): Seat => ({
  campaign: campaignOf(row),
  isPastEnd: row.campaignEndDate !== null && row.campaignEndDate <= clock.now(),
  surplus: surplusOf(row),
})

/** While a payment is disputed only admins reject. A rejection that an admin consented to is still the developer's. */
export const isRejectedByAdmin = ({ reviewedBy, developerId }: ParticipationRow): boolean => reviewedBy !== developerId
