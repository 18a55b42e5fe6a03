/** An in-memory provider behind the real interface. It carries out each key once, and sometimes its answer is lost. */
import { type Answer, type Asked, type CallKind, type PaymentProvider } from '../../ledger/server/provider.ts'
import { sandbox } from '../../ledger/server/sandbox.ts'
import { Bank, type KnownDispute } from './bank.ts'
import { atProvider } from './gate.ts'
import { isDeclining } from './books.ts'

/** The movement of one key. WAITS: accepted, but not decided yet. */
export type Movement = { kind: CallKind; subjectId: string; cents: number; state: 'DONE' | 'REFUSED' | 'WAITS' }

export type Fate = 'LOST_ON_THE_WAY' | 'ANSWER_LOST' | 'WAITS' | 'REFUSED'

/** The provider's fee for a charge. */
export const feeOfProvider = (cents: number): number => Math.floor(cents / 50)

/** What the product knows of what has happened at the provider. */
type Booked = {
  /** Which of these payouts the product has booked as returned. */
  returns: (ids: string[]) => Promise<Set<string>>
  disputes: () => Promise<KnownDispute[]>
}

export class SimulatedProvider {
  private readonly booked: Booked
  readonly bank = new Bank()
  /** The movements by key. */
  readonly movements = new Map<string, Movement>()
  /** Payouts that came back after they had arrived; the product is told later, as by a webhook. */
  readonly returned = new Map<string, number>()
  /** What goes wrong with the next requests; nothing goes wrong with any others. */
  readonly fates: Fate[] = []

  constructor(booked: Booked) {
    this.booked = booked
  }

  /** The movements that were carried out for this subject. */
  doneFor(subjectId: string): Movement[] {
    return [...this.movements.values()].filter(one => one.subjectId === subjectId && one.state === 'DONE')
  }

  /** The payments that were made, in this order. */
  charges(): Movement[] {
    return [...this.movements.values()].filter(({ kind, state }) => kind === 'CHARGE' && state === 'DONE')
  }

  /** Only a payout that has arrived can come back, and only once. Otherwise false, and there is nothing to report. */
  async giveBack(subjectId: string): Promise<boolean> {
    const [payout] = this.doneFor(subjectId)
    if (payout) this.returned.set(subjectId, payout.cents)
    await atProvider()
    return payout !== undefined
  }

  /** The money that it holds for us. */
  async balanceCents(): Promise<number> {
    const { cents: disputed } = this.bank.taken(await this.booked.disputes())
    let cents = [...this.returned.values()].reduce((sum, one) => sum + one, 0)
    for (const { kind, cents: moved, state } of this.movements.values())
      if (state === 'DONE') cents += kind === 'CHARGE' ? moved - feeOfProvider(moved) : -moved
    return cents - disputed
  }

  private decide(
    kind: CallKind,
    { key, subjectId, amountCents: cents, counterparty }: Asked,
    refuses: boolean,
  ): Movement {
    const before = this.movements.get(key)
    if (before && (before.kind !== kind || before.cents !== cents || before.subjectId !== subjectId))
      throw new Error(`the key ${key} was used before, with other terms`)
    if (before && before.state !== 'WAITS') return before
    const state = refuses || (kind !== 'REFUND' && isDeclining(counterparty)) ? 'REFUSED' : 'DONE'
    const made: Movement = { kind, subjectId, cents, state }
    this.movements.set(key, made)
    return made
  }

  private answer({ kind, state, cents, subjectId }: Movement): Answer {
    if (state === 'WAITS') return { outcome: 'PENDING' }
    if (state === 'REFUSED') return { outcome: 'REFUSED', reason: 'The model declines this payment method.' }
    return { outcome: 'DONE', reference: subjectId, ...(kind === 'CHARGE' && { feeCents: feeOfProvider(cents) }) }
  }

  private async ask(kind: CallKind, asked: Asked): Promise<Answer> {
    await atProvider()
    const fate = this.fates.shift()
    if (fate === 'LOST_ON_THE_WAY') throw new Error('The provider was not reached.')
    if (fate === 'WAITS' && !this.movements.has(asked.key))
      this.movements.set(asked.key, { kind, subjectId: asked.subjectId, cents: asked.amountCents, state: 'WAITS' })
    else this.decide(kind, asked, fate === 'REFUSED')
    const made = this.movements.get(asked.key)!
    await atProvider()
    if (fate === 'ANSWER_LOST') throw new Error('The provider’s answer was lost.')
    return this.answer(made)
  }

  /** Replaces the sandbox until the returned function is called. */
  use(): () => void {
    const before = { ...sandbox }
    const taken: Partial<PaymentProvider> = {
      balanceCents: async () => {
        await atProvider()
        return this.balanceCents()
      },
      unclaimedCents: async () => {
        await atProvider()
        const booked = await this.booked.returns([...this.returned.keys()])
        const { untold } = this.bank.taken(await this.booked.disputes())
        return [...this.returned].reduce((sum, [id, cents]) => (booked.has(id) ? sum : sum + cents), -untold)
      },
      assertReady: async () => undefined,
      charge: asked => this.ask('CHARGE', asked),
      payOut: asked => this.ask('PAYOUT', asked),
      refund: asked => this.ask('REFUND', asked),
      lookUp: async (kind, asked) => {
        await atProvider()
        return this.movements.has(asked.key) ? this.answer(this.decide(kind, asked, false)) : 'NOT_MADE'
      },
    }
    Object.assign(sandbox, taken)
    return () => Object.assign(sandbox, before)
  }
}
