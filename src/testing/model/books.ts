/**
 * The expected state: the money of a small marketplace, in memory, with arithmetic of its own. It knows nothing of the database,
 * and shares no code with the product that it is compared with. This file says who may do what when. The folder `books` has the
 * objects (terms.ts, state.ts), what moves money (money.ts), and what banks take back (disputes.ts).
 */
import { DisputedMoney } from './books/disputes.ts'
import {
  appealMs,
  type Campaign,
  type Code,
  dayMs,
  dayOf,
  type Decision,
  type Dispute,
  mayRenew,
  mostChanges,
  mostDeclined,
  pauseMs,
  type Person,
  type Test,
} from './books/terms.ts'

export * from './books/terms.ts'

/** The rules: each returns why something is refused now, or null. */
export class Books extends DisputedMoney {
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
    if (this.owedBy(c.developer) > 0) return 'WRONG_STATE'
    const recent = c.developer.declined.filter(at => at > this.now - dayMs)
    if (recent.length + this.chargesOnTheirWay(c.developer) >= mostDeclined) return 'TOO_MANY_REQUESTS'
    const isWaiting = this.charges.some(one => one.campaign === c && one.status === 'PENDING' && !one.ended)
    return isWaiting ? 'WRONG_STATE' : null
  }

  /** Why an admin cannot make this decision about money in escrow. */
  whyNotDecide(c: Campaign, decision: Decision): Code | null {
    if (c.dueAt === null) return 'NOT_FOUND'
    if (!this.isWatched(c)) return 'WRONG_STATE'
    const may = {
      EXTENDED: true,
      RENEWAL_ASKED: mayRenew(c) && !c.asked && !c.developer.suspended && !this.takesNobody(c),
      CANCELLED: c.status !== 'COMPLETED' && c.status !== 'CANCELLED',
    }
    return may[decision] ? null : 'WRONG_STATE'
  }

  /** Only the sandbox leaves disputes to an admin, unless it has announced the outcome. */
  whyNotDecideDispute({ provider, status, payment }: Dispute): Code | null {
    const isAnnounced = this.announced.some(one => one.paymentId === payment.id && one.status !== 'OPEN' && !one.isTold)
    return provider === 'sandbox' && status === 'OPEN' && !isAnnounced ? null : 'WRONG_STATE'
  }

  /** Refused while what follows from the campaign's disputes has not been done. */
  whyNotSettle(dispute: Dispute, cents: number): Code | null {
    if (this.owedFor(dispute) === 0 || dispute.campaign.afterDispute) return 'WRONG_STATE'
    return cents === this.owedFor(dispute) ? null : 'WRONG_AMOUNT'
  }

  whyNotGiveBack({ giveBack }: Dispute, cents: number): Code | null {
    if (giveBack === 0) return 'WRONG_STATE'
    return cents === giveBack ? null : 'WRONG_AMOUNT'
  }

  whyNotJoin(c: Campaign, tester: Person): Code | null {
    if (tester.deleted) return 'ANY'
    const joined = c.tests.some(test => test.tester === tester)
    if (c.status !== 'LIVE') return joined ? 'ANY' : 'NOT_FOUND'
    if (joined) return 'ALREADY_JOINED'
    if (this.takesNobody(c)) return 'WRONG_STATE'
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

  /** A developer whose bank takes the money back must not also reject the work. */
  whyNotReject({ status, campaign }: Test, by: Person): Code | null {
    const may = status === 'SUBMITTED' && (by.role === 'ADMIN' || !this.isDisputed(campaign))
    return may ? null : 'WRONG_STATE'
  }

  /** A suspended tester could not make them. */
  whyNotRequestChanges({ status, changes, tester }: Test): Code | null {
    return status === 'SUBMITTED' && changes < mostChanges && !tester.suspended ? null : 'WRONG_STATE'
  }

  whyNotAppeal(test: Test): Code | null {
    if (test.tester.deleted) return 'ANY'
    if (test.tester.suspended) return 'SUSPENDED'
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

  /** `givesUp`: the balance below the minimum that the tester was shown. */
  whyNotDelete(person: Person, givesUp: number): Code | null {
    const holding = this.campaigns.some(
      c =>
        c.developer === person &&
        (['PENDING_APPROVAL', 'APPROVED', 'LIVE', 'PAUSED'].includes(c.status) ||
          this.openOf(c) > 0 ||
          (c.status !== 'COMPLETED' && c.status !== 'CANCELLED' && c.escrow > 0)),
    )
    const disputed = this.campaigns.some(c => c.developer === person && (this.isDisputed(c) || c.afterDispute))
    const toGiveBack = this.disputes.some(({ campaign, giveBack }) => campaign.developer === person && giveBack > 0)
    const testing = this.tests.some(({ tester, open, status }) => tester === person && open && status !== 'REJECTED')
    const onItsWay =
      this.withdrawals.some(({ tester, status }) => tester === person && status === 'PENDING') ||
      this.chargesOnTheirWay(person) > 0 ||
      this.refunds.some(({ campaign, parts }) => campaign.developer === person && parts.some(({ done }) => !done))
    const owing = this.owedBy(person) > 0 || toGiveBack
    if (holding || disputed || testing || onItsWay || owing || person.balance >= this.minimum) return 'WRONG_STATE'
    return person.balance === givesUp ? null : 'WRONG_AMOUNT'
  }
}
