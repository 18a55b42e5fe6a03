/**
 * Mutants that are left out because no test can tell them from the original, or only the machine's clock could. Each has a
 * reason; keep this list short, and prefer a test.
 */
type Change = { path: string; operator: string; before: string; after: string; text: string }

type Equivalent = {
  /** The end of the path, starting with a slash. */
  path?: string
  operator?: string
  before?: string
  after?: string
  /** Matches the line on which the mutant begins. */
  text?: RegExp
  why: string
}

const equivalents: Equivalent[] = [
  {
    operator: 'number',
    text: /\b(waitMs|waitedMs|stepMs|leaveMs|longestMs|busyWaitMs|shutDownMs|timeoutMs|connectTimeoutMs|forMs|timeout|requestTimeout|gcTime|staleTime|retryDelay|refetchInterval|maxRetries)\b/,
    why: 'How long a wait or a cache lasts: nobody is promised the exact millisecond, and a test would measure the machine.',
  },
  {
    operator: 'number',
    text: /\b(atOnce|\w+AtOnce|expireMinutes)\b/,
    why: 'How many are taken at once, and when a job is taken for dead: nobody is promised either.',
  },
  {
    path: '/kit/downtimes.ts',
    operator: 'comparison',
    text: /a\.from < b\.from/,
    why: 'Of two downtimes that begin together one lies within the other: their order changes nothing.',
  },
  {
    path: '/server/migrate.ts',
    operator: 'number',
    text: /lockKey/,
    why: 'Any number does, as long as every server takes the same.',
  },
  {
    path: '/fraud/samples.ts',
    operator: 'number',
    why: 'Invented facts of sample reports: another number is as good a sample.',
  },
  {
    operator: 'number',
    text: /\blimit: 100\b/,
    why: 'How much of a list a provider sends at once: all of it is read.',
  },
  {
    path: '/server/sandboxFile.ts',
    operator: 'call removed',
    text: /file\.sync\(\)/,
    why: 'Only a machine that loses its power sees what had not reached the disk.',
  },
  {
    path: '/stripe/movements.ts',
    operator: 'member of a list removed',
    text: /'data\.source'/,
    why: 'What lies on the way to what is expanded is expanded too; it stands there for whoever reads it.',
  },
  {
    path: '/server/sandboxFile.ts',
    operator: 'await removed',
    text: /holdSandboxFile/,
    why: 'A connection carries out what it is sent in that order, whether or not one waits in between.',
  },
  {
    path: '/stripe/sweep.ts',
    operator: 'rounding, least and most',
    why: 'What is fetched overlaps by days with what was fetched before: a second less is as good.',
  },
  {
    path: '/stripe/charges.ts',
    operator: 'comparison',
    before: '<',
    after: '<=',
    text: /begunAt < sentAt \? begunAt : sentAt/,
    why: 'Of two equal times either is the earlier one.',
  },
  {
    path: '/settled_sequence.sql',
    operator: 'comparison in SQL',
    text: /exit when oldest/,
    why: 'It looks more often, and answers the same.',
  },
  {
    path: '/close_seats.sql',
    operator: 'order reversed',
    text: /order by id, place/,
    why: 'Which campaign comes first is nothing; what counts is the first place of each.',
  },
]

export const isEquivalent = (change: Change): boolean =>
  equivalents.some(
    ({ path, operator, before, after, text }) =>
      (path === undefined || `/${change.path}`.endsWith(path)) &&
      (operator === undefined || operator === change.operator) &&
      (before === undefined || before === change.before) &&
      (after === undefined || after === change.after) &&
      (text === undefined || text.test(change.text)),
  )
