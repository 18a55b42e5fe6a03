import { Badge } from './Badge.tsx'

/** Reserves the space of a badge that is not known yet. */
export const unknownBadge = (
  <span className="invisible">
    <Badge>Status</Badge>
  </span>
)
