/** What goes wrong on the way to Stripe and back, at a test's request. */

export type Fault =
  /** Carries the request out and cuts the connection. */
  | 'lose-answer'
  /** Cuts the connection before anything has happened. */
  | 'cut'
  /** Answers 500 without carrying the request out; the key keeps the 500. */
  | '500'
  /** Carries the request out but answers 500; the key keeps the 500. */
  | '500-done'
  /** Answers 429; the key keeps nothing. */
  | '429'
  /** Answers 409, as if the key were in use. */
  | '409'

type Order = { call: string; fault: Fault; times: number }
type Hold = { call: string; waiting: (() => void)[]; released: boolean }

export const faultsOf = (random: () => number) => {
  let orders: Order[] = []
  const holds: Hold[] = []
  let chances: Partial<Record<Fault, number>> = {}

  /** `call` is the name of an operation, such as `POST /v1/transfers`. */
  const next = (call: string): Fault | undefined => {
    const order = orders.find(candidate => candidate.call === call)
    if (order) {
      order.times--
      orders = orders.filter(({ times }) => times > 0)
      return order.fault
    }
    for (const [fault, chance] of Object.entries(chances)) if (random() < chance) return fault as Fault
    return undefined
  }

  return {
    next,
    /** Applies to the next calls of this operation, as many as `times` says. */
    ask: (call: string, fault: Fault, times = 1): void => void orders.push({ call, fault, times }),
    /** Faults that no call met, so that the test did not show what it claims. */
    unmet: (): string[] => orders.map(({ call, fault, times }) => `${fault} of ${call}, ${times} times`),
    /** From now on, faults occur at random: `{ 'lose-answer': 0.1 }`. */
    byChance: (wanted: Partial<Record<Fault, number>>): void => {
      chances = wanted
    },
    /** From now on, calls of this operation are carried out but answered only once they are released, like slow answers. */
    hold: (call: string) => {
      const hold: Hold = { call, waiting: [], released: false }
      holds.push(hold)
      return {
        held: () => hold.waiting.length,
        release: () => {
          hold.released = true
          for (const go of hold.waiting.splice(0)) go()
        },
      }
    },
    /** Resolves at once if nothing holds this call. */
    wait: async (call: string): Promise<void> => {
      const hold = holds.find(candidate => candidate.call === call && !candidate.released)
      if (hold) await new Promise<void>(go => hold.waiting.push(go))
    },
  }
}
