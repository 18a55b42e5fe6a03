/** Counts the answers of testers. Pure. */
import { deviceName } from '../kit/words.ts'
import { aliasOf } from '../campaigns/alias.ts'
import { type participationStatuses, participationStatusLabels } from '../campaigns/participationStatus.ts'
import { csvFile, type CsvRow } from '../kit/csv.ts'
import type { Answers, FeedbackResults, Question, QuestionResult, ResultsQuery } from './contract.ts'
import { answeredBesides, type FormVersion } from './rules.ts'
import { susScore, susStatements } from './sus.ts'
import { hasText, ratings } from './terms.ts'

export type AnswerRow = {
  testId: string
  ordinal: number
  status: (typeof participationStatuses)[number]
  model: string
  manufacturer: string | null
  osVersion: string | null
  version: number
  answers: Answers
  answeredAt: string
}

const fits = (row: AnswerRow, { device, osVersion }: ResultsQuery): boolean =>
  (!device || deviceName(row) === device) && (!osVersion || row.osVersion === osVersion)

/** Most frequent first. */
const tallied = (values: readonly string[]) =>
  [...Map.groupBy(values, value => value)]
    .map(([value, same]) => ({ value, testers: same.length }))
    .toSorted((a, b) => b.testers - a.testers || a.value.localeCompare(b.value, 'en', { numeric: true }))

const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

/** The present form's questions, then those of earlier versions that somebody answered. `versions` come newest first. */
const questionsOf = (versions: readonly FormVersion[], rows: readonly AnswerRow[]) => {
  const present = versions[0]?.questions ?? []
  const given = rows.map(({ answers }) => answers)
  return { present, earlier: answeredBesides(present, versions, given) }
}

const countsOf = ({ kind, options }: Question, answers: readonly Answers[string][]): QuestionResult['counts'] => {
  if (hasText(kind)) return []
  const possible = kind === 'RATING' ? ratings.map(String) : options
  const given = answers.flatMap(answer => (Array.isArray(answer) ? answer : [String(answer)]))
  return possible.map(value => ({ value, testers: given.filter(one => one === value).length }))
}

const resultOf = (question: Question, asked: boolean, rows: readonly AnswerRow[]): QuestionResult => {
  const by = rows.flatMap(row => {
    const answer = row.answers[question.id]
    return answer === undefined ? [] : [{ row, answer }]
  })
  const answers = by.map(({ answer }) => answer)
  const mean = question.kind === 'RATING' ? meanOf(answers.map(Number)) : null
  return {
    question,
    asked,
    answered: answers.length,
    mean,
    counts: countsOf(question, answers),
    quotations: hasText(question.kind)
      ? by.map(({ row, answer }) => ({
          testId: row.testId,
          alias: aliasOf(row.ordinal),
          device: deviceName(row),
          osVersion: row.osVersion,
          text: String(answer),
        }))
      : [],
  }
}

/**
 * The score of a tester who answered the ten statements of a version; null otherwise. If the scale was removed and added again, the
 * newest answered version counts.
 */
const susOf = (versions: readonly FormVersion[], { answers }: AnswerRow): number | null => {
  for (const { questions } of versions) {
    const scale = susStatements.map((_, index) => questions.find(({ sus }) => sus === index + 1))
    const given = scale.flatMap(question => {
      const answer = question && answers[question.id]
      return typeof answer === 'number' ? [answer] : []
    })
    if (given.length === susStatements.length) return susScore(given)
  }
  return null
}

export const resultsOf = (
  versions: readonly FormVersion[],
  all: readonly AnswerRow[],
  filters: ResultsQuery,
): FeedbackResults => {
  const rows = all.filter(row => fits(row, filters))
  const { present, earlier } = questionsOf(versions, all)
  const scores = rows.flatMap(row => susOf(versions, row) ?? [])
  const score = meanOf(scores)
  return {
    answered: rows.length,
    answeredInAll: all.length,
    devices: tallied(all.map(deviceName)),
    osVersions: tallied(all.flatMap(({ osVersion }) => osVersion ?? [])),
    sus:
      score === null
        ? null
        : {
            score,
            lowest: Math.min(...scores),
            highest: Math.max(...scores),
            testers: scores.length,
          },
    questions: [
      ...present.map(question => resultOf(question, true, rows)),
      ...earlier.map(question => resultOf(question, false, rows)),
    ],
  }
}

const cellOf = (answer: Answers[string] | undefined) => {
  if (answer === undefined) return null
  return Array.isArray(answer) ? answer.join('; ') : answer
}

/** Begins with a byte order mark, without which spreadsheets do not recognize UTF-8. */
export const resultsCsv = (
  versions: readonly FormVersion[],
  all: readonly AnswerRow[],
  filters: ResultsQuery,
): string => {
  const { present, earlier } = questionsOf(versions, all)
  const questions = [...present, ...earlier]
  const withSus = questions.some(({ sus }) => sus !== null)
  const head: CsvRow = [
    'Tester',
    'Status',
    'Device',
    'System version',
    'Form version',
    'Answered at',
    ...(withSus ? ['SUS score'] : []),
    ...questions.map(({ text }) => text),
  ]
  const lines = all
    .filter(row => fits(row, filters))
    .map((row): CsvRow => [
      aliasOf(row.ordinal),
      participationStatusLabels[row.status],
      deviceName(row),
      row.osVersion,
      row.version,
      row.answeredAt,
      ...(withSus ? [susOf(versions, row)] : []),
      ...questions.map(({ id }) => cellOf(row.answers[id])),
    ])
  return csvFile([head, ...lines])
}
