/** The state of the marketplace, and what follows from it. */
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
  /** By testers with their account, and what came back to a deleted one. */
  givenUp = 0
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
  readonly disputes: Dispute[] = []
  /** By events of the sandbox that are due later. */
  readonly announced: Announced[] = []
  /** What developers owe for lost disputes, below zero. */
  receivable = 0
  /** What has met, for those who want to know how far the histories got. */
  readonly met = new Map<string, number>()

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

  isDisputed(c: Campaign): boolean {
    return this.disputes.some(({ campaign, status }) => campaign === c && status === 'OPEN')
  }

  /** A bank has taken a payment of it back: nobody new gets in. */
  isTakenBack(c: Campaign): boolean {
    return this.disputes.some(({ campaign, status }) => campaign === c && status === 'LOST')
  }

  /** For what banks took back, as far as nothing has covered it, and no refund was set off against it. */
  owedBy(developer: Person): number {
    return this.disputes.reduce(
      (sum, { campaign, status, cents, coveredPay, coveredFee, setOff }) =>
        campaign.developer === developer && status === 'LOST' ? sum + cents - coveredPay - coveredFee - setOff : sum,
      0,
    )
  }

  takesNobody(c: Campaign): boolean {
    return this.isDisputed(c) || this.isTakenBack(c)
  }

  /** What banks took back of a payment, beyond refunds that they have paid by it. */
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

  /** The bank may take this money back, or has taken so much that there is not enough left for what is on its way already. */
  isHeldBack({ payment }: Part): boolean {
    const isOpen = this.disputes.some(one => one.payment === payment && one.status === 'OPEN')
    const taken = this.takenOf(payment)
    return isOpen || (taken > 0 && taken > payment.left)
  }

  private isRenewedSoon(c: Campaign): boolean {
    return this.isBeingRenewed(c) || this.isRenewable(c)
  }

  /** Few are under a dispute, after a lost one, or to be paid anew, and only then some of what can happen meets. */
  isRare(c: Campaign): boolean {
    return this.isRenewedSoon(c) || this.takesNobody(c) || c.afterDispute
  }

  /** Its money has been in escrow for long. */
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
}
