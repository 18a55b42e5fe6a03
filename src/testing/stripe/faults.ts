/** What goes wrong on the way to Stripe and back, when a test asks for it. */

export type Fault =
  /** Carries the request out and cuts the connection. */
  | 'lose-answer'
  /** Cuts the connection before anything happened. */
  | 'cut'
  /** Answers 500 without having done it; the 500 is kept under the key. */
  | '500'
  /** Does it, and answers 500 all the same; the 500 is kept under the key. */
  | '500-done'
  /** Answers 429: nothing is kept. */
  | '429'
  /** Answers 409, as if the key were in use. */
  | '409'

type Order = { call: string; fault: Fault; times: number }
type Hold = { call: string; waiting: (() => void)[]; released: boolean }

export const faultsOf = (random: () => number) => {
  let orders: Order[] = []
  const holds: Hold[] = []
  let chances: Partial<Record<Fault, number>> = {}

  /** By the name of the operation: `POST /v1/transfers`. */
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
    /** The next so many calls of this operation. */
    ask: (call: string, fault: Fault, times = 1): void => void orders.push({ call, fault, times }),
    /** Those that were asked for, and met no call: the test did not show what it says. */
    unmet: (): string[] => orders.map(({ call, fault, times }) => `${fault} of ${call}, ${times} times`),
    /** From now on, each call by chance: `{ 'lose-answer': 0.1 }`. */
    byChance: (wanted: Partial<Record<Fault, number>>): void => {
      chances = wanted
    },
    /** Calls of this operation wait, once they are carried out, until they are released: an answer that takes its time. */
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
    /** Resolves at once where nothing holds this call. */
    wait: async (call: string): Promise<void> => {
      const hold = holds.find(candidate => candidate.call === call && !candidate.released)
      if (hold) await new Promise<void>(go => hold.waiting.push(go))
    },
  }
}
