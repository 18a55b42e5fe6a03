/** Words for why a seat was given up, shared by screens, reports and exports. Pure. */
import type { DropReason } from './contract.ts'

/** The reason after "Dropped": "due proof not submitted within 72 hours". */
export const dropWords: Record<DropReason, (dropHours: number) => string> = {
  LEFT: () => 'left',
  NO_CHECK_IN: dropHours => `no check-in for ${dropHours} hours`,
  NO_PROOF: dropHours => `due proof not submitted within ${dropHours} hours`,
  NOT_OPTED_IN: dropHours => `no opt-in within ${dropHours} hours`,
  OPTED_OUT: dropHours => `opted out for ${dropHours} hours`,
  THIRD_OPT_OUT: () => 'opted out for the third time',
  SUSPENDED: () => 'account suspended',
  NDA_NOT_ACCEPTED: dropHours => `NDA not accepted within ${dropHours} hours`,
}

/** The same without the hours, for a campaign's history, which does not keep them. */
export const shortDropWords: Record<DropReason, string> = {
  LEFT: 'left',
  NO_CHECK_IN: 'missed check-ins',
  NO_PROOF: 'proof not submitted in time',
  NOT_OPTED_IN: 'did not opt in',
  OPTED_OUT: 'opted out',
  THIRD_OPT_OUT: 'opted out for the third time',
  SUSPENDED: 'account suspended',
  NDA_NOT_ACCEPTED: 'did not accept the NDA',
}
