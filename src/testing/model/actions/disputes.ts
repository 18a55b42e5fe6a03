/** Disputes: what banks do, how the provider reports it, and what an admin records. */
import { clock } from '../../../kit/clock.ts'
import { transact } from '../../../kit/server/db.ts'
import { carryOut } from '../../../ledger/server/calls.ts'
import { decide } from '../../../ledger/server/disputeCases.ts'
import { giveBack, settle, waive } from '../../../ledger/server/settledDebts.ts'
import { bookDisputeFees } from '../../../ledger/server/disputes.queries.ts'
import { disputeChanged } from '../../../ledger/server/disputes.ts'
import { takeEvent } from '../../../ledger/server/providerEvents.ts'
import type { BankDispute } from '../bank.ts'
import type { Books, Dispute, DisputeNews } from '../books.ts'
import { adminOf, callerOf, type Made, type Make, once, pick, preferred, reason } from './making.ts'
import type { Attempt, Draw, Scene } from './scene.ts'

/** Does what a provider's event does: asks for the current state, and first books a payment that may not be known yet. */
const tell = ({ books, provider }: Scene, dispute: BankDispute, ago = 0): Made => {
  let news: DisputeNews | undefined
  const said = `${dispute.reference}, ${provider.bank.statusOf(dispute)}`
  return {
    label: `the provider tells of ${said}${ago === 0 ? '' : `, as it was ${ago} before`}`,
    run: async () => {
      news = await provider.bank.look(dispute, ago)
      const { paymentId, cents: amountCents, moves: movements, fees, ...rest } = news
      await carryOut(paymentId)
      await transact(async tx => {
        await disputeChanged(tx, { ...rest, paymentId, amountCents, movements, reason, at: clock.now() })
        const kept = [...fees].map(([move, cents]) => ({ movement: String(move), cents }))
        await bookDisputeFees(tx, news!, kept, clock.now())
      })
    },
    mayFail: true,
    decides: /change_dispute/,
    decide: () => {
      books.disputeTold(news!)
      return null
    },
  }
}

/** No event arrives; the product learns of it from a later one. */
const silent = (label: string): Made => ({
  label: `${label}, and nobody is told`,
  run: async () => undefined,
  mayFail: true,
  decide: () => null,
})

const tellOrNot = (scene: Scene, draw: Draw, dispute: BankDispute): Made =>
  draw(4) === 0
    ? silent(`the bank has ${dispute.reference}, ${scene.provider.bank.statusOf(dispute)}`)
    : tell(scene, dispute)

/** Money is on its way, or somebody waits for it. */
const isBusy = (books: Books, chargeId: string): boolean => {
  const c = books.charges.find(({ id }) => id === chargeId)?.campaign
  if (!c) return false
  const refunds = books.refunds.filter(({ campaign }) => campaign === c)
  return (
    books.isRare(c) ||
    c.tests.some(({ status }) => status === 'SUBMITTED') ||
    refunds.some(({ parts }) => parts.some(({ done }) => !done))
  )
}

/** A new payment is under way, which has to go back and must not be counted on. */
const isPaidAnew = (books: Books, chargeId: string): boolean => {
  const c = books.charges.find(({ id }) => id === chargeId)?.campaign
  return c !== undefined && books.isBeingRenewed(c)
}

const mostRecent = 60

export const dispute: Make = (scene, draw) => {
  const { books, provider } = scene
  const charges = provider.charges().slice(-mostRecent)
  const isAnew = draw(3) === 0
  const among = preferred(draw, charges, ({ subjectId }) =>
    isAnew ? isPaidAnew(books, subjectId) : isBusy(books, subjectId),
  )
  const charge = among[draw(among.length)]
  if (!charge) return undefined
  const left = provider.bank.leftOf(charge.subjectId, charge.cents)
  if (left <= 0) return undefined
  if (left === charge.cents && draw(4) === 0) return announced(scene, draw, charge.subjectId, left)
  const opened = provider.bank.open(charge.subjectId, draw(3) === 0 ? 1 + draw(left) : left, draw(4) === 0)
  if (draw(4) === 0) provider.bank.move(opened, draw)
  return tellOrNot(scene, draw, opened)
}

const hourMs = 3_600_000
const instant = (ms: number) => new Date(ms).toISOString()

/** A dispute of the sandbox: an event that is due later, and sometimes a second one with the outcome. */
const announced = ({ books, provider }: Scene, draw: Draw, paymentId: string, cents: number): Made => {
  provider.bank.leaveToSandbox(paymentId)
  const place = books.charges.findIndex(({ id }) => id === paymentId)
  const outcome = ([null, null, 'WON', 'LOST'] as const)[draw(4)]!
  const at = [draw(48), draw(48)].map(hours => books.now + hours * hourMs)
  const events = (['OPEN', outcome] as const).flatMap((status, n) => {
    const told = { provider: 'sandbox', reference: `sandbox-dispute:${paymentId}`, paymentId, cents, moves: 0 }
    return status === null ? [] : [{ ...told, status, dueAt: at[n]!, fees: new Map<number, number>(), isTold: false }]
  })
  return {
    label: `charge ${place} will be disputed${outcome === null ? '' : `, and ${outcome}`}`,
    run: async () => {
      for (const { status, dueAt } of events)
        await takeEvent({
          provider: 'sandbox',
          eventId: `dispute-${status === 'OPEN' ? 'opened' : 'closed'}:${paymentId}`,
          type: 'sandbox.dispute',
          payload: { chargeId: paymentId, amountCents: cents, status, at: instant(dueAt) },
          receivedAt: clock.now(),
          dueAt: instant(dueAt),
        })
    },
    mayFail: true,
    decides: /insert into provider_events/,
    decide: () => {
      const next = events.find(event => !books.announced.includes(event))
      if (next) books.announced.push(next)
      return null
    },
  }
}

const mostStates = 6

/** A dispute ends, or continues after its end. */
export const disputeGoesOn: Make = (scene, draw) => {
  const { bank } = scene.provider
  const going = bank.disputes.filter(({ states }) => states.length < mostStates)
  const among = preferred(draw, going, one => bank.isOpen(one))
  const one = among[draw(among.length)]
  if (!one) return undefined
  bank.move(one, draw)
  return tellOrNot(scene, draw, one)
}

/** The provider reports a dispute once more, late, or in an earlier state. */
export const disputeTold: Make = (scene, draw) => {
  const all = scene.provider.bank.disputes.slice(-mostRecent)
  const one = all[draw(all.length)]
  return one && tell(scene, one, draw(3) === 0 ? draw(one.states.length) : 0)
}

const idOf = async ({ look }: Scene, { provider, reference }: Dispute): Promise<string> => {
  const [row] = await look<{ id: string }>('select id from disputes where provider = $1 and reference = $2', [
    provider,
    reference,
  ])
  if (!row) throw new Error('a dispute that the books know is not there')
  return row.id
}

const decided = async (scene: Scene, one: Dispute, outcome: 'WON' | 'LOST', key: string): Promise<Made> => {
  const { books } = scene
  const admin = adminOf(scene)
  const id = await idOf(scene, one)
  return {
    label: `the admin decides dispute ${one.n}: ${outcome}`,
    run: () => decide(callerOf(admin), id, { outcome, note: reason }, key),
    ...once(scene, key, admin, () => {
      const refusal = books.whyNotDecideDispute(one)
      if (refusal === null) books.disputeDecided(one, outcome)
      return refusal
    }),
  }
}

/** An admin decides a dispute of the sandbox, unless the sandbox has announced the outcome itself. */
export const disputeDecided: Make = async (scene, draw, key) => {
  const { books } = scene
  const one = pick(draw, books.disputes.slice(-mostRecent), each => books.whyNotDecideDispute(each) === null)
  return one && decided(scene, one, draw(2) === 0 ? 'WON' : 'LOST', key)
}

/** Sometimes another amount than is due. */
const amountOf = (draw: Draw, cents: number): number => (draw(8) === 0 ? 1 + draw(cents + 1) : cents)

/** A debt is paid by other means, or waived. */
export const debtSettled: Make = async (scene, draw, key) => {
  const { books } = scene
  const isDue = (one: Dispute) => books.whyNotSettle(one, books.owedFor(one)) === null
  // Preferred are campaigns whose money may still cover some of the debt.
  const all = preferred(draw, books.disputes.slice(-mostRecent), one => isDue(one) && books.heldOf(one.campaign) > 0)
  const one = pick(draw, all, isDue)
  if (!one) return undefined
  const admin = adminOf(scene)
  const id = await idOf(scene, one)
  const amountCents = amountOf(draw, books.owedFor(one))
  const waives = one.n % 3 === 0
  return {
    label: `the admin ${waives ? 'waives' : 'settles'} ${amountCents} cents for dispute ${one.n}`,
    run: () => (waives ? waive : settle)(callerOf(admin), id, { amountCents, note: reason }, key),
    ...once(scene, key, admin, () => {
      const refusal = books.whyNotSettle(one, amountCents)
      if (refusal === null) books.debtSettled(one, waives)
      return refusal
    }),
  }
}

/** The operator gives back what was settled and is no longer owed. */
export const settlementGivenBack: Make = async (scene, draw, key) => {
  const { books } = scene
  const one = pick(draw, books.disputes.slice(-mostRecent), each => each.giveBack > 0)
  if (!one) return undefined
  const admin = adminOf(scene)
  const id = await idOf(scene, one)
  const amountCents = amountOf(draw, one.giveBack)
  return {
    label: `the admin gives back ${amountCents} cents for dispute ${one.n}`,
    run: () => giveBack(callerOf(admin), id, { amountCents, note: reason }, key),
    ...once(scene, key, admin, () => {
      const refusal = books.whyNotGiveBack(one, amountCents)
      if (refusal === null) one.giveBack = 0
      return refusal
    }),
  }
}

const asAttempt = (made: Made): Attempt => ({ name: 'dispute', decides: /^begin/, ...made })

/** Ends and reports every dispute, so that nothing still waits for a bank at the end. */
export const tellAll = (scene: Scene): Attempt[] => {
  const { bank } = scene.provider
  return bank.disputes.map((one, n) => {
    for (let which = n; bank.isOpen(one); which = 0) bank.move(one, among => which % among)
    return asAttempt(tell(scene, one))
  })
}

export const decideAll = (scene: Scene): Promise<Attempt[]> =>
  Promise.all(
    scene.books.disputes
      .filter(one => scene.books.whyNotDecideDispute(one) === null)
      .map(async (one, n) => asAttempt(await decided(scene, one, n % 2 === 0 ? 'WON' : 'LOST', `end-${one.n}`))),
  )
