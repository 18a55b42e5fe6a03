/** Enums of fraud reports. No schemas: a first screen that imports them must not load zod. */
export const severities = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'] as const
export const reportStatuses = ['OPEN', 'RESOLVED', 'DISMISSED'] as const
export const scanStates = ['QUEUED', 'RUNNING', 'DONE', 'FAILED'] as const
export const reportKinds = [
  'SHARED_DEVICE',
  'SELF_TEST',
  'SAME_PROOF',
  'NEAR_PROOF',
  'SAME_PICTURE',
  'EARLY_WITHDRAWAL',
  'SHARED_PLAY_ADDRESS',
  'THROW_AWAY_MAIL',
  'EVEN_CHECK_INS',
] as const
export type ReportKind = (typeof reportKinds)[number]
