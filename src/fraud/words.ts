/**
 * The words of a report: its reason, details and evidence, made from its kind and facts whenever it is shown. Pure. A report says
 * what was seen, and never what somebody intended.
 */
import { hoursBetween, type Instant } from '../kit/clock.ts'
import { formatCents } from '../kit/money.ts'
import { counted, grouped } from '../kit/words.ts'
import { longProof } from './copies.ts'
import type { FactsOf, Seen } from './rules.ts'
import { type ReportKind, reportKinds } from './terms.ts'

/** `details` is a template with facts in braces; `more` is an optional ending. */
const sentences: Record<ReportKind, { reason: string; details: string; more?: string }> = {
  SHARED_DEVICE: {
    reason: 'One device on several accounts',
    details: '{accounts} accounts signed in or joined campaigns from the same device.',
  },
  SELF_TEST: {
    reason: 'Developer and tester on one device',
    details: 'A tester of “{title}” and its developer used the same device.{more}',
    more: ' The test was paid.',
  },
  SAME_PROOF: {
    reason: 'Same proof text from several testers',
    details: '{testers} testers submitted the same text in {campaigns}. Case and spaces were ignored.',
  },
  NEAR_PROOF: {
    reason: 'Nearly the same proof text from several testers',
    details:
      '{testers} testers submitted nearly the same text in {campaigns}. The first and the last share {percent}% of their three-word sequences.{more}',
    more: ' The text is short, so this weighs less.',
  },
  SAME_PICTURE: {
    reason: 'Same picture from several testers',
    details: '{testers} testers submitted {what} in {campaigns}.',
  },
  SHARED_PLAY_ADDRESS: {
    reason: 'One Google account for several testers',
    details:
      '{accounts} accounts joined closed tests with the same Play address. Play addresses are not verified, so someone may have entered another person’s address.',
  },
  EARLY_WITHDRAWAL: {
    reason: 'Withdrawal right after the first credit',
    details: 'A withdrawal of {amount} was requested {delay} after the first credit of an account that was {age} old.',
  },
  THROW_AWAY_MAIL: {
    reason: 'Disposable email address',
    details: 'The account’s email is at {domain}, on a public list of disposable email domains.',
  },
  EVEN_CHECK_INS: {
    reason: 'Check-ins at machine-like intervals',
    details:
      'The intervals between {checkIns} check-ins in a row to “{title}” differ by less than {spread}. Whole hours were ignored.',
  },
}

const slot = /\{\w+\}/g

/** Every kind whose sentences, apart from the facts in them, contain this text, ignoring case. */
export const kindsSaying = (text: string): ReportKind[] =>
  reportKinds.filter(kind =>
    Object.values(sentences[kind])
      .flatMap(sentence => sentence.split(slot))
      .some(part => part.toLowerCase().includes(text.toLowerCase())),
  )

/** One labeled fact. People, campaigns and files are ids, so that their current names are shown. */
export type Fact = {
  label: string
  value: string
  at?: Instant
  userId?: string
  campaignId?: string
  attachmentId?: string
}

type Words<Facts> = { details: (facts: Facts) => Record<string, string>; evidence: (facts: Facts) => Fact[] }

const roleWords = { DEVELOPER: 'Developer', TESTER: 'Tester' } as const

const seenAs = (label: string, { role, suspended, at, userId }: Seen): Fact => {
  const value = role ? roleWords[role] : 'Account'
  return { label, value: suspended ? `${value}, suspended` : value, at, ...(userId && { userId }) }
}

/** Adds, after the first fact, how many are not shown. */
const withGap = (shown: Fact[], total: number, noun: string): Fact[] => {
  const missing = total - shown.length
  const gap = { label: 'In between', value: counted(missing, `more ${noun}`) }
  return missing > 0 ? [...shown.slice(0, 1), gap, ...shown.slice(1)] : shown
}

const hoursWords = (hours: number) => (hours < 1 ? 'less than an hour' : counted(Math.floor(hours), 'hour'))
const ageWords = (hours: number) => (hours < 24 ? 'less than a day' : counted(Math.floor(hours / 24), 'day'))

const sinceWords = (ms?: number) => {
  if (ms === undefined) return 'First of them'
  const [hours, minutes, seconds] = [
    Math.floor(ms / 3_600_000),
    Math.floor(ms / 60_000) % 60,
    Math.floor(ms / 1000) % 60,
  ]
  return `${hours} h ${minutes} min ${seconds}.${String(ms % 1000).padStart(3, '0')} s after the one before`
}

const words: { [K in ReportKind]: Words<FactsOf[K]> } = {
  SHARED_DEVICE: {
    details: ({ accounts }) => ({ accounts: grouped(accounts) }),
    evidence: ({ device, accounts, people }) => [
      { label: 'Device', value: device },
      ...withGap(
        people.map(person => seenAs('First seen on the device', person)),
        accounts,
        'account',
      ),
    ],
  },
  SELF_TEST: {
    details: ({ title, paid }) => ({ title, more: paid ? sentences.SELF_TEST.more! : '' }),
    evidence: ({ title, joinedAt, campaignId, devices }) => [
      { label: 'Joined the campaign', value: title, at: joinedAt, ...(campaignId && { campaignId }) },
      ...devices.flatMap(({ device, developer, tester }) => [
        seenAs(`Developer first seen on ${device}`, developer),
        seenAs(`Tester first seen on ${device}`, tester),
      ]),
    ],
  },
  SAME_PROOF: {
    details: ({ testers, campaigns }) => ({
      testers: grouped(testers),
      campaigns: counted(campaigns, 'campaign'),
    }),
    evidence: ({ text, proofs, submitted }) => [
      { label: 'Text', value: text },
      ...withGap(
        submitted.map(({ title, ...rest }) => ({ label: 'Submitted', value: title, ...rest })),
        proofs,
        'proof',
      ),
    ],
  },
  NEAR_PROOF: {
    details: ({ text, testers, campaigns, percent }) => ({
      testers: grouped(testers),
      campaigns: counted(campaigns, 'campaign'),
      percent: String(percent),
      more: text.length < longProof ? sentences.NEAR_PROOF.more! : '',
    }),
    evidence: ({ text, copy, proofs, submitted }) => [
      { label: 'First text', value: text },
      { label: 'Last text', value: copy },
      ...withGap(
        submitted.map(({ title, ...rest }) => ({ label: 'Submitted', value: title, ...rest })),
        proofs,
        'proof',
      ),
    ],
  },
  SAME_PICTURE: {
    details: ({ same, testers, campaigns }) => ({
      testers: grouped(testers),
      what: same === 'FILE' ? 'the same file' : 'pictures that look the same',
      campaigns: counted(campaigns, 'campaign'),
    }),
    evidence: ({ files, attached }) =>
      withGap(
        attached.map(({ title, ...rest }) => ({ label: 'Uploaded', value: title, ...rest })),
        files,
        'file',
      ),
  },
  SHARED_PLAY_ADDRESS: {
    details: ({ accounts }) => ({ accounts: grouped(accounts) }),
    evidence: ({ accounts, people }) =>
      withGap(
        people.map(person => seenAs('First entered the address', person)),
        accounts,
        'account',
      ),
  },
  EARLY_WITHDRAWAL: {
    details: ({ account, credit, withdrawals: [first] }) => ({
      amount: formatCents(first.cents),
      delay: hoursWords(hoursBetween(credit.at, first.at)),
      age: ageWords(hoursBetween(account.at, first.at)),
    }),
    evidence: ({ account, credit, withdrawals }) => [
      seenAs('Account created', account),
      {
        label: 'First credit',
        value: formatCents(credit.cents),
        at: credit.at,
        ...(credit.campaignId && { campaignId: credit.campaignId }),
      },
      ...withdrawals.map(({ cents, at }) => ({ label: 'Withdrawal', value: formatCents(cents), at })),
    ],
  },
  THROW_AWAY_MAIL: {
    details: ({ domain }) => ({ domain }),
    evidence: ({ domain, account, confirmedAt }) => [
      seenAs('Account created', account),
      confirmedAt === undefined
        ? { label: 'Email, not confirmed', value: `…@${domain}` }
        : { label: 'Email confirmed', value: `…@${domain}`, at: confirmedAt },
    ],
  },
  EVEN_CHECK_INS: {
    details: ({ title, checkIns, spreadMs }) => ({
      title,
      checkIns: grouped(checkIns),
      spread: counted(Math.floor(spreadMs / 1000) + 1, 'second'),
    }),
    evidence: ({ title, campaignId, checkIns, shown }) => [
      { label: 'Tested', value: title, campaignId },
      ...withGap(
        shown.map(({ at, afterMs }) => ({ label: 'Checked in', value: sinceWords(afterMs), at })),
        checkIns,
        'check-in',
      ),
    ],
  },
}

export const reasonOf = (kind: ReportKind): string => sentences[kind].reason

export const detailsOf = <K extends ReportKind>({ kind, facts }: { kind: K; facts: FactsOf[K] }): string => {
  const values = words[kind].details(facts)
  return sentences[kind].details.replaceAll(slot, name => values[name.slice(1, -1)] ?? '')
}

export const evidenceOf = <K extends ReportKind>({ kind, facts }: { kind: K; facts: FactsOf[K] }): Fact[] =>
  words[kind].evidence(facts)
