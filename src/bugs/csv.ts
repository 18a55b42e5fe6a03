/** Bugs as a table, one line each. */
import { deviceName } from '../kit/words.ts'
import { csvFile, type CsvRow, toCsv } from '../kit/csv.ts'
import type { BugSummary } from './contract.ts'
import { retestOf, retestWords, severityWords, statusWords } from './rules.ts'

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

export const bugCsvHead = csvFile([head])

export const bugCsvRow = (bug: WholeBug): string => {
  const retest = retestOf(bug)
  return toCsv([
    [
      bug.number,
      bug.title,
      severityWords[bug.severity],
      statusWords[bug.status],
      bug.duplicateOf?.number ?? null,
      bug.fixedIn,
      retest && retestWords[retest],
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
}
