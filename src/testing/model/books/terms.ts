/** What there is in a small marketplace, and the few numbers that it goes by. */

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

/** Of a developer, on its way until the provider's answer is booked. */
export type Charge = {
  n: number
  id: string
  campaign: Campaign
  pay: number
  fee: number
  /** Pays anew for what is in escrow, instead of for a draft. */
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
  /** When an admin has to decide what becomes of its money; null before its first payment. */
  dueAt: number | null
  /** Its developer has been asked to pay anew. */
  asked: boolean
  decisions: Decision[]
  /** A dispute has ended, and what follows from that is not done yet. */
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
  /** Of the proof, the rejection, or the appeal. */
  sinceAt: number
  checkIns: number
  lastDay: number
  changes: number
  appealed: boolean
  /** Its seat is taken, and not verified. */
  open: boolean
}

/** `sent`: how often the provider was asked for it. */
export type Part = {
  id: string
  payment: Payment
  cents: number
  done: boolean
  sent: number
  /** Of the lost dispute whose bank has paid it, instead of the provider. */
  bank: Dispute | null
}
/** Ids are found after the fact. */
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

/** A bank takes a payment back, or asks to. */
export type Dispute = {
  n: number
  provider: string
  /** The provider's id of it. */
  reference: string
  campaign: Campaign
  payment: Payment
  cents: number
  status: 'OPEN' | 'WON' | 'LOST'
  /** How often the provider had moved its money, as far as it has told. */
  moves: number
  /** Of a lost one: what its campaign had no use for. */
  coveredPay: number
  coveredFee: number
  /** Of a lost one: refunds that were still owed, and that the bank has paid. */
  setOff: number
  /** What the provider kept of it, by the number of the movement. */
  fees: Map<number, number>
}

/** What a provider says of a dispute. */
export type DisputeNews = Pick<Dispute, 'provider' | 'reference' | 'cents' | 'status' | 'moves' | 'fees'> & {
  paymentId: string
}

/** What is to be told later. */
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

/** Of a refusal; ANY where the books leave open what the answer is, and nothing moves. */
export type Code = string
