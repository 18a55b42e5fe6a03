/** How each kind of entry is worded, and where it links to. Pure. */
import { hoursBetween, type Instant } from '../../kit/clock.ts'
import { paths } from '../../kit/paths.ts'
import type { Role } from '../../kit/roles.ts'
import { counted } from '../../kit/words.ts'
import type { Need, Needs } from '../contract.ts'
import { countsEnd, type NeedKind } from '../terms.ts'

export type NeedWords = { text: string; action: string; to: string }

/** "1 proof", or "9+ proofs". */
const upTo = (count: number, noun: string) => (count >= countsEnd ? `${countsEnd - 1}+ ${noun}s` : counted(count, noun))

const severityWords = { CRITICAL: 'critical', HIGH: 'high', MEDIUM: 'medium', LOW: 'low' } as const

type Words = (need: Need & { campaignId: string; title: string }) => NeedWords

const toTest = (need: Need) => (need.testId === null ? paths.myTests : paths.myTest(need.testId))

const words: Record<NeedKind, Words> = {
  PROOFS: ({ count, campaignId }) => ({
    text: `${upTo(count, 'proof')} to review`,
    action: 'Review',
    to: paths.review(campaignId),
  }),
  AT_RISK: ({ count, campaignId }) => ({
    text: `${upTo(count, 'tester')} at risk of dropping out`,
    action: 'See who',
    to: paths.campaignTab(campaignId, 'testers'),
  }),
  TO_LIST: ({ count, campaignId }) => ({
    text: `${upTo(count, 'tester')} to confirm on the tester list`,
    action: 'Open the list',
    to: paths.campaignTab(campaignId, 'list'),
  }),
  PAUSED_BY_ADMIN: ({ campaignId }) => ({
    text: 'Paused, but not by you: resume it to continue',
    action: 'Resume',
    to: paths.campaign(campaignId),
  }),
  SENT_BACK: ({ campaignId }) => ({
    text: 'Sent back by our team: edit and resubmit it',
    action: 'See why',
    to: paths.campaign(campaignId),
  }),
  TO_SUBMIT: ({ campaignId }) => ({
    text: 'Paid and ready: submit it for approval',
    action: 'Submit',
    to: paths.campaign(campaignId),
  }),
  UNPAID: ({ campaignId }) => ({ text: 'An unpaid draft', action: 'Pay', to: paths.campaign(campaignId) }),
  TO_START: ({ campaignId }) => ({
    text: 'Approved: start it so testers can join',
    action: 'Start',
    to: paths.campaign(campaignId),
  }),
  APPEALED: ({ count, campaignId }) => ({
    text: `${upTo(count, 'appeal')} against ${count === 1 ? 'a rejection' : 'rejections'}; our team decides`,
    action: 'See details',
    to: paths.campaignTab(campaignId, 'testers'),
  }),
  SEAT_OFFER: need => ({ text: 'A seat is held for you', action: 'Take the seat', to: toTest(need) }),
  CHANGES: need => ({ text: 'Changes requested to your proof', action: 'See details', to: toTest(need) }),
  MAY_APPEAL: need => ({ text: 'Your proof was rejected: you can appeal', action: 'See why', to: toTest(need) }),
  PROOF: need => ({ text: 'Your proof is due', action: 'Submit proof', to: toTest(need) }),
  NDA: need => ({ text: 'Accept the NDA to get the app', action: 'Read it', to: toTest(need) }),
  OPT_IN: need => ({ text: 'Opt in on Google Play', action: 'Opt in', to: toTest(need) }),
  CHECK_IN: need => ({ text: 'Check in for today', action: 'Check in', to: toTest(need) }),
  RETEST: need => ({
    text:
      need.bugId === null
        ? 'A new version addresses your feedback: take another look'
        : 'A bug you reported is fixed: please retest',
    action: 'Test again',
    to: need.bugId === null ? toTest(need) : paths.bug(need.bugId),
  }),
  APPEAL_DECIDED: need => ({ text: 'Your appeal has been decided', action: 'See the outcome', to: toTest(need) }),
  CAMPAIGNS: ({ count }) => ({
    text: `${upTo(count, 'campaign')} to approve`,
    action: 'Review',
    to: paths.campaignsPending,
  }),
  LINKS: ({ count }) => ({
    text: `${upTo(count, 'changed link')} to review`,
    action: 'Review',
    to: paths.linksPending,
  }),
  APPEALS: ({ count }) => ({
    text: `${upTo(count, 'appeal')} to decide`,
    action: 'Decide',
    to: paths.appealsPending,
  }),
  REJECTIONS: ({ count }) => ({
    text: `${upTo(count, 'rejection')} waiting for consent`,
    action: 'Decide',
    to: paths.rejectionsPending,
  }),
  PAYOUTS: ({ count }) => ({
    text: `${upTo(count, 'payout')} to release or confirm`,
    action: 'Decide',
    to: paths.payoutsPending,
  }),
  DISPUTES: ({ count }) => ({
    text: `${upTo(count, 'disputed payment')} to review`,
    action: 'Open',
    to: paths.disputesOpen,
  }),
  LOST_DISPUTES: ({ count }) => ({
    text: `${upTo(count, 'disputed payment')} from before the restore: respond in Stripe`,
    action: 'Open',
    to: paths.operations,
  }),
  REFUNDS_STUCK: ({ count }) => ({
    text: `${upTo(count, 'stuck refund')} to pay or confirm`,
    action: 'Open',
    to: paths.refundsStuck,
  }),
  LIMIT_CHANGE: () => ({
    text: 'A change to the two-admin rule for payouts is waiting for a second admin',
    action: 'Decide',
    to: paths.systemSettings,
  }),
  REFUNDS_PAID_TWICE: ({ count }) => ({
    text: `${upTo(count, 'refund')} paid twice: ask the developer for it back`,
    action: 'Open',
    to: paths.refundsStuck,
  }),
  DEBTS_TO_GIVE_BACK: ({ count }) => ({
    text: `${upTo(count, 'paid debt')} no longer owed: give the money back`,
    action: 'Open',
    to: paths.disputesOpen,
  }),
  ESCROW: ({ count }) => ({
    text: `${upTo(count, 'campaign')} with money in escrow for too long`,
    action: 'Decide',
    to: paths.escrowAging,
  }),
  OPT_INS: ({ count }) => ({
    text: `${upTo(count, 'contested opt-in')} to decide`,
    action: 'Decide',
    to: paths.optInsContested,
  }),
  FRAUD: ({ count, severity }) => ({
    text: upTo(count, `${severityWords[severity ?? 'LOW']}-severity fraud report`),
    action: 'Investigate',
    to: paths.fraudOpen(severity ?? 'LOW'),
  }),
  PAYOUT_FAILED: ({ user }) => ({
    text: 'A payout failed; the money is back in the balance',
    action: 'See the user',
    to: paths.user(user?.id ?? ''),
  }),
  PAYOUT_WAITS: ({ user }) => ({
    text: 'A payout has been waiting for more than an hour',
    action: 'See the user',
    to: paths.user(user?.id ?? ''),
  }),
  JOBS_PAUSED: () => ({
    text: 'Jobs are paused: payouts, refunds and deadlines are on hold',
    action: 'See why',
    to: paths.operations,
  }),
  WITHDRAWALS_STOPPED: () => ({
    text: 'Withdrawals are stopped: a check of the books failed',
    action: 'See details',
    to: paths.operations,
  }),
  CHECKS: ({ count }) => ({
    text: `${upTo(count, 'data check')} ${count === 1 ? 'fails' : 'fail'}`,
    action: 'See the rows',
    to: paths.operations,
  }),
  MAIL_FAILS: () => ({
    text: 'Emails cannot be sent',
    action: 'See why',
    to: paths.operations,
  }),
  BACKUPS_REFUSED: () => ({
    text: 'Backups are failing',
    action: 'See why',
    to: paths.operations,
  }),
  FIGURES: ({ count }) => ({
    text: `The nightly check corrected figures${count > 1 ? ` ${count >= countsEnd ? `${countsEnd - 1}+` : count} times` : ''} this week`,
    action: 'See details',
    to: `${paths.auditLog}?action=figures.mend`,
  }),
}

/** Entries that stand for the rest of a kind, beyond the first few. */
const others: Partial<Record<NeedKind, (count: number) => NeedWords>> = {
  CHECK_IN: count => ({ text: `${upTo(count, 'more test')} waiting for you`, action: 'See all', to: paths.myTests }),
  PAYOUT_FAILED: count => ({ text: upTo(count, 'more failed payout'), action: 'See users', to: paths.users }),
  PAYOUT_WAITS: count => ({ text: upTo(count, 'more waiting payout'), action: 'See users', to: paths.users }),
}
const listOf: Partial<Record<NeedKind, string>> = {
  PAUSED_BY_ADMIN: `${paths.campaigns}?status=PAUSED`,
  SENT_BACK: `${paths.campaigns}?status=REJECTED`,
  TO_SUBMIT: `${paths.campaigns}?status=DRAFT`,
  UNPAID: `${paths.campaigns}?status=DRAFT`,
  TO_START: `${paths.campaigns}?status=APPROVED`,
}
const otherCampaigns: Partial<Record<NeedKind, string>> = {
  PROOFS: 'with proofs to review',
  AT_RISK: 'with testers at risk',
  TO_LIST: 'with testers to confirm on the list',
  APPEALED: 'with an appeal',
  PAUSED_BY_ADMIN: 'paused, but not by you',
  SENT_BACK: 'sent back',
  TO_SUBMIT: 'to submit for approval',
  UNPAID: 'not paid yet',
  TO_START: 'to start',
}

/** A page from the previous release may receive a kind that it does not know. */
export const isKnown = ({ kind }: Pick<Need, 'kind'>): boolean => Object.hasOwn(words, kind)

export const needWords = (need: Need): NeedWords => {
  const { kind, campaign, user, count } = need
  const withWhat = otherCampaigns[kind]
  if (withWhat !== undefined && campaign === null)
    return {
      text: `${upTo(count, 'more campaign')} ${withWhat}`,
      action: 'See all',
      to: listOf[kind] ?? paths.campaigns,
    }
  const more = others[kind]
  if (more && campaign === null && user === null) return more(count)
  return words[kind]({ ...need, campaignId: campaign?.id ?? '', title: campaign?.title ?? '' })
}

/** The time left, rounded up, so a fresh deadline of 72 hours does not read as two days. */
export const timeLeft = (now: Instant, until: Instant): string => {
  const minutes = Math.ceil(hoursBetween(now, until) * 60)
  if (minutes <= 0) return 'any moment now'
  if (minutes < 60) return `${minutes} min left`
  const hours = Math.ceil(minutes / 60)
  return hours <= 72 ? `${hours} h left` : `${counted(Math.ceil(hours / 24), 'day')} left`
}

/** The deadline of a check-in is for the seat; the day itself ends earlier. */
export const timeLeftWords = (now: Instant, { kind, dueAt }: { kind: NeedKind; dueAt: Instant }): string =>
  kind === 'CHECK_IN' && now < dueAt ? `${timeLeft(now, dueAt)} to keep your seat` : timeLeft(now, dueAt)

/** In its last hours, a deadline is shown as a warning. */
const pressingHours = 24

export const isPressing = (now: Instant, { dueAt }: Pick<Need, 'dueAt'>): boolean =>
  dueAt !== null && hoursBetween(now, dueAt) <= pressingHours

/** The whole days that an appeal has waited, because the platform pays if it waits too long; 0 for other kinds. */
export const daysWaited = (now: Instant, { kind, since }: Pick<Need, 'kind' | 'since'>): number =>
  kind === 'APPEALS' && since !== null ? Math.floor(hoursBetween(since, now) / 24) : 0

type NextKind = NonNullable<Needs['next']>['kind']

/** When to come back, followed by the time. */
export const nextWords: Record<NextKind, string> = {
  PROOFS: 'Testers can submit the next proofs from',
  PROOF: 'You can submit your next proof from',
  CHECK_IN: 'Your next check-in opens',
  CHECKS: 'The nightly checks run next',
}

/** For when nobody can say when to come back. */
export const nothingComing: Record<Role, string> = {
  DEVELOPER: 'Proofs, testers at risk and drafts appear here. We also notify you.',
  TESTER: 'The next steps of your tests appear here.',
  ADMIN: 'Campaigns, reports and payouts that need your decision appear here.',
}
