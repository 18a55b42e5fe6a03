/** Disputed payments, and what follows from them. */
import { Money } from './money.ts'
import type { Campaign, Dispute, DisputeNews, Part } from './terms.ts'

export class DisputedMoney extends Money {
  /** News comes in any order, twice and late. False if the payment is not known yet. */
  disputeTold(news: DisputeNews): boolean {
    const campaign = this.campaigns.find(({ payments }) => payments.some(({ id }) => id === news.paymentId))
    if (!campaign) return false
    const dispute = this.disputes.find(one => one.provider === news.provider && one.reference === news.reference)
    if (dispute) this.goesOn(dispute, news)
    else this.opened(campaign, news)
    this.endRefusedRenewals(campaign)
    return true
  }

  private opened(campaign: Campaign, news: DisputeNews): void {
    const { provider, reference, paymentId, cents, moves } = news
    const payment = campaign.payments.find(({ id }) => id === paymentId)!
    const n = this.disputes.length
    const covered = { coveredPay: 0, coveredFee: 0, setOff: 0, settled: 0, waived: 0, giveBack: 0 }
    const dispute: Dispute = {
      n,
      provider,
      reference,
      campaign,
      payment,
      cents,
      status: 'OPEN',
      moves,
      fees: new Map(),
      ...covered,
    }
    this.meet(`opened ${campaign.status}`)
    if (this.isBeingRenewed(campaign)) this.meet('opened while paid anew')
    if (this.refunds.some(one => one.campaign === campaign && one.parts.some(({ done }) => !done)))
      this.meet('opened with a refund under way')
    if (campaign.developer.deleted) this.meet('opened of a deleted account')
    if (campaign.closed > 0) this.meet('opened with closed seats')
    this.disputes.push(dispute)
    this.keepFees(dispute, news)
    this.end(dispute, news.status)
  }

  private goesOn(dispute: Dispute, news: DisputeNews): void {
    // Fees were kept even if the news is old.
    this.keepFees(dispute, news)
    const hasMoved = news.moves > dispute.moves
    // Something newer is already known.
    if (news.moves < dispute.moves) return
    dispute.moves = news.moves
    if (dispute.status === 'WON' && hasMoved && news.status !== 'WON') {
      dispute.status = 'OPEN'
      this.meet('opened again')
    }
    if (dispute.status === 'OPEN') this.end(dispute, news.status)
    else if (dispute.status === 'LOST' && hasMoved && news.status === 'WON') this.wonAfterAll(dispute)
  }

  private end(dispute: Dispute, status: Dispute['status']): void {
    if (status === 'OPEN') return
    const { campaign, cents } = dispute
    dispute.status = status
    campaign.afterDispute = true
    this.meet(`${status} ${campaign.status}`)
    if (status === 'WON') return
    this.cash += cents
    this.receivable -= cents
    if (campaign.tests.some(test => test.status === 'SUBMITTED')) this.meet('LOST with tests under review')
    if (dispute.payment.left < cents) this.meet('LOST of what was refunded')
  }

  /** An admin has recorded the outcome. */
  disputeDecided(dispute: Dispute, outcome: 'WON' | 'LOST'): void {
    this.end(dispute, outcome)
  }

  /** The money that had covered it belongs to the campaign again. */
  private wonAfterAll(dispute: Dispute): void {
    const { campaign, cents, coveredPay, coveredFee, setOff } = dispute
    this.cash -= cents
    this.receivable += cents - coveredPay - coveredFee - setOff
    for (const part of this.partsOf(campaign))
      if (part.bank === dispute) Object.assign(part, { done: false, bank: null })
    this.refundsAhead += setOff
    campaign.escrow += coveredPay
    campaign.held += coveredFee
    campaign.afterDispute = true
    this.unsettle(dispute, dispute.settled)
    Object.assign(dispute, { status: 'WON', coveredPay: 0, coveredFee: 0, setOff: 0 })
    this.meet(`WON after LOST ${campaign.status}`)
    if (coveredPay + coveredFee > 0) this.meet('WON after LOST, with cover')
    if (setOff > 0) this.meet('WON after LOST, with refunds that the bank had paid')
  }

  private keepFees(dispute: Dispute, { fees }: DisputeNews): void {
    for (const [movement, cents] of fees) {
      if (dispute.fees.has(movement)) continue
      dispute.fees.set(movement, cents)
      this.cash += cents
      this.providerFees -= cents
    }
  }

  private partsOf(c: Campaign): Part[] {
    return this.refunds.flatMap(({ campaign, parts }) => (campaign === c ? parts : []))
  }

  /**
   * Sets off refunds that are still owed and that banks have paid: all except those that the provider may be paying. What other
   * money had covered until then is the campaign's again.
   */
  setOff(c: Campaign, mayBePaid: (part: Part) => boolean): void {
    const losses = this.lostOf(c)
    for (const uncovers of [false, true]) for (const lost of losses) this.setOffAgainst(lost, uncovers, mayBePaid)
  }

  private setOffAgainst(lost: Dispute, uncovers: boolean, mayBePaid: (part: Part) => boolean): void {
    for (const { campaign, parts } of this.refunds) {
      if (campaign !== lost.campaign) continue
      for (const part of parts.slice()) {
        const { payment } = part
        if (payment !== lost.payment || part.done || mayBePaid(part)) continue
        const open = lost.cents - lost.coveredPay - lost.coveredFee - lost.setOff
        const most = uncovers ? lost.cents - lost.setOff : open
        const cents = Math.min(part.cents, this.takenOf(payment) - payment.left, most)
        if (cents <= 0) continue
        this.meet(cents < part.cents ? 'LOST, and has paid a part of a refund' : 'LOST, and has paid a refund')
        if (cents === part.cents) Object.assign(part, { done: true, bank: lost })
        else {
          part.cents -= cents
          parts.push({ id: '', payment, cents, done: true, sent: 0, bank: lost })
        }
        if (cents > open) this.uncover(lost, cents - open)
        lost.setOff += cents
        this.receivable += cents
        this.refundsAhead -= cents
        this.unsettle(lost, -this.owedFor(lost))
      }
    }
  }

  private uncover(lost: Dispute, cents: number): void {
    const pay = Math.min(cents, lost.coveredPay)
    lost.coveredPay -= pay
    lost.coveredFee -= cents - pay
    lost.campaign.escrow += pay
    lost.campaign.held += cents - pay
    this.receivable -= cents
    this.meet('LOST, covered and then set off')
  }

  /** No payment of the campaign is disputed any more: does what waited for that. */
  afterDisputes(c: Campaign): void {
    c.afterDispute = false
    const isRunning = c.status === 'LIVE' || c.status === 'PAUSED'
    const hasEnded = c.status === 'COMPLETED' || c.status === 'CANCELLED'
    if (this.isTakenBack(c) && isRunning) this.emptied(c)
    else if (this.isTakenBack(c) && !hasEnded) this.cancelled(c)
    else if (isRunning || hasEnded) this.giveBackUnused(c)
    else this.giveBack(c, c.testers * c.pay, c.fee)
  }

  /** The free seats of a campaign whose money was taken back are closed. */
  emptied(c: Campaign): void {
    c.closed += Math.max(this.freeSeats(c), 0)
    this.giveBackUnused(c)
  }

  private meet(what: string): void {
    this.met.set(what, (this.met.get(what) ?? 0) + 1)
  }
}
