/**
 * How facts are worded and graded (product.md §6): what detectors found goes in, a finding comes out. Pure; a finding
 * says what was seen and never what somebody meant by it, and a network address alone is no fact of any of them.
 */
import { hoursBetween, type Instant } from '../kit/clock.ts'
import { DomainError } from '../kit/errors.ts'
import { type Cents, formatCents } from '../kit/money.ts'
import { counted } from '../kit/words.ts'
import type { ReportStatus, Severity } from './contract.ts'

/** A labelled fact as it is kept: people and campaigns by id, so that a name changes, or goes, with its owner. */
export type Fact = { label: string; value: string; at?: Instant; userId?: string; campaignId?: string }

export type Finding = {
  /** What it is about: the same finding in every scan. */
  key: string
  /** What it rests on, one name each: a scan reports a finding again only when one of them is new. */
  facts: string[]
  /** Whom the report is about. */
  userId: string
  severity: Severity
  reason: string
  details: string
  evidence: Fact[]
}

type Role = 'DEVELOPER' | 'TESTER'

/** What detectors ask the database for. */
export const thresholds = {
  /** An account is new for that long before its first credit. */
  newAccountDays: 30,
  /** A withdrawal within that time is right after the credit. */
  rightAfterHours: 24,
  /** So many facts of one finding are looked at, the newest of them. */
  factsOfOneFinding: 50,
} as const

/** Shorter texts ("All good, no bugs.") are everybody's words. Migration 007 keeps no key of them. */
export const shortestProof = 20

/** From this length on, nobody writes the same text by chance. */
const longProof = 60
const shownFacts = 12

/** "3f9a41c2…": enough to tell two devices apart. */
const deviceName = (device: string) => (device.length > 8 ? `${device.slice(0, 8)}…` : device)

const roleWords: Record<Role, string> = { DEVELOPER: 'Developer', TESTER: 'Tester' }

/** Of many, the first and the newest; `total` counts those too that were not looked at. */
const shownOf = (evidence: Fact[], total: number, noun: string): Fact[] => {
  if (total <= shownFacts || evidence.length <= shownFacts) return evidence
  const newest = evidence.slice(1 - shownFacts)
  const between = { label: 'In between', value: counted(total - shownFacts, `more ${noun}`) }
  return [evidence[0]!, between, ...newest]
}

/** One account on a device; `accounts` counts all of the device's. */
export type DeviceAccount = {
  device: string
  accounts: number
  userId: string
  role: Role
  suspended: boolean
  firstAt: Instant
}

const gradeOfDevice = (accounts: number, people: readonly DeviceAccount[]): Severity => {
  if (accounts >= 5 || (accounts >= 3 && people.some(person => person.suspended))) return 'CRITICAL'
  if (accounts >= 3 || people.some(person => person.suspended)) return 'HIGH'
  // One tester account and one developer account may well be one person's own two.
  return new Set(people.map(person => person.role)).size > 1 ? 'LOW' : 'MEDIUM'
}

/** Of the accounts on one device, in the order in which they came to it; the newest is reported. */
export const sharedDevice = (people: readonly DeviceAccount[]): Finding => {
  const newest = people.at(-1)!
  const { device, accounts } = newest
  const seen = people.map(({ userId, role, suspended, firstAt }) => ({
    label: 'First seen on the device',
    value: suspended ? `${roleWords[role]}, suspended` : roleWords[role],
    at: firstAt,
    userId,
  }))
  return {
    key: `shared-device:${device}`,
    facts: people.map(person => person.userId),
    userId: newest.userId,
    severity: gradeOfDevice(accounts, people),
    reason: 'One device on several accounts',
    details: `${counted(accounts, 'account')} signed in or joined campaigns from the same device.`,
    evidence: [{ label: 'Device', value: deviceName(device) }, ...shownOf(seen, accounts, 'account')],
  }
}

/** A tester and the developer of one campaign, on one device. */
export type SelfTest = {
  participationId: string
  campaignId: string
  campaignTitle: string
  developerId: string
  testerId: string
  joinedAt: Instant
  paid: boolean
  device: string
  developerAt: Instant
  testerAt: Instant
}

/** Of one participation, a row for each device that both used. */
export const selfTest = (devices: readonly SelfTest[]): Finding => {
  const { campaignId, campaignTitle, developerId, testerId, joinedAt, paid, participationId } = devices[0]!
  return {
    key: `self-test:${participationId}`,
    facts: devices.map(({ device }) => device),
    userId: testerId,
    severity: paid ? 'CRITICAL' : 'HIGH',
    reason: 'Developer and tester on one device',
    details: `A tester of “${campaignTitle}” and its developer used the same device.${paid ? ' The test was paid.' : ''}`,
    evidence: [
      { label: 'Joined the campaign', value: campaignTitle, at: joinedAt, campaignId },
      ...devices.flatMap(({ device, developerAt, testerAt }) => [
        {
          label: `Developer first seen on ${deviceName(device)}`,
          value: 'Developer',
          at: developerAt,
          userId: developerId,
        },
        { label: `Tester first seen on ${deviceName(device)}`, value: 'Tester', at: testerAt, userId: testerId },
      ]),
    ],
  }
}

/** One proof of those with the same text; the counts are of all of them. */
export type AlikeProof = {
  proofKey: string
  proofs: number
  testers: number
  campaigns: number
  participationId: string
  testerId: string
  campaignId: string
  campaignTitle: string
  submittedAt: Instant
  text: string
}

const gradeOfProof = (testers: number, length: number): Severity => {
  if (length < longProof) return testers > 3 ? 'MEDIUM' : 'LOW'
  return testers > 3 ? 'CRITICAL' : 'HIGH'
}

/** Of the proofs with one text, in the order of submission; the last to repeat it is reported, never its first author. */
export const sameProof = (proofs: readonly AlikeProof[]): Finding => {
  const first = proofs[0]!
  const { testers, campaigns } = first
  const submitted = proofs.map(({ campaignTitle, submittedAt, testerId, campaignId }) => ({
    label: 'Submitted',
    value: campaignTitle,
    at: submittedAt,
    userId: testerId,
    campaignId,
  }))
  return {
    key: `same-proof:${first.proofKey}`,
    facts: proofs.map(proof => proof.participationId),
    userId: proofs.findLast(proof => proof.testerId !== first.testerId)!.testerId,
    severity: gradeOfProof(testers, first.text.trim().length),
    reason: 'Same proof text from several testers',
    details: `${counted(testers, 'tester')} submitted the same text in ${counted(campaigns, 'campaign')}. Case and spaces were ignored.`,
    evidence: [{ label: 'Text', value: excerpt(first.text) }, ...shownOf(submitted, first.proofs, 'proof')],
  }
}

const excerpt = (text: string) => {
  const words = text.trim().replaceAll(/\s+/g, ' ')
  return words.length > 240 ? `${words.slice(0, 240)}…` : words
}

/** A withdrawal of an account that was new when it earned for the first time. */
export type EarlyWithdrawal = {
  testerId: string
  accountAt: Instant
  creditAt: Instant
  creditCents: Cents
  campaignId: string | null
  withdrawalId: string
  withdrawalAt: Instant
  withdrawalCents: Cents
}

const gradeOfWithdrawal = (hoursAfterCredit: number, accountHours: number): Severity => {
  if (accountHours < 7 * 24) return 'HIGH'
  return hoursAfterCredit < 1 ? 'MEDIUM' : 'LOW'
}

const hoursWords = (hours: number) => (hours < 1 ? 'less than an hour' : counted(Math.floor(hours), 'hour'))
const ageWords = (hours: number) => (hours < 24 ? 'less than a day' : counted(Math.floor(hours / 24), 'day'))

/** Of one account's withdrawals right after its first credit, in their order. */
export const earlyWithdrawal = (withdrawals: readonly EarlyWithdrawal[]): Finding => {
  const { testerId, accountAt, creditAt, creditCents, campaignId, withdrawalAt, withdrawalCents } = withdrawals[0]!
  const afterCredit = hoursBetween(creditAt, withdrawalAt)
  const age = hoursBetween(accountAt, withdrawalAt)
  return {
    key: `early-withdrawal:${testerId}`,
    facts: withdrawals.map(withdrawal => withdrawal.withdrawalId),
    userId: testerId,
    severity: gradeOfWithdrawal(afterCredit, age),
    reason: 'Withdrawal right after the first credit',
    details: `${formatCents(withdrawalCents)} was asked for ${hoursWords(afterCredit)} after the first credit of an account that was ${ageWords(age)} old.`,
    evidence: [
      { label: 'Account created', value: 'Tester', at: accountAt, userId: testerId },
      { label: 'First credit', value: formatCents(creditCents), at: creditAt, ...(campaignId && { campaignId }) },
      ...withdrawals.map(each => ({
        label: 'Withdrawal',
        value: formatCents(each.withdrawalCents),
        at: each.withdrawalAt,
      })),
    ],
  }
}

const statusWords: Record<ReportStatus, string> = { OPEN: 'open', RESOLVED: 'resolved', DISMISSED: 'dismissed' }

/** A report is decided once. */
export const assertOpen = (status: ReportStatus, wish: 'RESOLVED' | 'DISMISSED'): void => {
  if (status === 'OPEN') return
  throw new DomainError(
    'WRONG_STATE',
    `This report was ${statusWords[status]} before, so it cannot be ${statusWords[wish]} now.`,
  )
}
