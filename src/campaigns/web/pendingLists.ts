/** The lists of what waits for an admin, in order, by their name in the URL. */
export const pendingLists = {
  campaigns: 'Campaigns',
  links: 'Changed links',
  'opt-ins': 'Opt-ins',
  appeals: 'Appeals',
  rejections: 'Rejections',
  payouts: 'Payouts',
  refunds: 'Stuck refunds',
  disputes: 'Disputes',
  escrow: 'Aging escrow',
} as const

export type PendingList = keyof typeof pendingLists
