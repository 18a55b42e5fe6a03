/** The banks behind the simulated provider: they take payments back, return them, and report the state when they are asked. */
import type { DisputeNews } from './books/terms.ts'
import { atProvider } from './gate.ts'

type Status = DisputeNews['status']

/** `moves`: how often its money was taken or returned; after an odd number the bank has it. */
type State = { status: Status; moves: number }

export type BankDispute = {
  reference: string
  chargeId: string
  cents: number
  /** Every state so far, the current one last. */
  states: State[]
}

/** What the product knows of a dispute. */
export type KnownDispute = { provider: string; reference: string; status: Status; cents: number; fee: number }

export const bankName = 'bank'

const taken = ({ moves }: State, cents: number) => (moves % 2 === 1 ? cents : 0)

/** The provider's fee when money is first taken, the part returned with the money, and the fee if it is taken again. */
const feeOfMove = (move: number) => [0, 15, -5, 15][move] ?? 0

const feesOf = ({ moves }: State): Map<number, number> =>
  new Map(Array.from({ length: moves }, (_, at) => [at + 1, feeOfMove(at + 1)]))

const stateOf = ({ states }: BankDispute): State => states.at(-1)!

/** The states that can follow: an inquiry takes no money and may become a dispute; returned money may be taken again. */
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

  /** Payments whose disputes belong to the sandbox, which announces the outcome or leaves it to an admin. */
  private readonly sandboxed = new Set<string>()

  leaveToSandbox(chargeId: string): void {
    this.sandboxed.add(chargeId)
  }

  /** What can still be disputed of a charge: several disputes are possible, together of no more than was paid. */
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

  /** Moves it to a state that can follow, which `which` chooses. */
  move(dispute: BankDispute, which: (among: number) => number): void {
    const next = nextStates(stateOf(dispute))
    dispute.states.push(next[which(next.length)]!)
  }

  /** Its current state, or the state so many changes ago, for an answer that arrives late. */
  async look(dispute: BankDispute, ago = 0): Promise<DisputeNews> {
    const { reference, chargeId: paymentId, cents, states } = dispute
    const state = states.at(-1 - ago) ?? states[0]!
    await atProvider()
    return { provider: bankName, reference, paymentId, cents, ...state, fees: feesOf(state) }
  }

  /** How much less the provider holds because of disputes, and how much of that the product does not know yet. */
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
      // While a dispute is open, the product expects either amount.
      if (status !== 'OPEN') untold += gone - (status === 'LOST' ? dispute.cents : 0)
    }
    // The sandbox leaves outcomes to admins, and takes the money of disputes that they record as lost.
    for (const { provider, status, cents: lost } of known) if (provider !== bankName && status === 'LOST') cents += lost
    return { cents, untold }
  }
}
