/** The state of the marketplace, and what can be derived from it. */
import {
  type Announced,
  appealMs,
  type Campaign,
  type Charge,
  dayMs,
  type Dispute,
  dropMs,
  goodwillMs,
  mayRenew,
  type Part,
  type Payment,
  type Person,
  type Refund,
  reviewMs,
  type Test,
  watchedMs,
  type Withdrawal,
} from './terms.ts'

export class State {
  now = 0
  feeRate = 1500
  minimum = 1000
  mostOpen = 20
  revenue = 0
  /** Balances given up by testers who deleted their account, and payouts returned to deleted ones. */
  givenUp = 0
  cash = 0
  payoutsInTransit = 0
  /** Refunds that are owed or in transit. */
  refundsAhead = 0
  paymentsInTransit = 0
  providerFees = 0
  readonly charges: Charge[] = []
  readonly people: Person[] = []
  readonly campaigns: Campaign[] = []
  readonly tests: Test[] = []
  readonly withdrawals: Withdrawal[] = []
  readonly refunds: Refund[] = []
  readonly disputes: Dispute[] = []
  /** Events of the sandbox that are due later. */
  readonly announced: Announced[] = []
  /** What developers owe for lost disputes, as a negative amount. */
  receivable = 0
  /** What the operator owes the platform, as a negative amount: debts that developers settled with the operator. */
  paidOutside = 0
  /** How often certain situations coincided, which shows what the histories cover. */
  readonly met = new Map<string, number>()

  // Derived from the state

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

  isDisputed(c: Campaign): boolean {
    return this.disputes.some(({ campaign, status }) => campaign === c && status === 'OPEN')
  }

  /** A bank has taken back one of its payments, so nobody new can join. */
  isTakenBack(c: Campaign): boolean {
    return this.disputes.some(({ campaign, status }) => campaign === c && status === 'LOST')
  }

  owedBy(developer: Person): number {
    return this.disputes.reduce((sum, one) => (one.campaign.developer === developer ? sum + this.owedFor(one) : sum), 0)
  }

  /** What the bank took back, less what has covered it, the refunds set off against it, and what was settled. */
  owedFor({ status, cents, coveredPay, coveredFee, setOff, settled }: Dispute): number {
    return status === 'LOST' ? cents - coveredPay - coveredFee - setOff - settled : 0
  }

  takesNobody(c: Campaign): boolean {
    return this.isDisputed(c) || this.isTakenBack(c)
  }

  /** What banks took back of a payment, less the refunds that they paid with it. */
  takenOf(payment: Payment): number {
    return this.disputes.reduce(
      (sum, one) => (one.payment === payment && one.status === 'LOST' ? sum + one.cents - one.setOff : sum),
      0,
    )
  }

  /** What a payment can still give back. */
  leftOf(payment: Payment): number {
    return Math.max(payment.left - this.takenOf(payment), 0)
  }

  /** The bank may take this money back, or has taken so much that too little is left for what is already on its way. */
  isHeldBack({ payment }: Part): boolean {
    const isOpen = this.disputes.some(one => one.payment === payment && one.status === 'OPEN')
    const taken = this.takenOf(payment)
    return isOpen || (taken > 0 && taken > payment.left)
  }

  private isRenewedSoon(c: Campaign): boolean {
    return this.isBeingRenewed(c) || this.isRenewable(c)
  }

  /** Few campaigns are disputed, just over a dispute or about to be paid anew, and only there can some situations coincide. */
  isRare(c: Campaign): boolean {
    return this.isRenewedSoon(c) || this.takesNobody(c) || c.afterDispute
  }

  /** Its money has been in escrow for long enough to be watched. */
  isWatched(c: Campaign): boolean {
    return this.heldOf(c) > 0 && c.dueAt !== null && c.dueAt <= this.now + watchedMs
  }

  isRenewable(c: Campaign): boolean {
    return c.asked && mayRenew(c) && !this.takesNobody(c)
  }

  chargesOnTheirWay(developer: Person): number {
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

  /** When something happens to it without anybody acting; Infinity if nothing does. */
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
}
