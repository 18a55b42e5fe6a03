/** The result of a run: the table of groups, the survivors, and the same as JSON. */
import { type Mutant, sliceOf } from './find.ts'
import { type Group, groups, histories, targets } from './places.ts'
import type { Result } from './run.ts'

const isAlive = ({ state }: Pick<Result, 'state'>) => state === 'survived' || state === 'unreached'
const counts = ({ state }: Pick<Result, 'state'>) => state !== 'skipped'

export const describe = ({ path, line, operator, before, after }: Mutant): string => {
  const short = (text: string) => (text.length > 90 ? `${text.slice(0, 87)}…` : text)
  return `${path}:${line}  ${operator}: ${before === '' ? '' : `${short(before)} `}→ ${after === '' ? '(nothing)' : short(after)}`
}

export type Line = {
  group: Group
  killed: number
  survived: number
  skipped: number
  percent: number | null
  target: number
}

export const tally = (results: readonly Result[]): Line[] =>
  groups.map(group => {
    const ones = results.filter(({ mutant }) => mutant.group === group)
    const survived = ones.filter(isAlive).length
    const counted = ones.filter(counts).length
    return {
      group,
      killed: counted - survived,
      survived,
      skipped: ones.length - counted,
      percent: counted === 0 ? null : (100 * (counted - survived)) / counted,
      target: targets[group],
    }
  })

/** The groups with fewer kills than their target. */
export const short = (lines: readonly Line[]): Group[] =>
  lines.filter(({ percent, target }) => percent !== null && percent < target).map(({ group }) => group)

export const table = (lines: readonly Line[]): string => {
  const rows = lines.map(({ group, killed, survived, skipped, percent, target }) => [
    group,
    String(killed),
    String(survived),
    String(skipped),
    percent === null ? '–' : `${percent.toFixed(1)} %`,
    `≥ ${target} %`,
  ])
  return inColumns([['group', 'killed', 'survived', 'skipped', 'rate', 'target'], ...rows])
}

/** One line for each function and rule of the money. */
export const tableOfRules = (results: readonly Result[]): string => {
  const counted = results.filter(result => counts(result) && result.mutant.rule !== undefined)
  const rows = [...Map.groupBy(counted, ({ mutant }) => mutant.rule!)].map(([rule, ones]) => {
    const alive = ones.filter(isAlive).length
    const byModel = ones.filter(({ by }) => histories.some(({ path }) => path === by)).length
    return [rule, ones.length, ones.length - alive - byModel, byModel, alive].map(String)
  })
  return inColumns([['function or rule', 'changed', 'by tests', 'by the model', 'not noticed'], ...rows])
}

const inColumns = (all: readonly string[][]): string => {
  const widths = all[0]!.map((_, column) => Math.max(...all.map(row => row[column]!.length)))
  return all
    .map(row =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** A list in Markdown, by slice. */
export const survivors = (results: readonly Result[]): string =>
  [...Map.groupBy(results.filter(isAlive), ({ mutant }) => sliceOf(mutant))]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([slice, ones]) =>
      [
        `## ${slice} (${ones.length})`,
        '',
        ...ones
          .toSorted((a, b) => a.mutant.path.localeCompare(b.mutant.path) || a.mutant.line - b.mutant.line)
          .map(({ mutant, state }) => `- ${describe(mutant)}${state === 'unreached' ? ' (no test runs it)' : ''}`),
      ].join('\n'),
    )
    .join('\n\n')

/** What is kept of a result: one line of a file that grows during the run. */
type Kept = Omit<Result, 'mutant'> & Pick<Mutant, 'id' | 'path' | 'line' | 'operator' | 'before' | 'after'>

export const asLine = ({ mutant, ...rest }: Result): string => {
  const { id, path, line, operator, before, after } = mutant
  return JSON.stringify({ id, path, line, operator, before, after, ...rest } satisfies Kept)
}

/** Results by the mutant's id; the last of several lines about a mutant counts. */
export const keptIn = (lines: string): Map<string, Kept> =>
  new Map(
    lines
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line) as Kept)
      .map(kept => [kept.id, kept]),
  )

export const survivorsIn = (kept: ReadonlyMap<string, Kept>): Set<string> =>
  new Set([...kept.values()].filter(isAlive).map(({ id }) => id))

/** The chosen mutants that have a result. */
export const resultsOf = (chosen: readonly Mutant[], kept: ReadonlyMap<string, Kept>): Result[] =>
  chosen.flatMap(mutant => {
    const found = kept.get(mutant.id)
    return found ? [{ ...found, mutant }] : []
  })
