/** The banks behind the simulated provider: they take payments back, and give them again. It says how things are when it is asked. */
import type { DisputeNews } from './books/terms.ts'
import { atProvider } from './gate.ts'

type Status = DisputeNews['status']

/** `moves`: how often its money has been taken and given back; after an odd number the bank has it. */
type State = { status: Status; moves: number }

export type BankDispute = {
  reference: string
  chargeId: string
  cents: number
  /** Each state that it was in, the last one now. */
  states: State[]
}

/** What the product knows of a dispute. */
export type KnownDispute = { provider: string; reference: string; status: Status; cents: number; fee: number }

export const bankName = 'bank'

const taken = ({ moves }: State, cents: number) => (moves % 2 === 1 ? cents : 0)

/** It keeps a fee of whatever it takes first, and gives a part of it back with the money. */
const feeOfMove = (move: number) => [0, 15, -5, 15][move] ?? 0

const feesOf = ({ moves }: State): Map<number, number> =>
  new Map(Array.from({ length: moves }, (_, at) => [at + 1, feeOfMove(at + 1)]))

const stateOf = ({ states }: BankDispute): State => states.at(-1)!

/** What can become of it: an inquiry takes no money, and may become a dispute; what was given back may be taken again. */
const nextStates = ({ status, moves }: State): State[] => {
  const isTaken = moves % 2 === 1
  const closed: State[] = isTaken
    ? [
        { status: 'LOST', moves },
        { status: 'WON', moves: moves + 1 },
      ]
    : [{ status: 'WON', moves }]
  if (status === 'OPEN') return isTaken ? closed : [...closed, { status: 'OPEN', moves: moves + 1 }]
  return [{ status: status === 'WON' ? 'OPEN' : 'WON', moves: moves + 1 }]
}

export class Bank {
  readonly disputes: BankDispute[] = []

  /** Of these the sandbox says itself what becomes of them, or leaves it to an admin. */
  private readonly sandboxed = new Set<string>()

  leaveToSandbox(chargeId: string): void {
    this.sandboxed.add(chargeId)
  }

  /** Of a charge there may be several, of no more than was paid. */
  leftOf(chargeId: string, cents: number): number {
    if (this.sandboxed.has(chargeId)) return 0
    return this.disputes.reduce((left, one) => (one.chargeId === chargeId ? left - one.cents : left), cents)
  }

  open(chargeId: string, cents: number, isInquiry: boolean): BankDispute {
    const made: BankDispute = {
      reference: `dispute-${this.disputes.length}`,
      chargeId,
      cents,
      states: [{ status: 'OPEN', moves: isInquiry ? 0 : 1 }],
    }
    this.disputes.push(made)
    return made
  }

  statusOf(dispute: BankDispute): Status {
    return stateOf(dispute).status
  }

  isOpen(dispute: BankDispute): boolean {
    return this.statusOf(dispute) === 'OPEN'
  }

  /** `which` of the things that may come next. */
  move(dispute: BankDispute, which: (among: number) => number): void {
    const next = nextStates(stateOf(dispute))
    dispute.states.push(next[which(next.length)]!)
  }

  /** How it stands, or as it stood so many states ago: somebody may have asked then, and been slow. */
  async look(dispute: BankDispute, ago = 0): Promise<DisputeNews> {
    const { reference, chargeId: paymentId, cents, states } = dispute
    const state = states.at(-1 - ago) ?? states[0]!
    await atProvider()
    return { provider: bankName, reference, paymentId, cents, ...state, fees: feesOf(state) }
  }

  /** What the provider holds less because of them; and of that, what the product does not know yet. */
  taken(known: readonly KnownDispute[]): { cents: number; untold: number } {
    const told = new Map(known.map(one => [one.reference, one]))
    let [cents, untold] = [0, 0]
    for (const dispute of this.disputes) {
      const state = stateOf(dispute)
      const gone = taken(state, dispute.cents)
      const fees = [...feesOf(state).values()].reduce((sum, fee) => sum + fee, 0)
      const { status, fee } = told.get(dispute.reference) ?? { status: 'WON', fee: 0 }
      cents += gone + fees
      untold += fees - fee
      // Of an open one the product reckons with both.
      if (status !== 'OPEN') untold += gone - (status === 'LOST' ? dispute.cents : 0)
    }
    // The sandbox leaves it to admins, and takes what they say is lost.
    for (const { provider, status, cents: lost } of known) if (provider !== bankName && status === 'LOST') cents += lost
    return { cents, untold }
  }
}
