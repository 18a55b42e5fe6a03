/** Feedback forms: what testers are asked at the end of a test, and their answers (product.md §3). */
import { z } from 'zod'
import { endpoints } from '../kit/endpoint.ts'
import { ById, Id, idOr, Instant, line, optionalLine } from '../kit/schemas.ts'
import { susStatements } from './sus.ts'
import { formLimits, hasOptions, questionKinds } from './terms.ts'

export const Question = z.object({
  /** Answers are counted by this id. Later versions of the form keep it as long as the question stays the same. */
  id: Id,
  kind: z.enum(questionKinds),
  text: z.string(),
  required: z.boolean(),
  /** The options of a choice. */
  options: z.array(z.string()),
  /** What the ends of a rating mean. */
  low: z.string().nullable(),
  high: z.string().nullable(),
  /** Which of the ten statements of the System Usability Scale this question is; null for other questions. */
  sus: z.int().nullable(),
})
export type Question = z.output<typeof Question>

const scaleEnd = (label: string) => optionalLine(label, formLimits.scaleEnd).nullish()

export const NewQuestion = z
  .object({
    id: idOr('A question must be given by its ID').nullish(),
    kind: z.enum(questionKinds, { error: 'Unknown kind of question' }),
    text: line('The question', formLimits.question),
    required: z.boolean({ error: 'Required must be true or false' }),
    options: z
      .array(line('An option', formLimits.option), { error: 'Options must be a list' })
      .max(formLimits.options, { error: `Add at most ${formLimits.options} options` })
      .default([]),
    low: scaleEnd('The low end'),
    high: scaleEnd('The high end'),
    sus: z
      .int({ error: 'The statement must be a number' })
      .min(1, { error: 'Unknown statement' })
      .max(susStatements.length, { error: 'Unknown statement' })
      .nullish(),
  })
  .superRefine(({ kind, options, sus, text }, context) => {
    const wrong = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if (hasOptions(kind) && options.length < formLimits.minOptions)
      wrong('options', `Add at least ${formLimits.minOptions} options`)
    if (hasOptions(kind) && new Set(options).size < options.length) wrong('options', 'Each option must be different')
    if (typeof sus === 'number' && (kind !== 'RATING' || text !== susStatements[sus - 1]))
      wrong('text', 'The wording of the System Usability Scale cannot be changed')
  })
export type NewQuestion = z.output<typeof NewQuestion>

/** True if the form has all statements of the scale, or none. */
const wholeScale = (questions: readonly { sus?: number | null | undefined }[]): boolean => {
  const statements = questions.flatMap(({ sus }) => sus ?? [])
  return (
    statements.length === 0 ||
    (statements.length === susStatements.length && new Set(statements).size === susStatements.length)
  )
}

export const NewForm = z.object({
  /** The version that this one was made from; null if there was none. Fails with 409 if there is another version by now. */
  version: z.int({ error: 'The version must be a whole number' }).nullish(),
  /** An empty list removes the form. */
  questions: z
    .array(NewQuestion, { error: 'Questions must be a list' })
    .max(formLimits.questions, { error: `Ask at most ${formLimits.questions} questions` })
    .refine(wholeScale, { error: 'The System Usability Scale needs all ten of its statements, each of them once' })
    .meta({ examples: [[{ kind: 'CHOICE', text: 'Would you keep it?', required: true, options: ['Yes', 'No'] }]] }),
})
export type NewForm = z.output<typeof NewForm>

/** By question: the number of a rating, the chosen option or options, or the text. */
export const Answers = z.record(Id, z.union([z.int(), z.string(), z.array(z.string())]))
export type Answers = z.output<typeof Answers>

const AnswerInput = z.union(
  [
    z.int(),
    z.string().max(formLimits.longText, { error: `An answer may have at most ${formLimits.longText} characters` }),
    z.array(z.string().max(formLimits.option, { error: 'There is no such option' })).max(formLimits.options, {
      error: 'There are not that many options',
    }),
  ],
  { error: 'An answer must be a number, a text or a list of options' },
)

/** A tester's answers, to the version of the form that they were shown. */
export const GivenFeedback = z.object({
  version: z.int({ error: 'The version must be a whole number' }).min(1, { error: 'There is no such version' }),
  answers: z
    .record(idOr('A question must be given by its ID'), AnswerInput, {
      error: 'Answers must be an object with question IDs as its keys',
    })
    .refine(answers => Object.keys(answers).length <= formLimits.questions, {
      error: `Answer at most ${formLimits.questions} questions`,
    }),
})
export type GivenFeedback = z.output<typeof GivenFeedback>

/** The form of a campaign as its owner edits it. */
export const FeedbackForm = z.object({
  /** Null before the first version; grows with each change. */
  version: z.int().nullable(),
  /** Empty if there is no form. */
  questions: z.array(Question),
  savedAt: Instant.nullable(),
  /** How many testers have answered any version. */
  answered: z.int(),
  /** How many testers have ever joined. They keep the version that they joined with. */
  joined: z.int(),
})
export type FeedbackForm = z.output<typeof FeedbackForm>

/** What one tester is asked together with the proof. */
export const DueForm = z.object({
  version: z.int(),
  questions: z.array(Question),
  /** False if the form was added after the tester had joined: then no answer is required. */
  required: z.boolean(),
})
export type DueForm = z.output<typeof DueForm>

export const TesterFeedback = z.object({
  /** Null if the tester is asked nothing. */
  form: DueForm.nullable(),
  /** What the tester answered before; null if nothing. */
  answers: Answers.nullable(),
})
export type TesterFeedback = z.output<typeof TesterFeedback>

/** A tester's answers, shown beside the proof. */
export const TestFeedback = z.object({
  /** The questions of the version that was answered last, then questions of others that have an answer; empty without answers. */
  questions: z.array(Question),
  answers: Answers.nullable(),
})
export type TestFeedback = z.output<typeof TestFeedback>

const Tally = z.object({ value: z.string(), testers: z.int() })

export const Quotation = z.object({
  testId: Id,
  alias: z.string(),
  device: z.string(),
  osVersion: z.string().nullable(),
  text: z.string(),
})
export type Quotation = z.output<typeof Quotation>

export const QuestionResult = z.object({
  question: Question,
  /** False if the present form no longer asks it. */
  asked: z.boolean(),
  answered: z.int(),
  /** Only for ratings; null without answers. */
  mean: z.number().nullable(),
  /** For ratings and choices: every possible answer, including those that nobody gave. */
  counts: z.array(Tally),
  /** For texts, sorted by when testers joined. */
  quotations: z.array(Quotation),
})
export type QuestionResult = z.output<typeof QuestionResult>

export const FeedbackResults = z.object({
  /** How many testers answered: those that match the filters, and all of them. */
  answered: z.int(),
  answeredInAll: z.int(),
  devices: z.array(Tally),
  osVersions: z.array(Tally),
  /** The mean of testers who answered all ten statements; null if the form never had them, or nobody answered them all. */
  sus: z.object({ score: z.number(), lowest: z.number(), highest: z.number(), testers: z.int() }).nullable(),
  questions: z.array(QuestionResult),
})
export type FeedbackResults = z.output<typeof FeedbackResults>

export const ResultsQuery = z.object({
  device: optionalLine('The device', 250).optional(),
  osVersion: optionalLine('The system version', 40).optional(),
})
export type ResultsQuery = z.output<typeof ResultsQuery>

export const feedbackApi = endpoints({
  form: {
    method: 'GET',
    path: '/campaigns/:id/feedback-form',
    access: ['DEVELOPER', 'ADMIN'],
    summary: 'The feedback form of the caller’s campaign.',
    params: ById,
    reply: FeedbackForm,
  },
  saveForm: {
    method: 'PUT',
    path: '/campaigns/:id/feedback-form',
    access: 'DEVELOPER',
    summary:
      'Set the feedback form, or remove it by sending no questions. Testers who have joined keep the version that they joined with. 409 once the campaign has ended, or if the form is no longer at the given `version`.',
    params: ById,
    body: NewForm,
    reply: FeedbackForm,
    errors: ['WRONG_STATE', 'LIMIT_REACHED'],
  },
  results: {
    method: 'GET',
    path: '/campaigns/:id/feedback',
    replica: true,
    access: ['DEVELOPER', 'ADMIN'],
    revalidated: true,
    summary: 'Testers’ answers, counted by question, for all testers or for one device and system version.',
    params: ById,
    query: ResultsQuery,
    reply: FeedbackResults,
  },
  resultsCsv: {
    method: 'GET',
    path: '/campaigns/:id/feedback.csv',
    replica: true,
    access: ['DEVELOPER', 'ADMIN'],
    summary: 'Testers’ answers as CSV, one line per tester.',
    params: ById,
    query: ResultsQuery,
    file: ['text/csv'],
  },
})
