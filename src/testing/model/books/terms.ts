/** The objects of a small marketplace, and its few fixed numbers. */

const hourMs = 3_600_000
export const dayMs = 24 * hourMs

export type Person = {
  n: number
  id: string
  role: 'DEVELOPER' | 'TESTER' | 'ADMIN'
  suspended: boolean
  deleted: boolean
  method: string
  changedAt: number
  balance: number
  declined: number[]
}

export type Payment = { id: string; cents: number; left: number }

/** A developer's payment; pending until the provider's answer is booked. */
export type Charge = {
  n: number
  id: string
  campaign: Campaign
  pay: number
  fee: number
  /** Pays anew for money in escrow, instead of for a draft. */
  renews: boolean
  ended: boolean
  status: 'PENDING' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'RETURNED'
}

export type Campaign = {
  n: number
  id: string
  developer: Person
  status: 'DRAFT' | 'PENDING_APPROVAL' | 'APPROVED' | 'REJECTED' | 'LIVE' | 'PAUSED' | 'COMPLETED' | 'CANCELLED'
  testers: number
  pay: number
  days: number
  daily: boolean
  feeRate: number
  fee: number
  escrow: number
  held: number
  verified: number
  closed: number
  payments: Payment[]
  tests: Test[]
  /** When an admin has to decide about its money; null before its first payment. */
  dueAt: number | null
  /** Its developer has been asked to pay anew. */
  asked: boolean
  decisions: Decision[]
  /** A dispute has ended, and what follows from that has not been done yet. */
  afterDispute: boolean
}

export type Decision = 'EXTENDED' | 'RENEWAL_ASKED' | 'CANCELLED'

export type Test = {
  n: number
  id: string
  campaign: Campaign
  tester: Person
  status: 'ACTIVE' | 'SUBMITTED' | 'CHANGES_REQUESTED' | 'VERIFIED' | 'REJECTED' | 'APPEALED' | 'DROPPED' | 'CANCELLED'
  joinedAt: number
  seenAt: number
  /** When the proof, the rejection or the appeal was made. */
  sinceAt: number
  checkIns: number
  lastDay: number
  changes: number
  appealed: boolean
  /** Its seat is taken and not verified. */
  open: boolean
}

/** `sent`: how often the provider was asked to pay it. */
export type Part = {
  id: string
  payment: Payment
  cents: number
  done: boolean
  sent: number
  /** The lost dispute whose bank has paid it, instead of the provider. */
  bank: Dispute | null
}
/** `id` is empty until the refund is found in the database. */
export type Refund = { n: number; id: string; campaign: Campaign; parts: Part[] }
export type Withdrawal = {
  n: number
  id: string
  tester: Person
  cents: number
  to: string
  status: 'PENDING' | 'COMPLETED' | 'FAILED'
  claimed: boolean
}

/** A bank takes a payment back, or inquires about it. */
export type Dispute = {
  n: number
  provider: string
  /** The provider's id. */
  reference: string
  campaign: Campaign
  payment: Payment
  cents: number
  status: 'OPEN' | 'WON' | 'LOST'
  /** How often its money has moved, as far as the provider has reported. */
  moves: number
  /** Of a lost dispute: money of the campaign that was not needed and covers it. */
  coveredPay: number
  coveredFee: number
  /** Of a lost dispute: refunds that were still owed and that the bank has paid. */
  setOff: number
  /** Of a lost dispute: what was paid to the operator or waived, and still counts. */
  settled: number
  /** The part of it that was waived. */
  waived: number
  /** What was paid to the operator and is no longer owed, until the operator has given it back. */
  giveBack: number
  /** What the provider kept, by the number of the movement. */
  fees: Map<number, number>
}

/** What a provider reports about a dispute. */
export type DisputeNews = Pick<Dispute, 'provider' | 'reference' | 'cents' | 'status' | 'moves' | 'fees'> & {
  paymentId: string
}

/** News that is due later. */
export type Announced = DisputeNews & { dueAt: number; isTold: boolean }

export const dropMs = 72 * hourMs
export const reviewMs = 72 * hourMs
export const appealMs = 72 * hourMs
export const goodwillMs = 7 * dayMs
export const pauseMs = 24 * hourMs
export const decideAfterMs = 80 * dayMs
export const watchedMs = 20 * dayMs
export const extensionMs = 30 * dayMs
export const mostChanges = 3
export const mostDeclined = 10

export const feeOf = (cents: number, rate: number): number => Math.floor((cents * rate * 2 + 10_000) / 20_000)
export const dayOf = (ms: number): number => Math.floor(ms / dayMs)
export const isDeclining = (method: string): boolean => method.startsWith('decline@')

export const mayRenew = ({ status }: Campaign) => ['PENDING_APPROVAL', 'APPROVED', 'LIVE', 'PAUSED'].includes(status)

/** The code of a refusal. ANY: the books leave the answer open, and nothing moves. */
export type Code = string
