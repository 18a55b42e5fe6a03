/**
 * How facts are graded (product.md §6): what detectors found goes in, a finding comes out. Pure; a network address alone
 * is no fact of any of them.
 */
import { hoursBetween, type Instant } from '../kit/clock.ts'
import { DomainError } from '../kit/errors.ts'
import type { Cents } from '../kit/money.ts'
import type { ReportStatus, Severity } from './contract.ts'
import type { ReportKind } from './terms.ts'

/** Somebody at a moment: by id, so that the name is that of today. A sample may name nobody, and knows no role. */
export type Seen = { at: Instant; userId?: string; role?: 'DEVELOPER' | 'TESTER'; suspended?: boolean }

type Moved = { at: Instant; cents: Cents }

/** The facts of each kind of report, as they were when it was found. */
export type FactsOf = {
  /** `people`: of many accounts, the first and the newest. */
  SHARED_DEVICE: { device: string; accounts: number; people: Seen[] }
  SELF_TEST: {
    title: string
    campaignId?: string
    joinedAt: Instant
    paid: boolean
    devices: { device: string; developer: Seen; tester: Seen }[]
  }
  /** `submitted`: of many proofs, the first and the newest. */
  SAME_PROOF: {
    text: string
    proofs: number
    testers: number
    campaigns: number
    submitted: { title: string; at: Instant; userId?: string; campaignId?: string }[]
  }
  /** `percent`: how much of the first text and its last copy is the same. `submitted`: of many proofs, the first and the newest. */
  NEAR_PROOF: {
    text: string
    copy: string
    percent: number
    proofs: number
    testers: number
    campaigns: number
    submitted: { title: string; at: Instant; userId?: string; campaignId?: string }[]
  }
  /** `same`: the very file, or pictures that look the same. `attached`: of many, the first and the newest. */
  SAME_PICTURE: {
    same: 'FILE' | 'LOOK'
    files: number
    testers: number
    campaigns: number
    attached: { title: string; at: Instant; userId?: string; campaignId?: string; attachmentId?: string }[]
  }
  /** The address itself is nowhere: it is erased, and reports stay. */
  SHARED_PLAY_ADDRESS: { accounts: number; people: Seen[] }
  EARLY_WITHDRAWAL: { account: Seen; credit: Moved & { campaignId?: string }; withdrawals: [Moved, ...Moved[]] }
  /** The domain alone: the address goes with its account. */
  THROW_AWAY_MAIL: { domain: string; account: Seen; confirmedAt?: Instant }
  /** `shown`: of many check-ins, the first and the newest, each with the time since the one before. */
  EVEN_CHECK_INS: {
    title: string
    campaignId: string
    checkIns: number
    spreadMs: number
    shown: { at: Instant; afterMs?: number }[]
  }
}

/** What a report rests on. */
export type Found = { [K in ReportKind]: { kind: K; facts: FactsOf[K] } }[ReportKind]

export type Finding = Found & {
  /** What it is about: the same finding in every scan. */
  key: string
  /** What makes it up, one name each: a scan reports a finding again only when one of them is new. */
  parts: string[]
  /** Whom the report is about. */
  userId: string
  severity: Severity
}

/** What detectors ask the database for. */
export const thresholds = {
  /** An account is new for that long before its first credit. */
  newAccountDays: 30,
  /** A withdrawal within that time is right after the credit. */
  rightAfterHours: 24,
  /** So many facts of one finding are looked at, the newest of them. */
  factsOfOneFinding: 50,
} as const

const shownFacts = 12

/** "3f9a41c2…": enough to tell two devices apart. */
const shownDevice = (deviceHash: string) => `${deviceHash.slice(0, 8)}…`

/** Of many, the first and the newest. */
export const shownOf = <T>(all: readonly T[]): T[] =>
  all.length > shownFacts ? [all[0]!, ...all.slice(1 - shownFacts)] : [...all]

/**
 * One account on a device; `accounts` counts all of the device's. The device itself goes with its accounts, and reports stay:
 * they have its hash.
 */
export type DeviceAccount = {
  deviceHash: string
  accounts: number
  userId: string
  role: 'DEVELOPER' | 'TESTER'
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
  const { deviceHash, accounts, userId: newest } = people.at(-1)!
  return {
    kind: 'SHARED_DEVICE',
    key: `shared-device-hash:${deviceHash}`,
    parts: people.map(person => person.userId),
    userId: newest,
    severity: gradeOfDevice(accounts, people),
    facts: {
      device: shownDevice(deviceHash),
      accounts,
      people: shownOf(people).map(({ userId, role, suspended, firstAt }) => ({ at: firstAt, userId, role, suspended })),
    },
  }
}

/** One account that joined with a Play address; `address` stands for it, `accounts` counts all who did. */
export type PlayAddressAccount = {
  address: string
  accounts: number
  userId: string
  suspended: boolean
  firstAt: Instant
}

const gradeOfAddress = (accounts: number, people: readonly PlayAddressAccount[]): Severity => {
  if (accounts >= 5) return 'CRITICAL'
  return accounts >= 3 || people.some(person => person.suspended) ? 'HIGH' : 'MEDIUM'
}

/** Of the accounts that test with one Google account, in the order in which they joined with it; the newest is reported. */
export const sharedPlayAddress = (people: readonly PlayAddressAccount[]): Finding => {
  const { address, accounts, userId: newest } = people.at(-1)!
  return {
    kind: 'SHARED_PLAY_ADDRESS',
    key: `shared-play-address:${address}`,
    parts: people.map(person => person.userId),
    userId: newest,
    severity: gradeOfAddress(accounts, people),
    facts: {
      accounts,
      people: shownOf(people).map(({ userId, suspended, firstAt }) => ({
        at: firstAt,
        userId,
        role: 'TESTER',
        suspended,
      })),
    },
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
  deviceHash: string
  developerAt: Instant
  testerAt: Instant
}

/** Of one participation, a row for each device that both used. */
export const selfTest = (devices: readonly SelfTest[]): Finding => {
  const { campaignId, campaignTitle, developerId, testerId, joinedAt, paid, participationId } = devices[0]!
  return {
    kind: 'SELF_TEST',
    key: `self-test-hash:${participationId}`,
    parts: devices.map(({ deviceHash }) => deviceHash),
    userId: testerId,
    severity: paid ? 'CRITICAL' : 'HIGH',
    facts: {
      title: campaignTitle,
      campaignId,
      joinedAt,
      paid,
      devices: devices.map(({ deviceHash, developerAt, testerAt }) => ({
        device: shownDevice(deviceHash),
        developer: { at: developerAt, userId: developerId, role: 'DEVELOPER' },
        tester: { at: testerAt, userId: testerId, role: 'TESTER' },
      })),
    },
  }
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

/** Of one account's withdrawals right after its first credit, in their order. */
export const earlyWithdrawal = (rows: readonly EarlyWithdrawal[]): Finding => {
  const [first, ...later] = rows.map(row => ({ at: row.withdrawalAt, cents: row.withdrawalCents }))
  const { testerId, accountAt, creditAt, creditCents, campaignId } = rows[0]!
  const withdrawals: FactsOf['EARLY_WITHDRAWAL']['withdrawals'] = [first!, ...later]
  return {
    kind: 'EARLY_WITHDRAWAL',
    key: `early-withdrawal:${testerId}`,
    parts: rows.map(row => row.withdrawalId),
    userId: testerId,
    severity: gradeOfWithdrawal(hoursBetween(creditAt, first!.at), hoursBetween(accountAt, first!.at)),
    facts: {
      account: { at: accountAt, userId: testerId, role: 'TESTER' },
      credit: { at: creditAt, cents: creditCents, ...(campaignId !== null && { campaignId }) },
      withdrawals,
    },
  }
}

const statusWords: Record<ReportStatus, string> = { OPEN: 'open', RESOLVED: 'resolved', DISMISSED: 'dismissed' }

/** A report is decided once. */
export const assertOpen = (status: ReportStatus, decision: 'RESOLVED' | 'DISMISSED'): void => {
  if (status === 'OPEN') return
  throw new DomainError(
    'WRONG_STATE',
    `This report is already ${statusWords[status]}, so it cannot be ${statusWords[decision]}.`,
  )
}
