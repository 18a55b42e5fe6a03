/**
 * What ought to be: the money of a small marketplace, in memory, with arithmetic of its own. It knows nothing of the database,
 * and shares no code with what it is held against.
 */

const hourMs = 3_600_000
const dayMs = 24 * hourMs

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

type Payment = { id: string; cents: number; left: number }

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

export type Part = { id: string; payment: Payment; cents: number; done: boolean; attempts: number }
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

const dropMs = 72 * hourMs
const reviewMs = 72 * hourMs
const appealMs = 72 * hourMs
const goodwillMs = 7 * dayMs
const pauseMs = 24 * hourMs
const decideAfterMs = 80 * dayMs
const watchedMs = 20 * dayMs
const extensionMs = 30 * dayMs
const mostChanges = 3
const mostDeclined = 10

export const feeOf = (cents: number, rate: number): number => Math.floor((cents * rate * 2 + 10_000) / 20_000)
export const dayOf = (ms: number): number => Math.floor(ms / dayMs)
export const isDeclining = (method: string): boolean => method.startsWith('decline@')

const mayRenew = ({ status }: Campaign) => ['PENDING_APPROVAL', 'APPROVED', 'LIVE', 'PAUSED'].includes(status)

/** Of a refusal; ANY where the books leave open what the answer is, and nothing moves. */
export type Code = string

export class Books {
  now = 0
  feeRate = 1500
  minimum = 1000
  mostOpen = 20
  revenue = 0
  cash = 0
  payoutsInTransit = 0
  /** Owed and in transit. */
  refundsAhead = 0
  paymentsInTransit = 0
  providerFees = 0
  readonly charges: Charge[] = []
  readonly people: Person[] = []
  readonly campaigns: Campaign[] = []
  readonly tests: Test[] = []
  readonly withdrawals: Withdrawal[] = []
  readonly refunds: Refund[] = []

  // What follows from the state

  openOf(c: Campaign): number {
    return c.tests.filter(test => test.open).length
  }

  freeSeats(c: Campaign): number {
    return c.testers - this.openOf(c) - c.verified - c.closed
  }

  outstanding(c: Campaign): number {
    return c.testers * c.pay - c.escrow + (c.fee - c.held)
  }

  heldOf(c: Campaign): number {
    return c.escrow + c.held
  }

  isBeingRenewed(c: Campaign): boolean {
    return this.charges.some(({ campaign, renews, status }) => campaign === c && renews && status === 'PENDING')
  }

  /** Few are, and only then some of what can happen meets. */
  isRenewedSoon(c: Campaign): boolean {
    return this.isBeingRenewed(c) || this.isRenewable(c)
  }

  /** Its money has been in escrow for long. */
  isWatched(c: Campaign): boolean {
    return this.heldOf(c) > 0 && c.dueAt !== null && c.dueAt <= this.now + watchedMs
  }

  private chargesOnTheirWay(developer: Person): number {
    return this.charges.filter(({ campaign, status }) => campaign.developer === developer && status === 'PENDING')
      .length
  }

  openTestsOf(tester: Person): number {
    return this.tests.filter(
      ({ tester: of, open, status }) => of === tester && open && status !== 'REJECTED' && status !== 'APPEALED',
    ).length
  }

  proofAllowedAt({ joinedAt, campaign }: Test): number {
    return joinedAt + campaign.days * dayMs
  }

  /** When something happens by itself; infinite when nothing does. */
  deadlineOf(test: Test): number {
    switch (test.status) {
      case 'ACTIVE':
        return Math.min(this.proofAllowedAt(test), test.campaign.daily ? test.seenAt : Infinity) + dropMs
      case 'CHANGES_REQUESTED':
        return test.seenAt + dropMs
      case 'SUBMITTED':
        return test.sinceAt + reviewMs
      case 'REJECTED':
        return test.open ? test.sinceAt + appealMs : Infinity
      case 'APPEALED':
        return test.sinceAt + goodwillMs
      case 'VERIFIED':
      case 'DROPPED':
      case 'CANCELLED':
        return Infinity
    }
  }

  // Money

  private feeShare(c: Campaign): number {
    return Math.floor(c.fee / c.testers)
  }

  private payFromEscrow(test: Test, cents: number): void {
    test.campaign.escrow -= cents
    test.tester.balance += cents
  }

  private giveBack(c: Campaign, owedPay: number, owedFee: number): void {
    const pay = Math.max(c.escrow - owedPay, 0)
    const fee = Math.max(c.held - owedFee, 0)
    let rest = pay + fee
    if (rest === 0) return
    c.escrow -= pay
    c.held -= fee
    this.refundsAhead += rest
    const parts: Part[] = []
    for (const payment of c.payments.toReversed()) {
      const cents = Math.min(payment.left, rest)
      if (cents === 0) continue
      payment.left -= cents
      rest -= cents
      parts.push({ id: '', payment, cents, done: false, attempts: 1 })
    }
    if (rest > 0) throw new Error(`the model gives back ${rest} cents that nobody paid`)
    this.refunds.push({ n: this.refunds.length, id: '', campaign: c, parts })
  }

  private giveBackUnused(c: Campaign): void {
    const settled = c.verified + c.closed
    const running = c.status === 'LIVE' || c.status === 'PAUSED'
    const owed = running ? c.testers - settled : this.openOf(c)
    const share = this.feeShare(c)
    const isRest = owed > 0 && owed + settled === c.testers
    this.giveBack(c, owed * c.pay, isRest ? c.fee - settled * share : owed * share)
  }

  chargeBegun(id: string, c: Campaign): void {
    const renews = c.status !== 'DRAFT'
    const [pay, fee] = renews ? [c.escrow, c.held] : [c.testers * c.pay - c.escrow, c.fee - c.held]
    this.charges.push({ n: this.charges.length, id, campaign: c, pay, fee, renews, ended: false, status: 'PENDING' })
    this.cash -= pay + fee
    this.paymentsInTransit += pay + fee
  }

  /** The campaign no longer wants what is on its way to it. */
  private endCharges(c: Campaign): void {
    for (const charge of this.charges) if (charge.campaign === c && charge.status === 'PENDING') charge.ended = true
  }

  isWanted({ campaign: c, pay, fee, renews, ended }: Charge): boolean {
    if (ended || c.developer.deleted) return false
    if (!renews) return c.status === 'DRAFT'
    // As much has to go back of the payments before it.
    return this.isRenewable(c) && pay + fee <= c.payments.reduce((sum, { left }) => sum + left, 0)
  }

  private isRenewable(c: Campaign): boolean {
    return c.asked && mayRenew(c)
  }

  charged(charge: Charge, providerFee: number): void {
    const { id, campaign: c, pay, fee } = charge
    this.paymentsInTransit -= pay + fee
    this.cash += providerFee
    this.providerFees -= providerFee
    if (this.isWanted(charge)) {
      charge.status = 'COMPLETED'
      c.escrow += pay
      c.held += fee
      if (charge.renews) {
        this.giveBack(c, c.escrow - pay, c.held - fee)
        Object.assign(c, { dueAt: this.now + decideAfterMs, asked: false })
      } else {
        c.status = 'PENDING_APPROVAL'
        c.dueAt ??= this.now + decideAfterMs
      }
      c.payments.push({ id, cents: pay + fee, left: pay + fee })
      return
    }
    const payment = { id, cents: pay + fee, left: 0 }
    c.payments.push(payment)
    charge.status = 'RETURNED'
    this.refundsAhead += pay + fee
    const parts = [{ id: '', payment, cents: pay + fee, done: false, attempts: 1 }]
    this.refunds.push({ n: this.refunds.length, id: '', campaign: c, parts })
  }

  notCharged(charge: Charge, isRefused: boolean): void {
    this.paymentsInTransit -= charge.pay + charge.fee
    this.cash += charge.pay + charge.fee
    charge.status = isRefused && this.isWanted(charge) ? 'FAILED' : 'CANCELLED'
    if (charge.status === 'FAILED') charge.campaign.developer.declined.push(this.now)
  }

  /** A payout that had arrived comes back. */
  returned(withdrawal: Withdrawal): void {
    this.cash -= withdrawal.cents
    withdrawal.tester.balance += withdrawal.cents
    withdrawal.status = 'FAILED'
  }

  verified(test: Test): void {
    const { campaign: c } = test
    const isLast = c.verified + c.closed + 1 === c.testers
    const fee = isLast ? c.fee - (c.testers - 1) * this.feeShare(c) : this.feeShare(c)
    this.payFromEscrow(test, c.pay)
    c.held -= fee
    this.revenue += fee
    c.verified++
    test.status = 'VERIFIED'
    test.open = false
  }

  /** The platform pays, and the seat is closed. */
  paidByPlatform(test: Test): void {
    const { campaign: c } = test
    this.revenue -= c.pay
    test.tester.balance += c.pay
    test.status = 'VERIFIED'
    test.open = false
    c.closed++
    this.giveBackUnused(c)
  }

  closedUnpaid(test: Test, status: 'DROPPED' | 'REJECTED'): void {
    test.status = status
    test.open = false
    if (test.campaign.status === 'CANCELLED') this.giveBackUnused(test.campaign)
  }

  cancelled(c: Campaign): void {
    for (const test of c.tests.filter(({ status }) => status === 'ACTIVE')) {
      const days = c.daily ? test.checkIns : Math.floor((this.now - test.joinedAt) / dayMs)
      this.payFromEscrow(test, Math.floor((c.pay * Math.min(days, c.days)) / c.days))
      test.status = 'CANCELLED'
      test.open = false
    }
    c.status = 'CANCELLED'
    this.endCharges(c)
    this.giveBackUnused(c)
  }

  completed(c: Campaign): void {
    c.status = 'COMPLETED'
    this.giveBackUnused(c)
  }

  seatClosed(c: Campaign): void {
    c.closed++
    this.giveBackUnused(c)
  }

  extended(c: Campaign): void {
    Object.assign(c, { dueAt: this.now + extensionMs, asked: false })
    this.endCharges(c)
  }

  /** The provider's page names the campaign. */
  textsChanged(c: Campaign): void {
    this.endCharges(c)
  }

  changed(c: Campaign, testers: number, pay: number): void {
    this.endCharges(c)
    Object.assign(c, { testers, pay, fee: feeOf(testers * pay, c.feeRate), status: 'DRAFT' })
    this.giveBack(c, testers * pay, c.fee)
  }

  withdrawn(id: string, tester: Person, cents: number): void {
    tester.balance -= cents
    this.payoutsInTransit += cents
    const n = this.withdrawals.length
    this.withdrawals.push({ n, id, tester, cents, to: tester.method, status: 'PENDING', claimed: false })
  }

  settled(withdrawal: Withdrawal, isPaid: boolean): void {
    this.payoutsInTransit -= withdrawal.cents
    if (isPaid) this.cash += withdrawal.cents
    else withdrawal.tester.balance += withdrawal.cents
    withdrawal.status = isPaid ? 'COMPLETED' : 'FAILED'
  }

  partPaid(part: Part): void {
    part.done = true
    this.refundsAhead -= part.cents
    this.cash += part.cents
  }

  // Rules: why something is refused now; null when it is not.

  whyNotFund(c: Campaign, cents: number): Code | null {
    if (c.developer.deleted) return 'ANY'
    if (c.developer.suspended) return 'SUSPENDED'
    if (c.status === 'DRAFT' && cents !== this.outstanding(c)) return 'WRONG_AMOUNT'
    if (c.status !== 'DRAFT' || this.outstanding(c) <= 0) return 'WRONG_STATE'
    return this.whyNotCharge(c)
  }

  whyNotRenew(c: Campaign, cents: number): Code | null {
    if (c.developer.deleted) return 'ANY'
    if (c.developer.suspended) return 'SUSPENDED'
    if (!this.isRenewable(c)) return 'WRONG_STATE'
    return cents === this.heldOf(c) ? this.whyNotCharge(c) : 'WRONG_AMOUNT'
  }

  private whyNotCharge(c: Campaign): Code | null {
    const recent = c.developer.declined.filter(at => at > this.now - dayMs)
    if (recent.length + this.chargesOnTheirWay(c.developer) >= mostDeclined) return 'TOO_MANY_REQUESTS'
    const isWaiting = this.charges.some(one => one.campaign === c && one.status === 'PENDING' && !one.ended)
    return isWaiting ? 'WRONG_STATE' : null
  }

  /** What an admin cannot decide of money in escrow. */
  whyNotDecide(c: Campaign, decision: Decision): Code | null {
    if (c.dueAt === null) return 'NOT_FOUND'
    if (!this.isWatched(c)) return 'WRONG_STATE'
    const may = {
      EXTENDED: true,
      RENEWAL_ASKED: mayRenew(c) && !c.asked,
      CANCELLED: c.status !== 'COMPLETED' && c.status !== 'CANCELLED',
    }
    return may[decision] ? null : 'WRONG_STATE'
  }

  whyNotJoin(c: Campaign, tester: Person): Code | null {
    if (tester.deleted) return 'ANY'
    const joined = c.tests.some(test => test.tester === tester)
    if (c.status !== 'LIVE') return joined ? 'ANY' : 'NOT_FOUND'
    if (joined) return 'ALREADY_JOINED'
    if (this.freeSeats(c) <= 0) return 'CAMPAIGN_FULL'
    if (tester.suspended) return 'SUSPENDED'
    return this.openTestsOf(tester) >= this.mostOpen ? 'LIMIT_REACHED' : null
  }

  whyNotCheckIn(test: Test): Code | null {
    if (test.status !== 'ACTIVE') return 'WRONG_STATE'
    return test.lastDay === dayOf(this.now) ? 'ALREADY_CHECKED_IN' : null
  }

  whyNotSubmit(test: Test): Code | null {
    if (test.status === 'CHANGES_REQUESTED') return null
    if (test.status !== 'ACTIVE') return 'WRONG_STATE'
    return this.now < this.proofAllowedAt(test) ? 'TOO_EARLY' : null
  }

  whyNotRequestChanges(test: Test): Code | null {
    return test.status === 'SUBMITTED' && test.changes < mostChanges ? null : 'WRONG_STATE'
  }

  whyNotAppeal(test: Test): Code | null {
    const may = test.status === 'REJECTED' && test.open && !test.appealed && this.now < test.sinceAt + appealMs
    return may ? null : 'WRONG_STATE'
  }

  whyNotWithdraw(tester: Person, cents: number): Code | null {
    if (tester.deleted) return 'ANY'
    if (tester.suspended) return 'SUSPENDED'
    if (cents < this.minimum) return 'INVALID_INPUT'
    if (tester.changedAt + pauseMs > this.now) return 'PAYOUT_METHOD_PAUSED'
    return cents > tester.balance ? 'INSUFFICIENT_BALANCE' : null
  }

  whyNotDelete(person: Person): Code | null {
    const holding = this.campaigns.some(
      c =>
        c.developer === person &&
        (['PENDING_APPROVAL', 'APPROVED', 'LIVE', 'PAUSED'].includes(c.status) ||
          this.openOf(c) > 0 ||
          (c.status !== 'COMPLETED' && c.status !== 'CANCELLED' && c.escrow > 0)),
    )
    const testing = this.tests.some(({ tester, open, status }) => tester === person && open && status !== 'REJECTED')
    const onItsWay =
      this.withdrawals.some(({ tester, status }) => tester === person && status === 'PENDING') ||
      this.chargesOnTheirWay(person) > 0 ||
      this.refunds.some(({ campaign, parts }) => campaign.developer === person && parts.some(({ done }) => !done))
    return holding || testing || onItsWay || person.balance > 0 ? 'WRONG_STATE' : null
  }
}
