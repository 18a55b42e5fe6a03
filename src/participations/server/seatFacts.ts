/** What the owner's notifications say of a test: what becomes of its seat, and who rejected its proof. Pure. */
import { hasEnded } from '../../campaigns/rules.ts'
import type { surplusGoes } from '../../campaigns/seats.ts'
import type { ParticipationRow } from './queries.ts'

/** As `surplusGoes` of its campaign (decision 054). */
export const surplusOf = ({ disputed, disputeLost }: ParticipationRow): ReturnType<typeof surplusGoes> => {
  if (disputed) return 'WAITS'
  return disputeLost ? 'COVERS' : 'REFUNDED'
}

export const seatOf = (row: ParticipationRow) => ({ ended: hasEnded(row.campaignStatus), surplus: surplusOf(row) })

/** While a payment is disputed only admins reject. Who consents to a rejection leaves it the developer's. */
export const isRejectedByAdmin = ({ reviewedBy, developerId }: ParticipationRow): boolean => reviewedBy !== developerId
