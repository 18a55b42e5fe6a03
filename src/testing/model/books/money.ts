/** What moves money, and by how much. */
import { State } from './state.ts'
import {
  type Campaign,
  type Charge,
  dayMs,
  decideAfterMs,
  type Dispute,
  extensionMs,
  feeOf,
  type Part,
  type Person,
  type Test,
  type Withdrawal,
} from './terms.ts'

export class Money extends State {
  private feeShare(c: Campaign): number {
    return Math.floor(c.fee / c.testers)
  }

  private payFromEscrow(test: Test, cents: number): void {
    test.campaign.escrow -= cents
    test.tester.balance += cents
  }

  protected giveBack(c: Campaign, owedPay: number, owedFee: number): void {
    // The bank may give it back as well.
    if (this.isDisputed(c)) return
    this.cover(c, owedPay, owedFee)
    const pay = Math.max(c.escrow - owedPay, 0)
    const fee = Math.max(c.held - owedFee, 0)
    let rest = pay + fee
    if (rest === 0) return
    c.escrow -= pay
    c.held -= fee
    this.refundsAhead += rest
    const parts: Part[] = []
    for (const payment of c.payments.toReversed()) {
      const cents = Math.min(this.leftOf(payment), rest)
      if (cents === 0) continue
      payment.left -= cents
      rest -= cents
      parts.push({ id: '', payment, cents, done: false, sent: 0, bank: null })
    }
    if (rest > 0) throw new Error(`the model gives back ${rest} cents that nobody paid`)
    this.refunds.push({ n: this.refunds.length, id: '', campaign: c, parts })
    this.endRefusedRenewals(c)
  }

  /** Money that a campaign has no use for covers its lost disputes: first the pay, then the fee. */
  private cover(c: Campaign, owedPay: number, owedFee: number): void {
    for (const lost of this.lostOf(c)) {
      const owed = lost.cents - lost.coveredPay - lost.coveredFee - lost.setOff
      const pay = Math.min(owed, Math.max(c.escrow - owedPay, 0))
      const fee = Math.min(owed - pay, Math.max(c.held - owedFee, 0))
      c.escrow -= pay
      c.held -= fee
      lost.coveredPay += pay
      lost.coveredFee += fee
      this.receivable += pay + fee
      this.unsettle(lost, -this.owedFor(lost))
    }
  }

  /** Those for which something is still owed come first, because what was settled has to be given back. */
  protected lostOf(c: Campaign): Dispute[] {
    const lost = this.disputes.filter(({ campaign, status }) => campaign === c && status === 'LOST')
    return [...lost.filter(({ settled }) => settled === 0), ...lost.filter(({ settled }) => settled > 0)]
  }

  /** That much of what was settled is no longer owed. */
  protected unsettle(dispute: Dispute, cents: number): void {
    if (cents <= 0) return
    const paid = Math.min(cents, dispute.settled - dispute.waived)
    dispute.settled -= cents
    dispute.waived -= cents - paid
    dispute.giveBack += paid
    this.receivable -= cents
    this.paidOutside += cents
    this.met.set('settled and no longer owed', (this.met.get('settled and no longer owed') ?? 0) + 1)
  }

  debtSettled(dispute: Dispute, waived: boolean): void {
    const cents = this.owedFor(dispute)
    dispute.settled += cents
    if (waived) dispute.waived += cents
    this.receivable += cents
    this.paidOutside -= cents
  }

  protected giveBackUnused(c: Campaign): void {
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

  /** The campaign no longer wants the payments that are on their way. */
  private endCharges(c: Campaign): void {
    for (const charge of this.charges) if (charge.campaign === c && charge.status === 'PENDING') charge.ended = true
  }

  /** Renewals that could only come back. */
  protected endRefusedRenewals(c: Campaign): void {
    for (const charge of this.charges)
      if (charge.campaign === c && charge.status === 'PENDING' && charge.renews && !this.canRenew(charge))
        charge.ended = true
  }

  /** The earlier payments must be able to give back as much. */
  private canRenew({ campaign: c, pay, fee }: Charge): boolean {
    return this.isRenewable(c) && pay + fee <= c.payments.reduce((sum, payment) => sum + this.leftOf(payment), 0)
  }

  isWanted(charge: Charge): boolean {
    const { campaign: c, renews, ended } = charge
    if (ended || c.developer.deleted || this.owedBy(c.developer) > 0) return false
    return renews ? this.canRenew(charge) : c.status === 'DRAFT'
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
    const parts = [{ id: '', payment, cents: pay + fee, done: false, sent: 0, bank: null }]
    this.refunds.push({ n: this.refunds.length, id: '', campaign: c, parts })
  }

  notCharged(charge: Charge, isRefused: boolean): void {
    this.paymentsInTransit -= charge.pay + charge.fee
    this.cash += charge.pay + charge.fee
    charge.status = isRefused && this.isWanted(charge) ? 'FAILED' : 'CANCELLED'
    if (charge.status === 'FAILED') charge.campaign.developer.declined.push(this.now)
  }

  /** A payout that had arrived is returned. */
  returned(withdrawal: Withdrawal): void {
    this.cash -= withdrawal.cents
    withdrawal.tester.balance += withdrawal.cents
    withdrawal.status = 'FAILED'
    if (withdrawal.tester.deleted) this.balanceGivenUp(withdrawal.tester)
  }

  balanceGivenUp(tester: Person): void {
    this.givenUp += tester.balance
    tester.balance = 0
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

  /** Closed together: what a cancelled campaign held for several of them goes back as one refund. */
  closedUnpaid(tests: readonly Test[], status: 'DROPPED' | 'REJECTED'): void {
    for (const test of tests) Object.assign(test, { status, open: false })
    for (const c of new Set(tests.map(({ campaign }) => campaign))) if (c.status === 'CANCELLED') this.giveBackUnused(c)
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
    this.endCharges(c)
    this.giveBackUnused(c)
  }

  rejected(c: Campaign): void {
    c.status = 'REJECTED'
    this.endRefusedRenewals(c)
  }

  seatClosed(c: Campaign): void {
    c.closed++
    this.giveBackUnused(c)
  }

  extended(c: Campaign): void {
    Object.assign(c, { dueAt: this.now + extensionMs, asked: false })
    this.endCharges(c)
  }

  /** A change of the texts ends pending payments, because the provider's page names the campaign. */
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
}
