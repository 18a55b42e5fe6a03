/** Audit actions and subjects, apart from the contract so that a first screen does not load zod. */
export const auditActions = [
  'campaign.approve',
  'campaign.reject',
  'campaign.approve-link',
  'campaign.reject-link',
  'campaign.pause',
  'campaign.cancel',
  'campaign.export-tester-list',
  'campaign.export-nda',
  'participation.verify',
  'participation.request-changes',
  'participation.reject',
  'participation.decide-opt-in',
  'bug.change',
  'bug.comment',
  'participation.decide-appeal',
  'participation.decide-rejection',
  'user.message',
  'user.ban',
  'user.unban',
  'user.reset-second-factor',
  'fraud.scan',
  'fraud.resolve',
  'fraud.dismiss',
  'fraud.generate-samples',
  'fraud.clear',
  'settings.change',
  'figures.mend',
] as const
export type AuditAction = (typeof auditActions)[number]

export const auditSubjects = [
  'campaign',
  'participation',
  'user',
  'fraud-report',
  'fraud',
  'settings',
  'figures',
] as const
export type AuditSubject = (typeof auditSubjects)[number]
