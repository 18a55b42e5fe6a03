/** What a run found: the table of groups, the survivors, and the same as JSON. */
import type { Mutant } from './find.ts'
import { type Group, groups, sliceOf, targets } from './places.ts'
import type { Result } from './run.ts'

const isAlive = ({ state }: Result) => state === 'survived' || state === 'unreached'
const counts = ({ state }: Result) => state !== 'skipped'

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

/** Groups that have fewer killed than they have to. */
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
  const all = [['group', 'killed', 'survived', 'skipped', 'rate', 'target'], ...rows]
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

/** As a list in Markdown, by slice. */
export const survivors = (results: readonly Result[]): string =>
  [...Map.groupBy(results.filter(isAlive), ({ mutant }) => sliceOf(mutant.path))]
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

export const asJson = (results: readonly Result[]): string =>
  JSON.stringify(
    results.map(({ mutant, ...rest }) => {
      const { id, path, line, group, operator, before, after } = mutant
      return { id, path, line, group, operator, before, after, ...rest }
    }),
    null,
    1,
  )

/** Of a report that asJson wrote. */
export const idsOfSurvivors = (json: string): Set<string> =>
  new Set((JSON.parse(json) as (Result & { id: string })[]).filter(isAlive).map(({ id }) => id))
