/** What other slices' screens may use of participations. */
export { ParticipationBadge } from './ParticipationBadge.tsx'
export { CheckInButton } from './CheckInButton.tsx'
