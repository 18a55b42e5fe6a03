/** Enums and limits of campaigns. No schemas: a first screen that imports them must not load zod. */
export const campaignStatuses = [
  'DRAFT',
  'PENDING_APPROVAL',
  'APPROVED',
  'REJECTED',
  'LIVE',
  'PAUSED',
  'COMPLETED',
  'CANCELLED',
] as const

export const campaignStatusLabels: Record<(typeof campaignStatuses)[number], string> = {
  DRAFT: 'Draft',
  PENDING_APPROVAL: 'Pending approval',
  APPROVED: 'Approved',
  REJECTED: 'Rejected',
  LIVE: 'Live',
  PAUSED: 'Paused',
  COMPLETED: 'Completed',
  CANCELLED: 'Cancelled',
}

/** Who pauses a campaign besides its owner: an admin, or the suspension of the owner’s account. */
export const pausers = ['ADMIN', 'SUSPENSION'] as const
export type Pauser = (typeof pausers)[number]

export const platforms = ['android', 'ios'] as const

export const platformNames: Record<(typeof platforms)[number], string> = { android: 'Android', ios: 'iOS' }

/**
 * How testers get the app. `EMAIL_LIST` and `GOOGLE_GROUP` are closed tests on Google Play: the developer puts each tester's
 * Google account on a list first. `OPEN_LINK` is for anyone who has the link.
 */
export const accessModes = ['EMAIL_LIST', 'GOOGLE_GROUP', 'OPEN_LINK'] as const
export type AccessMode = (typeof accessModes)[number]

/** Google's rule for personal accounts before an app may go public: this many testers, opted in for this many unbroken days. */
export const googleRule = { testers: 12, days: 14 } as const

/** What a user can do with a campaign; `lifecycle` in rules.ts says who may, and when. */
export const campaignActions = [
  'update',
  'fund',
  'renew',
  'submit',
  'approve',
  'reject',
  'approveLink',
  'rejectLink',
  'start',
  'pause',
  'closeSeat',
  'cancel',
  'join',
  'enterBench',
] as const

/** The orders of a tester's list of campaigns to join, and of an admin's list of all campaigns. */
export const availableSorts = ['newest', 'highestPay', 'shortest'] as const
export const campaignSorts = ['newest', 'oldest', 'highestPay', 'lowestPay', 'mostPaid', 'leastPaid'] as const
export type CampaignSort = (typeof availableSorts)[number] | (typeof campaignSorts)[number]

/** Limits of spec §5 and §9. The upper limit of the pay keeps every sum far below the largest safe integer. */
export const limits = {
  title: 120,
  description: 5000,
  minTesters: 1,
  maxTesters: 100,
  minPayCents: 100,
  maxPayCents: 1_000_000,
  minDays: 1,
  maxDays: 90,
  features: 20,
  feature: 120,
} as const

export const campaignDefaults = { testersRequired: 10, payPerTesterCents: 1000, durationDays: 14 } as const

/** The fields that an edit can change, as recorded in the activity. */
export const editableFields = [
  'title',
  'description',
  'distributionLink',
  'platform',
  'testersRequired',
  'payPerTesterCents',
  'durationDays',
  'filters',
  'dailyCheckIn',
  'accessMode',
  'groupLink',
  'features',
] as const
export type EditableField = (typeof editableFields)[number]

/** What an admin can do about money that has been in escrow for too long; also the record of what was done. */
export const escrowActions = ['extend', 'renew', 'cancel'] as const
export type EscrowAction = (typeof escrowActions)[number]
export const escrowDecisions = ['EXTENDED', 'RENEWAL_ASKED', 'CANCELLED'] as const
export type EscrowDecision = (typeof escrowDecisions)[number]
