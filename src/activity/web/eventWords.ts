/** Event titles, for the campaign's owner and admins, and for the tester. */
import { allOf, codeInWords, counted } from '../../kit/words.ts'
import { listPlaceOf } from '../../campaigns/listPlace.ts'
import type { AccessMode, EditableField } from '../../campaigns/terms.ts'
import { shortDropWords } from '../../participations/dropWords.ts'
import type { CampaignEvent, CampaignEventKind } from '../contract.ts'

export type EventTone = 'neutral' | 'green' | 'blue' | 'yellow' | 'red'
export type EventReader = 'OWNER' | 'TESTER'

type Words = {
  tone: EventTone
  owner: (event: CampaignEvent, mode: AccessMode) => string
  tester?: (event: CampaignEvent) => string
}

const fieldWords: Record<EditableField, string> = {
  title: 'the title',
  description: 'the description',
  distributionLink: 'the app link',
  platform: 'the platform',
  testersRequired: 'the number of testers',
  payPerTesterCents: 'the pay',
  durationDays: 'the duration',
  filters: 'the tester requirements',
  dailyCheckIn: 'the daily check-in rule',
  accessMode: 'how testers get access',
  groupLink: 'the Google Group',
  features: 'the features to try',
}

const nameOfField = (field: string) => (Object.hasOwn(fieldWords, field) ? fieldWords[field as EditableField] : field)

const why = ({ dropReason }: CampaignEvent) =>
  dropReason && Object.hasOwn(shortDropWords, dropReason) ? `: ${shortDropWords[dropReason]}` : ''

const byAdmin = ({ by }: CampaignEvent) => (by === 'ADMIN' ? ' by an admin' : '')

const newLink = ({ ofGroup }: CampaignEvent) => (ofGroup ? 'New Google Group' : 'New app link')

const mostNamed = 5

const removedWords = (aliases: readonly string[]) => {
  if (aliases.length === 0) return ''
  return `: ${aliases.length > mostNamed ? counted(aliases.length, 'tester') : allOf(aliases)} removed`
}

const words: Record<CampaignEventKind, Words> = {
  CREATED: { tone: 'neutral', owner: () => 'Campaign created' },
  EDITED: {
    tone: 'neutral',
    owner: ({ fields }) => `Changed ${allOf(fields.map(nameOfField))}`,
  },
  PAID: { tone: 'green', owner: () => 'Paid' },
  PAYMENT_DECLINED: { tone: 'red', owner: () => 'Payment declined' },
  SUBMITTED: { tone: 'neutral', owner: () => 'Submitted for approval' },
  APPROVED: { tone: 'green', owner: () => 'Approved' },
  REJECTED: { tone: 'red', owner: () => 'Rejected' },
  STARTED: { tone: 'green', owner: () => 'Started' },
  PAUSED: {
    tone: 'yellow',
    owner: event => (event.by === 'SUSPENSION' ? 'Paused: account suspended' : `Paused${byAdmin(event)}`),
  },
  RESUMED: { tone: 'green', owner: () => 'Resumed' },
  LINK_REQUESTED: { tone: 'neutral', owner: event => `${newLink(event)} submitted for approval` },
  LINK_WITHDRAWN: { tone: 'neutral', owner: event => `${newLink(event)} withdrawn` },
  LINK_APPROVED: { tone: 'green', owner: event => `${newLink(event)} approved` },
  LINK_REJECTED: { tone: 'red', owner: event => `${newLink(event)} rejected` },
  LIST_EXPORTED: { tone: 'neutral', owner: () => 'Tester list exported' },
  LIST_CONFIRMED: {
    tone: 'green',
    owner: ({ removed }, mode) => `${listPlaceOf(mode).updated}${removedWords(removed)}`,
  },
  FORM_SAVED: {
    tone: 'neutral',
    owner: ({ questions }) =>
      questions ? `Feedback form saved: ${counted(questions, 'question')}` : 'Feedback form removed',
  },
  APPLIED: { tone: 'green', owner: () => 'Applied for production access' },
  SEAT_CLOSED: { tone: 'neutral', owner: () => 'Seat closed' },
  REFUNDED: { tone: 'blue', owner: () => 'Refund sent' },
  COMPLETED: { tone: 'blue', owner: () => 'Completed' },
  CANCELLED: { tone: 'red', owner: event => `Cancelled${byAdmin(event)}` },
  TESTER_JOINED: { tone: 'green', owner: ({ alias }) => `${alias} joined`, tester: () => 'You joined' },
  TESTER_LISTED: {
    tone: 'blue',
    owner: ({ alias }, mode) => `${alias} added to ${mode === 'GOOGLE_GROUP' ? 'the Google Group' : 'the tester list'}`,
    tester: () => 'The developer let you in',
  },
  TESTER_NOT_LET_IN: {
    tone: 'yellow',
    owner: ({ alias }) => `${alias} could not get in on Google Play`,
    tester: () => 'You reported that Google Play does not let you in',
  },
  TESTER_OPTED_IN: { tone: 'green', owner: ({ alias }) => `${alias} opted in`, tester: () => 'You opted in' },
  TESTER_OPTED_OUT: { tone: 'red', owner: ({ alias }) => `${alias} opted out`, tester: () => 'You opted out' },
  OPT_IN_CONTESTED: {
    tone: 'yellow',
    owner: ({ alias }) => `${alias}’s opt-in contested`,
    tester: () => 'The developer contested your opt-in',
  },
  OPT_IN_CLEARED: {
    tone: 'green',
    owner: ({ alias }) => `${alias}’s opt-in counts`,
    tester: () => 'Your opt-in counts',
  },
  OPT_IN_VOIDED: {
    tone: 'red',
    owner: ({ alias }) => `${alias}’s opt-in does not count`,
    tester: () => 'Your opt-in does not count',
  },
  PROOF_SUBMITTED: {
    tone: 'blue',
    owner: ({ alias }) => `${alias} submitted a proof`,
    tester: () => 'You submitted your proof',
  },
  CHANGES_REQUESTED: {
    tone: 'yellow',
    owner: event => `Changes requested from ${event.alias}${byAdmin(event)}`,
    tester: event => `Changes were requested${byAdmin(event)}`,
  },
  TESTER_VERIFIED: {
    tone: 'green',
    owner: event =>
      `${event.alias}’s proof ${event.bySilence ? 'auto-verified: no decision in time' : `verified${byAdmin(event)}`}`,
    tester: event =>
      event.bySilence ? 'Auto-verified: no decision in time' : `Your proof was verified${byAdmin(event)}`,
  },
  TESTER_REJECTED: {
    tone: 'red',
    owner: event => `${event.alias}’s proof rejected${byAdmin(event)}`,
    tester: event => `Your proof was rejected${byAdmin(event)}`,
  },
  TESTER_APPEALED: {
    tone: 'yellow',
    owner: ({ alias }) => `${alias} appealed the rejection`,
    tester: () => 'You appealed the rejection',
  },
  APPEAL_GRANTED: {
    tone: 'green',
    owner: ({ alias }) => `${alias}’s appeal granted: proof verified`,
    tester: () => 'Your appeal was granted: proof verified',
  },
  GOODWILL_PAID: {
    tone: 'green',
    owner: ({ alias }) => `${alias}’s proof verified by the platform: no decision on the appeal within 7 days`,
    tester: () => 'Verified by the platform: no decision on your appeal within 7 days',
  },
  REJECTION_UPHELD: {
    tone: 'red',
    owner: ({ alias }) => `Rejection of ${alias}’s proof upheld`,
    tester: () => 'The rejection was upheld',
  },
  REJECTION_FINAL: {
    tone: 'neutral',
    owner: ({ alias }) => `Rejection of ${alias}’s proof is final: no appeal in time`,
    tester: () => 'The rejection is final: no appeal in time',
  },
  TESTER_LEFT: { tone: 'neutral', owner: ({ alias }) => `${alias} left`, tester: () => 'You left' },
  TESTER_DROPPED: {
    tone: 'yellow',
    owner: event => `${event.alias} dropped${why(event)}`,
    tester: event => `You were dropped${why(event)}`,
  },
  TESTER_CANCELLED: {
    tone: 'neutral',
    owner: ({ alias }) => `${alias}’s test ended early`,
    tester: () => 'Your test ended early',
  },
  CONSENT_ASKED: { tone: 'yellow', owner: ({ alias }) => `An admin was asked to reject ${alias}’s proof` },
  CONSENT_GIVEN: { tone: 'neutral', owner: ({ alias }) => `An admin consented to the rejection of ${alias}’s proof` },
  CONSENT_REFUSED: {
    tone: 'neutral',
    owner: ({ alias }) => `An admin did not consent to the rejection of ${alias}’s proof`,
  },
  CONSENT_LAPSED: {
    tone: 'yellow',
    owner: ({ alias }) => `No admin decided on the rejection of ${alias}’s proof in time`,
  },
}

/** What only a newer server knows is told by its key. */
const wordsOf = (kind: string): Words =>
  Object.hasOwn(words, kind) ? words[kind as CampaignEventKind] : { tone: 'neutral', owner: () => codeInWords(kind) }

/** `mode` is the campaign's. The words for a single test do not depend on it. */
export const eventTitle = (event: CampaignEvent, reader: EventReader, mode: AccessMode = 'EMAIL_LIST'): string => {
  const { owner, tester = owner } = wordsOf(event.kind)
  return (reader === 'OWNER' ? owner : tester)(event, mode)
}

/** Whether the amount is in the reader's own statement: the owner's payments and refunds, the tester's earnings. */
export const isOwnMoney = ({ alias }: CampaignEvent, reader: EventReader): boolean =>
  (alias === null) === (reader === 'OWNER')

export const eventTone = ({ kind }: CampaignEvent): EventTone => wordsOf(kind).tone
