/** Audit entries as sentences: "Ann approved the campaign Notes". Pure; shared by the log and a user's profile. */
import type { AuditAction } from './actions.ts'
import { formatCents, formatRate } from '../kit/money.ts'
import type { AuditEntry } from './contract.ts'

type Words = {
  /** The verb, before its subject. */
  did: string
  /** Introduces the subject's name; null when the action has no subject. */
  to: 'the campaign' | 'a test of' | 'the user' | 'the report on' | 'the admin account of' | null
  /** The action's label in the filter. */
  label: string
}

const words: Record<AuditAction, Words> = {
  'campaign.approve': { did: 'approved', to: 'the campaign', label: 'Campaign approved' },
  'campaign.reject': { did: 'rejected', to: 'the campaign', label: 'Campaign rejected' },
  'campaign.approve-link': { did: 'approved the new link of', to: 'the campaign', label: 'New link approved' },
  'campaign.reject-link': { did: 'rejected the new link of', to: 'the campaign', label: 'New link rejected' },
  'campaign.pause': { did: 'paused', to: 'the campaign', label: 'Campaign paused' },
  'campaign.cancel': { did: 'cancelled', to: 'the campaign', label: 'Campaign cancelled' },
  'escrow.extend': { did: 'extended the escrow of', to: 'the campaign', label: 'Escrow extended' },
  'escrow.renew': { did: 'requested a new payment for', to: 'the campaign', label: 'New payment requested' },
  'dispute.note': { did: 'added a note to the dispute about', to: 'the campaign', label: 'Dispute note added' },
  'dispute.decide': { did: 'recorded the outcome of the dispute about', to: 'the campaign', label: 'Dispute decided' },
  'dispute.settle': { did: 'recorded the debt as paid for', to: 'the campaign', label: 'Debt for a dispute paid' },
  'dispute.waive': { did: 'waived the debt for', to: 'the campaign', label: 'Debt for a dispute waived' },
  'dispute.give-back': {
    did: 'recorded money as given back for',
    to: 'the campaign',
    label: 'Paid debt given back',
  },
  'campaign.export-tester-list': {
    did: 'exported the tester list of',
    to: 'the campaign',
    label: 'Tester list exported',
  },
  'campaign.export-nda': {
    did: 'exported the names of those who accepted the NDA of',
    to: 'the campaign',
    label: 'NDA names exported',
  },
  'participation.verify': { did: 'verified', to: 'a test of', label: 'Test verified' },
  'participation.request-changes': { did: 'requested changes to', to: 'a test of', label: 'Changes requested' },
  'participation.reject': { did: 'rejected', to: 'a test of', label: 'Test rejected' },
  'participation.decide-opt-in': {
    did: 'decided on the opt-in of',
    to: 'a test of',
    label: 'Contested opt-in decided',
  },
  'bug.change': { did: 'updated a bug in', to: 'the campaign', label: 'Bug updated' },
  'bug.comment': { did: 'commented on a bug in', to: 'the campaign', label: 'Bug comment added' },
  'participation.decide-rejection': { did: 'decided on the rejection of', to: 'a test of', label: 'Rejection decided' },
  'participation.decide-appeal': { did: 'decided on the appeal of', to: 'a test of', label: 'Appeal decided' },
  'payout.release': { did: 'released a payout of', to: 'the user', label: 'Payout released' },
  'payout.confirm': { did: 'confirmed a payout of', to: 'the user', label: 'Payout confirmed' },
  'payout.refuse': { did: 'refused a payout of', to: 'the user', label: 'Payout refused' },
  'refund.retry': { did: 'retried a stuck refund for', to: 'the user', label: 'Refund tried again' },
  'refund.pay': {
    did: 'recorded a refund paid by other means to',
    to: 'the user',
    label: 'Refund paid by other means',
  },
  'refund.confirm': {
    did: 'confirmed a refund paid by other means to',
    to: 'the user',
    label: 'Refund by other means confirmed',
  },
  'refund.refuse': {
    did: 'discarded the record of a refund by other means to',
    to: 'the user',
    label: 'Refund by other means discarded',
  },
  'refund.settle': { did: 'settled a refund paid twice to', to: 'the user', label: 'Refund paid twice settled' },
  'user.message': { did: 'sent a message to', to: 'the user', label: 'Message sent' },
  'user.ban': { did: 'suspended', to: 'the user', label: 'User suspended' },
  'user.unban': { did: 'restored', to: 'the user', label: 'User restored' },
  'user.reset-second-factor': {
    did: 'reset the second factor of',
    to: 'the user',
    label: 'Second factor reset',
  },
  'admin.create': { did: 'created', to: 'the admin account of', label: 'Admin account created' },
  'admin.rename': { did: 'changed their own name', to: null, label: 'Admin renamed' },
  'admin.change-email': { did: 'changed their own email address', to: null, label: 'Admin email address changed' },
  'admin.delete': { did: 'deleted their own admin account', to: null, label: 'Admin account deleted' },
  'fraud.scan': { did: 'started a fraud scan', to: null, label: 'Fraud scan started' },
  'fraud.resolve': { did: 'resolved', to: 'the report on', label: 'Fraud report resolved' },
  'fraud.dismiss': { did: 'dismissed', to: 'the report on', label: 'Fraud report dismissed' },
  'fraud.generate-samples': { did: 'generated sample reports', to: null, label: 'Sample reports generated' },
  'fraud.clear': { did: 'cleared the fraud reports', to: null, label: 'Fraud reports cleared' },
  'settings.change': { did: 'changed the system settings', to: null, label: 'Settings changed' },
  'settings.propose': {
    did: 'proposed to relax the two-admin rule for payouts',
    to: null,
    label: 'Change to the two-admin rule proposed',
  },
  'settings.confirm': {
    did: 'confirmed a change to the two-admin rule for payouts',
    to: null,
    label: 'Change to the two-admin rule confirmed',
  },
  'settings.refuse': {
    did: 'refused a change to the two-admin rule for payouts',
    to: null,
    label: 'Change to the two-admin rule refused',
  },
  'settings.replace-key': { did: 'replaced the encryption key', to: null, label: 'Encryption key replaced' },
  'figures.mend': { did: 'corrected dashboard figures', to: null, label: 'Figures corrected' },
  'checks.run': { did: 'started the data checks', to: null, label: 'Data checks started' },
  'jobs.pause': { did: 'paused the jobs', to: null, label: 'Jobs paused' },
  'withdrawals.go-on': { did: 'resumed withdrawals', to: null, label: 'Withdrawals resumed' },
  'jobs.resume': { did: 'resumed the jobs', to: null, label: 'Jobs resumed' },
}

export const actionLabel = (action: AuditAction): string => words[action].label

/** An action that only a newer server knows is shown by its key. */
const wordsOf = (action: string): Pick<Words, 'did' | 'to'> =>
  Object.hasOwn(words, action) ? words[action as AuditAction] : { did: action, to: null }

/** "suspended", for a sentence such as "Ann suspended this user". */
export const actionWords = (action: string): string => wordsOf(action).did

/** The admin's name; a command on the server has none. */
export const actorOf = ({ admin }: Pick<AuditEntry, 'admin'>): string => admin?.name ?? 'Server command'

/** Wording for cases in which the action alone does not tell what was done. */
const specialWords = ({ action, admin, facts }: Pick<AuditEntry, 'action' | 'admin' | 'facts'>) => {
  if (action === 'fraud.scan' && facts['running'] === true) return 'asked for a fraud scan while one was running'
  if (action === 'admin.delete' && admin === null) return 'deleted an admin account'
  return null
}

/** The sentence in two parts, so its subject can be a link. */
export const sentenceOf = (
  entry: Pick<AuditEntry, 'action' | 'admin' | 'subject' | 'facts'>,
): { did: string; subject: string | null } => {
  const { action, subject } = entry
  const special = specialWords(entry)
  const { did, to } = special === null ? wordsOf(action) : { did: special, to: null }
  if (to === null) return { did, subject: null }
  return { did: `${did} ${to}`, subject: subject ?? '[deleted]' }
}

const factLabels: Record<string, string> = {
  reason: 'Reason',
  pausedBecause: 'Reason for the pause',
  amountCents: 'Amount',
  note: 'Note',
  name: 'Name at the time',
  nameBefore: 'Name before',
  nameAfter: 'Name after',
  emailBefore: 'Email before',
  emailAfter: 'Email after',
  until: 'Until',
  code: 'Problem',
  subject: 'Subject',
  resolution: 'Resolution',
  feeBasisPoints: 'Platform fee',
  minimumWithdrawalCents: 'Minimum withdrawal',
  payoutApprovalCents: 'Two admins for payouts above',
  goodwillPerDeveloperCents: 'Goodwill pay per developer',
  goodwillInAllCents: 'Goodwill pay, total',
  reviewHours: 'Review window (hours)',
  confirmedEmailRequired: 'Confirmed email address required',
  atRiskHours: 'At risk after (hours)',
  dropHours: 'Dropped after (hours)',
  draftsPerDeveloper: 'Drafts per developer',
  openTestsPerTester: 'Open tests per tester',
  answerCharacters: 'Answers in reports (characters)',
  consentAfterOverturned: 'Consent after overturned rejections',
  consentOfLast: 'Rejections considered',
  checkInMonths: 'Check-ins (months kept)',
  notificationMonths: 'Notifications (months kept)',
  auditLogMonths: 'Audit log (months kept)',
  signInMonths: 'Failed sign-ins (months kept)',
  jobDays: 'Finished jobs (days kept)',
  weakPasswords: 'Weak passwords',
  form: 'Export',
  additions: 'To be added',
  removals: 'To be removed',
  rollUps: 'Roll-ups',
}

/** Formats the numbers of a changed setting, which is stored raw: "1500 → 1250". */
const formatOf = (name: string): ((figure: number) => string) | undefined => {
  if (name.endsWith('Cents')) return formatCents
  return name === 'feeBasisPoints' ? formatRate : undefined
}

/** Labels of facts that are stored as codes: "warn → refuse" for a changed setting. */
const codes: Record<string, Record<string, string>> = {
  form: { play: 'The list for Play Console', changes: 'What has changed since the last one' },
  weakPasswords: { warn: 'Warn only', refuse: 'Refuse for everyone' },
}

const formatFact = (name: string, value: string | number | boolean) => {
  const named = codes[name]
  if (named) return String(value).replaceAll(/\w+/g, code => named[code] ?? code)
  const format = formatOf(name)
  return format ? String(value).replaceAll(/\d+/g, figure => format(Number(figure))) : String(value)
}

/** For facts without a label: "removedSamples" → "Removed samples", "heldCents" → "Held". */
const labelOf = (name: string) => {
  const spaced = name.replace(/Cents$/, '').replaceAll(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}

export const factsOf = ({ action, facts }: Pick<AuditEntry, 'action' | 'facts'>): { label: string; value: string }[] =>
  Object.entries(facts)
    // The sentence already says this.
    .filter(([name]) => !(action === 'fraud.scan' && name === 'running'))
    .map(([name, value]) => ({
      label: action === 'fraud.resolve' && name === 'reason' ? 'Resolution' : (factLabels[name] ?? labelOf(name)),
      value: formatFact(name, value),
    }))
