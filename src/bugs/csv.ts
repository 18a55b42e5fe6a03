/** Bugs as a table, a line each. */
import { deviceName } from '../kit/words.ts'
import { type CsvRow, toCsv } from '../kit/csv.ts'
import type { BugSummary } from './contract.ts'
import { severityWords, statusWords } from './rules.ts'

export type WholeBug = BugSummary & { steps: string; expected: string; actual: string }

const head: CsvRow = [
  'Number',
  'Title',
  'Severity',
  'Status',
  'Duplicate of',
  'Fixed in',
  'Retest',
  'Tester',
  'Device',
  'System version',
  'App version',
  'Steps',
  'Expected',
  'Actual',
  'Comments',
  'Reported',
  'Changed',
]

/** With a byte order mark, without which spreadsheets do not read UTF-8. */
export const bugCsvHead = `\uFEFF${toCsv([head])}`

/** As the last question was answered; nothing while nobody was asked. */
const retestWords = ({ retest }: Pick<BugSummary, 'retest'>): string => {
  if (retest === null || retest.withdrawnAt !== null) return ''
  if (retest.result === null) return 'Asked'
  return retest.result === 'WORKS' ? 'Works now' : 'Still broken'
}

export const bugCsvRow = (bug: WholeBug): string =>
  toCsv([
    [
      bug.number,
      bug.title,
      severityWords[bug.severity],
      statusWords[bug.status],
      bug.duplicateOf?.number ?? null,
      bug.fixedIn,
      retestWords(bug),
      bug.alias,
      deviceName(bug.device),
      bug.device.osVersion,
      bug.appVersion,
      bug.steps,
      bug.expected,
      bug.actual,
      bug.comments,
      bug.reportedAt,
      bug.changedAt,
    ],
  ])
