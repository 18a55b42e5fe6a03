/**
 * The roll-ups of the figures (decision 030). Triggers record each change of a figure in the transaction that causes it; these
 * jobs add the changes to the roll-ups, and compare the roll-ups with a full count.
 */
import { randomUUIDv7 } from 'node:crypto'
import { clock, type Instant, nextDaily } from '../../kit/clock.ts'
import { autocommit, transact } from '../../kit/server/db.ts'
import type { Job } from '../../kit/server/jobs.ts'
import { auditServerCommand } from '../../audit/server/audit.ts'
import { monthFrom, monthStart } from '../rules.ts'
import * as queries from './rollups.queries.ts'

const changesAtOnce = 10_000

/** Adds the changes to the roll-ups every minute, so readers find few unfolded ones. */
export const foldFigures: Job<object> = {
  name: 'dashboards.fold-figures',
  neverPaused: true,
  cron: '* * * * *',
  expireMinutes: 120,
  retried: false,
  run: async () => {
    while ((await queries.foldFigures(autocommit, changesAtOnce)) === changesAtOnce);
  },
}

const checksAt = { hour: 4, minute: 37 }

/** When the next nightly check runs. */
export const checksRunAt = (now: Instant): Instant => nextDaily(checksAt, now)

/**
 * Every night, counts everything, a month at a time, and corrects the roll-ups. There is nothing to correct unless somebody
 * changed rows without the triggers: then the job writes an audit entry for the month, and fails.
 */
export const checkFigures: Job<object> = {
  name: 'dashboards.check-figures',
  neverPaused: true,
  cron: `${checksAt.minute} ${checksAt.hour} * * *`,
  expireMinutes: 120,
  retried: false,
  run: async () => {
    const mended: string[] = []
    for (const [from, to] of monthsBetween((await queries.firstMonth(autocommit)) ?? clock.now(), clock.now())) {
      const off = await mendMonth(from, to)
      if (off) mended.push(`${off.figures} (${from} to ${to})`)
    }
    if (mended.length > 0) throw new Error(`Figures were not what they are counted to be: ${mended.join('; ')}`)
  },
}

/** The months from one instant to another; the first has no start, and the last no end. */
const monthsBetween = (from: string, to: string): [string, string][] => {
  const edges = ['-infinity']
  for (let month = monthFrom(from); month <= monthStart(to); month = monthStart(month, -1)) edges.push(month)
  edges.push('infinity')
  return edges.slice(1).map((end, index) => [edges[index]!, end])
}

const listOf = (names: string[]) => [...new Set(names)].toSorted().join(', ')

/** Returns what was off; undefined if nothing was. */
const mendMonth = (from: string, to: string) =>
  transact(async tx => {
    const off = await queries.mendFigures(tx, from, to)
    if (off.length === 0) return undefined
    const facts = {
      figures: listOf(off.flatMap(({ figures }) => figures)),
      rollUps: listOf(off.map(({ rollUp }) => rollUp)),
      rows: off.length,
      from,
      to,
    }
    await auditServerCommand(tx, {
      action: 'figures.mend',
      subjectType: 'figures',
      subjectId: randomUUIDv7(),
      facts,
    })
    return facts
  })
