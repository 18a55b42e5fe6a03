/** A provider behind the interface of the real ones, in memory. It carries out each key once, and sometimes its answer is lost. */
import { type Answer, type Asked, type CallKind, type PaymentProvider } from '../../ledger/server/provider.ts'
import { sandbox } from '../../ledger/server/sandbox.ts'
import { Bank, type KnownDispute } from './bank.ts'
import { atProvider } from './gate.ts'
import { isDeclining } from './books.ts'

/** Of a key. WAITS: accepted, and not decided yet. */
export type Movement = { kind: CallKind; subjectId: string; cents: number; state: 'DONE' | 'REFUSED' | 'WAITS' }

export type Fate = 'LOST_ON_THE_WAY' | 'ANSWER_LOST' | 'WAITS' | 'REFUSED'

/** What it keeps of a charge. */
export const feeOfProvider = (cents: number): number => Math.floor(cents / 50)

/** What the product knows of what has happened here. */
type Booked = {
  /** Which of these returned payouts. */
  returns: (ids: string[]) => Promise<Set<string>>
  disputes: () => Promise<KnownDispute[]>
}

export class SimulatedProvider {
  private readonly booked: Booked
  readonly bank = new Bank()
  /** By key. */
  readonly movements = new Map<string, Movement>()
  /** Payouts that came back after they had arrived: told later, as a webhook is. */
  readonly returned = new Map<string, number>()
  /** What happens to the next requests; to all others nothing does. */
  readonly fates: Fate[] = []

  constructor(booked: Booked) {
    this.booked = booked
  }

  /** What it has paid, or been paid, for this. */
  doneFor(subjectId: string): Movement[] {
    return [...this.movements.values()].filter(one => one.subjectId === subjectId && one.state === 'DONE')
  }

  /** What was paid, in this order. */
  charges(): Movement[] {
    return [...this.movements.values()].filter(({ kind, state }) => kind === 'CHARGE' && state === 'DONE')
  }

  /** Only what had arrived can come back, and once. False, and nothing to tell, of what had not. */
  async giveBack(subjectId: string): Promise<boolean> {
    const [payout] = this.doneFor(subjectId)
    if (payout) this.returned.set(subjectId, payout.cents)
    await atProvider()
    return payout !== undefined
  }

  /** What it holds for us. */
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

  /** In place of the sandbox, until it is put back. */
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
