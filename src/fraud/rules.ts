/**
 * How facts are graded (product.md §6): detectors find facts, and these rules turn them into findings. Pure. A network address
 * alone is never a fact.
 */
import { hoursBetween, type Instant } from '../kit/clock.ts'
import { DomainError } from '../kit/errors.ts'
import type { Cents } from '../kit/money.ts'
import type { ReportStatus, Severity } from './contract.ts'
import type { ReportKind } from './terms.ts'

/** Somebody at a moment: by id, so that today's name is shown. In a sample, user and role may be missing. */
export type Seen = { at: Instant; userId?: string; role?: 'DEVELOPER' | 'TESTER'; suspended?: boolean }

type Moved = { at: Instant; cents: Cents }

/** The facts of each kind of report, as they were when it was found. */
export type FactsOf = {
  /** `people`: if there are many accounts, the first and the newest. */
  SHARED_DEVICE: { device: string; accounts: number; people: Seen[] }
  SELF_TEST: {
    title: string
    campaignId?: string
    joinedAt: Instant
    paid: boolean
    devices: { device: string; developer: Seen; tester: Seen }[]
  }
  /** `submitted`: if there are many proofs, the first and the newest. */
  SAME_PROOF: {
    text: string
    proofs: number
    testers: number
    campaigns: number
    submitted: { title: string; at: Instant; userId?: string; campaignId?: string }[]
  }
  /**
   * `percent`: how much of the first text and its last copy is the same. `submitted`: if there are many proofs, the first and the
   * newest.
   */
  NEAR_PROOF: {
    text: string
    copy: string
    percent: number
    proofs: number
    testers: number
    campaigns: number
    submitted: { title: string; at: Instant; userId?: string; campaignId?: string }[]
  }
  /** `same`: identical files, or pictures that look the same. `attached`: if there are many, the first and the newest. */
  SAME_PICTURE: {
    same: 'FILE' | 'LOOK'
    files: number
    testers: number
    campaigns: number
    attached: { title: string; at: Instant; userId?: string; campaignId?: string; attachmentId?: string }[]
  }
  /** Does not contain the address, because that is erased while reports stay. */
  SHARED_PLAY_ADDRESS: { accounts: number; people: Seen[] }
  EARLY_WITHDRAWAL: { account: Seen; credit: Moved & { campaignId?: string }; withdrawals: [Moved, ...Moved[]] }
  /** Only the domain, because the address is erased with its account. */
  THROW_AWAY_MAIL: { domain: string; account: Seen; confirmedAt?: Instant }
  /** `shown`: if there are many check-ins, the first and the newest, each with the time since the previous one. */
  EVEN_CHECK_INS: {
    title: string
    campaignId: string
    checkIns: number
    spreadMs: number
    shown: { at: Instant; afterMs?: number }[]
  }
}

/** The facts that a report rests on. */
export type Found = { [K in ReportKind]: { kind: K; facts: FactsOf[K] } }[ReportKind]

export type Finding = Found & {
  /** Identifies the finding in every scan. */
  key: string
  /** The names of its parts: a scan reports a finding again only if one of them is new. */
  parts: string[]
  /** The user that the report is about. */
  userId: string
  severity: Severity
}

/** Limits that detectors use in their queries. */
export const thresholds = {
  /** An account is new if its first credit comes within this time. */
  newAccountDays: 30,
  /** A withdrawal within this time comes right after the credit. */
  rightAfterHours: 24,
  /** At most this many facts of a finding are looked at, starting from the newest. */
  factsOfOneFinding: 50,
} as const

const shownFacts = 12

/** "3f9a41c2…": enough to tell two devices apart. */
const shownDevice = (deviceHash: string) => `${deviceHash.slice(0, 8)}…`

/** The first and the newest, if there are many. */
export const shownOf = <T>(all: readonly T[]): T[] =>
  all.length > shownFacts ? [all[0]!, ...all.slice(1 - shownFacts)] : [...all]

/**
 * One account on a device; `accounts` is the number of all accounts on it. Contains the device's hash, because the device itself
 * is erased with its accounts while reports stay.
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
  // A tester account and a developer account may well belong to one person.
  return new Set(people.map(person => person.role)).size > 1 ? 'LOW' : 'MEDIUM'
}

/** Takes the accounts on one device, in the order in which they came to it; reports the newest. */
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

/**
 * One account that joined with a Play address; `address` stands for that address, `accounts` counts all accounts that gave it.
 */
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

/** Takes the accounts that test with one Google account, in the order in which they joined with it; reports the newest. */
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

/** Takes one participation, with a row for each device that both used. */
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

/** A withdrawal from an account that was new when it earned for the first time. */
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

/** Takes one account's withdrawals right after its first credit, in their order. */
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
