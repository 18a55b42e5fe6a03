/** Plays histories from a seed one after the other, and shortens one that goes wrong. */
import fc from 'fast-check'
import { play, type Played } from './play.ts'
import { Disagreement } from './simulation.ts'

/** Each simulation begins empty: its checks stay fast, and what went wrong is found soon. */
const actionsPerSimulation = 1000

export const historyOf = (seed: number, actions: number): number[] =>
  fc.sample(fc.array(fc.noBias(fc.nat(2 ** 31 - 1)), { minLength: actions, maxLength: actions }), {
    seed,
    numRuns: 1,
  })[0]!

type NewDatabase = () => Promise<string>

/** Leaves out halves, quarters and so on, as long as something still goes wrong. */
export const shortened = async (
  history: readonly number[],
  goesWrong: (history: readonly number[]) => Promise<boolean>,
  withinMs: number,
): Promise<readonly number[]> => {
  const until = performance.now() + withinMs
  let kept = history
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < kept.length;) {
      if (performance.now() > until) return kept
      const without = [...kept.slice(0, from), ...kept.slice(from + size)]
      if (without.length > 0 && (await goesWrong(without))) kept = without
      else from += size
    }
  }
  return kept
}

export type Totals = Pick<Played, 'actions' | 'turns' | 'checksRun' | 'successes'> & {
  simulations: number
  hashes: string[]
}

type Options = {
  newDatabase: NewDatabase
  seed: number
  actions: number
  shortenWithinMs: number
  onSimulation?: (totals: Totals) => void
}

const told = (seed: number, first: Played, { violation, lines }: Played, history: readonly number[], actions: number) =>
  `${violation?.message ?? `${first.violation!.message} (not when it was played again)`}\n\nThe history of ${history.length} actions that this came from, shortened:\n  ${lines.join('\n  ')}\n\n` +
  `Again: npm run model -- --seed ${seed} --actions ${actions}`

/** Plays simulations from `seed` on until so many actions are done. Throws the disagreement, with a shortened history. */
export const playAll = async ({
  newDatabase,
  seed,
  actions,
  shortenWithinMs,
  onSimulation,
}: Options): Promise<Totals> => {
  const totals: Totals = { simulations: 0, actions: 0, turns: 0, checksRun: 0, successes: new Map(), hashes: [] }
  while (totals.actions < actions) {
    const simulationSeed = seed + totals.simulations
    const count = Math.min(actionsPerSimulation, actions - totals.actions)
    const played = await play(await newDatabase(), historyOf(simulationSeed, count))
    if (played.violation) {
      const goesWrong = async (history: readonly number[]) =>
        (await play(await newDatabase(), history)).violation !== null
      const begun = historyOf(simulationSeed, count).slice(0, played.actions)
      const short = await shortened(begun, goesWrong, shortenWithinMs)
      throw new Disagreement(told(simulationSeed, played, await play(await newDatabase(), short), short, count))
    }
    totals.simulations++
    totals.actions += played.actions
    totals.turns += played.turns
    totals.checksRun += played.checksRun
    totals.hashes.push(played.hash)
    for (const [name, times] of played.successes) totals.successes.set(name, (totals.successes.get(name) ?? 0) + times)
    onSimulation?.(totals)
  }
  return totals
}
