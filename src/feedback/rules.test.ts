import { expect, test } from 'vitest'
import { NewForm, NewQuestion, type Question } from './contract.ts'
import { type AnswerRow, resultsCsv, resultsOf } from './results.ts'
import { dueForm, feedbackToKeep, type FormVersion, settled } from './rules.ts'
import { susEnds, susScore, susStatements } from './sus.ts'
import { formTemplates } from './templates.ts'

let made = 0
const newId = () => `00000000-0000-4000-8000-${String(++made).padStart(12, '0')}`
const question = (more: Partial<Question> = {}): Question => ({
  id: newId(),
  kind: 'LONG_TEXT',
  text: 'What would you change?',
  required: true,
  options: [],
  low: null,
  high: null,
  sus: null,
  ...more,
})
const version = (number: number, afterOrdinal: number, questions: Question[]): FormVersion => ({
  version: number,
  questions,
  afterOrdinal,
  savedAt: '2026-01-01T00:00:00.000Z',
})
const fieldsOf = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    return (error as { fields?: unknown }).fields
  }
}

test('the SUS score follows the published formula', () => {
  expect(susScore([5, 1, 5, 1, 5, 1, 5, 1, 5, 1])).toBe(100)
  expect(susScore([1, 5, 1, 5, 1, 5, 1, 5, 1, 5])).toBe(0)
  expect(susScore([3, 3, 3, 3, 3, 3, 3, 3, 3, 3])).toBe(50)
  // The example from Brooke's paper.
  expect(susScore([5, 4, 2, 1, 2, 3, 2, 4, 5, 3])).toBe(52.5)
  expect(() => susScore([5, 1])).toThrow('ten answers')
})

test('every template is a form that can be saved, and the usability one has the whole SUS', () => {
  for (const { questions } of formTemplates) expect(NewForm.safeParse({ questions }).error).toBeUndefined()
  const usability = formTemplates.find(({ key }) => key === 'USABILITY')!
  expect(usability.questions.flatMap(({ sus }) => sus ?? [])).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
})

test('a partial or reworded SUS and choices with too few options are refused', () => {
  const statement = (sus: number) => ({
    kind: 'RATING' as const,
    text: susStatements[sus - 1] as string,
    required: true,
    sus,
  })
  const whole = susStatements.map((_, index) => statement(index + 1))
  const saved = (questions: unknown[]) => NewForm.safeParse({ questions }).success
  expect(saved(whole)).toBe(true)
  expect(saved(whole.slice(1))).toBe(false)
  expect(saved([...whole.slice(1), statement(2)])).toBe(false)
  expect(saved(whole.with(0, { ...whole[0]!, text: 'I like it.' }))).toBe(false)
  const choice = (options: string[]) =>
    NewQuestion.safeParse({ kind: 'CHOICE', text: 'Which?', required: true, options })
  expect(choice(['Yes', 'No']).success).toBe(true)
  expect(choice(['Yes']).success).toBe(false)
  expect(choice(['Yes', 'Yes ']).success).toBe(false)
})

test('a question keeps its id as long as it says the same', () => {
  const [kept, changed] = [question({ text: 'One?' }), question({ text: 'Two?' })]
  const next = settled(
    [
      { ...changed, text: 'Three?' },
      { ...kept, required: false },
      { ...kept, id: kept.id },
    ],
    [kept, changed],
    newId,
  )
  expect(next[0]!.id).not.toBe(changed.id)
  expect(next[1]).toEqual({ ...kept, required: false })
  // If an id is named twice, it belongs to the first question.
  expect(next[2]!.id).not.toBe(kept.id)
})

test('a question without an id matches one that says the same, once, because its author may not know the ids yet', () => {
  const [one, two] = [question({ text: 'One?' }), question({ text: 'Two?' })]
  const blank = (known: Question) => ({ ...known, id: null })
  expect(settled([blank(two), blank(one)], [one, two], newId)).toEqual([two, one])
  const twice = settled([blank(one), blank(one), one], [one, two], newId)
  // The question that names the id gets it.
  expect(twice[2]).toEqual(one)
  expect(new Set(twice.map(({ id }) => id)).size).toBe(3)
})

test('a tester owes the version that they joined with; one who joined before the first need not answer', () => {
  const [first, second] = [version(1, 2, [question()]), version(2, 5, [question()])]
  const versions = [second, first]
  expect(dueForm(versions, 3)).toMatchObject({ version: 1, required: true })
  expect(dueForm(versions, 5)).toMatchObject({ version: 1, required: true })
  expect(dueForm(versions, 6)).toMatchObject({ version: 2, required: true })
  expect(dueForm(versions, 2)).toMatchObject({ version: 2, required: false })
  expect(dueForm([version(3, 6, []), ...versions], 6)).toBeNull()
  expect(dueForm([], 1)).toBeNull()
})

test('a tester who joined while there was no form need not answer the next one', () => {
  const versions = [version(3, 6, [question()]), version(2, 3, []), version(1, 0, [question()])]
  expect(dueForm(versions, 5)).toMatchObject({ version: 3, required: false })
})

test('missing, wrong and unknown answers are reported by question', () => {
  const rating = question({ kind: 'RATING' })
  const choice = question({ kind: 'CHOICE', options: ['Yes', 'No'], required: false })
  const text = question({ kind: 'SHORT_TEXT' })
  const versions = [version(1, 0, [rating, choice, text])]
  const at = { versions, ordinal: 1, before: undefined, at: 'feedback.' }
  const name = ({ id }: Question) => `feedback.answers.${id}`
  expect(fieldsOf(() => feedbackToKeep(undefined, at))).toEqual({
    [name(rating)]: 'Answer this question',
    [name(text)]: 'Answer this question',
  })
  expect(fieldsOf(() => feedbackToKeep({ version: 1, answers: { [rating.id]: 4, [text.id]: '\u200B' } }, at))).toEqual({
    [name(text)]: 'Answer this question',
  })
  const stranger = newId()
  const answers = { [rating.id]: 6, [choice.id]: 'Maybe', [text.id]: 'x'.repeat(201), [stranger]: 'Hello' }
  expect(fieldsOf(() => feedbackToKeep({ version: 1, answers }, at))).toEqual({
    [name({ id: stranger } as Question)]: 'The form has no such question',
    [name(rating)]: 'Give a number from 1 to 5',
    [name(choice)]: 'Choose one of the options',
    [name(text)]: 'An answer may have at most 200 characters',
  })
  expect(fieldsOf(() => feedbackToKeep({ version: 2, answers: {} }, at))).toHaveProperty('feedback.version')
  const good = { [rating.id]: 4, [choice.id]: '', [text.id]: '  Fast.  ' }
  expect(feedbackToKeep({ version: 1, answers: good }, at)).toEqual({
    version: 1,
    answers: { [rating.id]: 4, [text.id]: 'Fast.' },
  })
  // The earlier answers still stand.
  expect(feedbackToKeep(undefined, { ...at, before: {} })).toBeNull()
})

test('a tester who owes nothing may answer any version, in part or not at all', () => {
  const [old, present] = [question(), question({ kind: 'MULTIPLE_CHOICE', options: ['A', 'B', 'C'] })]
  const versions = [version(2, 4, [present]), version(1, 4, [old])]
  const at = { versions, ordinal: 1, before: undefined, at: '' }
  expect(feedbackToKeep(undefined, at)).toBeNull()
  expect(feedbackToKeep({ version: 2, answers: {} }, at)).toBeNull()
  expect(feedbackToKeep({ version: 1, answers: { [old.id]: 'More' } }, at)).toMatchObject({ version: 1 })
  expect(feedbackToKeep({ version: 2, answers: { [present.id]: ['C', 'A'] } }, at)?.answers).toEqual({
    [present.id]: ['A', 'C'],
  })
  // Sending the version again without an answer clears it; answers to another version stay.
  const before = { [old.id]: 'More' }
  expect(feedbackToKeep({ version: 1, answers: {} }, { ...at, before })).toEqual({ version: 1, answers: {} })
  expect(feedbackToKeep({ version: 2, answers: {} }, { ...at, before })).toBeNull()
  expect(feedbackToKeep({ version: 2, answers: { [present.id]: ['B'] } }, { ...at, before })?.answers).toEqual({
    [old.id]: 'More',
    [present.id]: ['B'],
  })
  // Answers that were written while the form was removed are kept all the same.
  expect(
    feedbackToKeep(
      { version: 2, answers: { [present.id]: ['B'] } },
      { ...at, versions: [version(3, 4, []), ...versions] },
    ),
  ).toMatchObject({ version: 2 })
})

const row = (ordinal: number, answers: AnswerRow['answers'], more: Partial<AnswerRow> = {}): AnswerRow => ({
  testId: `test ${ordinal}`,
  ordinal,
  status: 'SUBMITTED',
  model: 'Pixel 8',
  manufacturer: 'Google',
  osVersion: '14',
  version: 1,
  answers,
  answeredAt: '2026-01-02T00:00:00.000Z',
  ...more,
})

test('answers are counted by question, for all or for one device and system, even after the form has changed', () => {
  const rating = question({ kind: 'RATING', text: 'How good?' })
  const gone = question({ text: 'Gone?' })
  const many = question({ kind: 'MULTIPLE_CHOICE', options: ['A', 'B'] })
  const versions = [version(2, 2, [many, rating]), version(1, 0, [rating, gone])]
  const rows = [
    row(1, { [rating.id]: 5, [gone.id]: 'The search' }),
    row(
      3,
      { [rating.id]: 2, [many.id]: ['A', 'B'] },
      { version: 2, model: 'Galaxy S24', manufacturer: 'Samsung', osVersion: '15' },
    ),
    row(4, { [rating.id]: 2, [many.id]: ['B'] }, { version: 2, osVersion: null }),
  ]
  const all = resultsOf(versions, rows, {})
  expect(all).toMatchObject({
    answered: 3,
    answeredInAll: 3,
    devices: [
      { value: 'Google Pixel 8', testers: 2 },
      { value: 'Samsung Galaxy S24', testers: 1 },
    ],
    osVersions: [
      { value: '14', testers: 1 },
      { value: '15', testers: 1 },
    ],
    sus: null,
  })
  expect(all.questions.map(({ question: { text }, asked, answered, mean }) => [text, asked, answered, mean])).toEqual([
    [many.text, true, 2, null],
    ['How good?', true, 3, 3],
    ['Gone?', false, 1, null],
  ])
  expect(all.questions[0]!.counts).toEqual([
    { value: 'A', testers: 1 },
    { value: 'B', testers: 2 },
  ])
  expect(all.questions[1]!.counts.map(({ testers }) => testers)).toEqual([0, 2, 0, 0, 1])
  expect(all.questions[2]!.quotations).toMatchObject([
    { alias: 'Tester 1', device: 'Google Pixel 8', osVersion: '14', text: 'The search' },
  ])
  const filtered = resultsOf(versions, rows, { device: 'Google Pixel 8', osVersion: '14' })
  expect(filtered).toMatchObject({ answered: 1, answeredInAll: 3 })
  expect(filtered.questions[1]!.mean).toBe(5)
  // The filters offer every value that exists, not only those left after filtering.
  expect(filtered.devices).toHaveLength(2)
})

test('the SUS score is the mean over testers who answered all ten, and is in the table', () => {
  const scale = susStatements.map((text, index) => question({ kind: 'RATING', text, sus: index + 1, ...susEnds }))
  const answered = (values: number[]) => Object.fromEntries(values.map((value, index) => [scale[index]!.id, value]))
  // The order of the questions in the form does not matter.
  const versions = [version(1, 0, scale.toReversed())]
  const rows = [
    row(1, answered([5, 1, 5, 1, 5, 1, 5, 1, 5, 1])),
    row(2, answered([3, 3, 3, 3, 3, 3, 3, 3, 3, 3])),
    row(3, answered([5, 1, 5])),
  ]
  expect(resultsOf(versions, rows, {}).sus).toEqual({ score: 75, lowest: 50, highest: 100, testers: 2 })
  const [head, first, , third] = resultsCsv(versions, rows, {}).split('\r\n')
  expect(head).toContain('SUS score')
  expect(first).toContain('2026-01-02T00:00:00.000Z,100,')
  expect(third).toContain('2026-01-02T00:00:00.000Z,,')
})

test('the SUS score still counts if a later version without the scale was answered, too', () => {
  const scale = susStatements.map((text, index) => question({ kind: 'RATING', text, sus: index + 1, ...susEnds }))
  const other = question()
  const answers = Object.fromEntries(scale.map(({ id }) => [id, 3]))
  const versions = [version(2, 1, [other]), version(1, 1, scale)]
  const rows = [row(1, { ...answers, [other.id]: 'The search' }, { version: 2 })]
  expect(resultsOf(versions, rows, {}).sus).toMatchObject({ score: 50, testers: 1 })
})

test('the table begins with the byte order mark, so that spreadsheets read it as UTF-8', () => {
  const text = question({ text: 'Ładne?' })
  const [head] = resultsCsv([version(1, 0, [text])], [row(1, { [text.id]: 'Tak' })], {}).split('\r\n')
  expect(head).toBe('\uFEFFTester,Status,Device,System version,Form version,Answered at,Ładne?')
})

test('no answer becomes a formula in a spreadsheet', () => {
  const text = question()
  const csv = resultsCsv([version(1, 0, [text])], [row(1, { [text.id]: '=HYPERLINK("https://example.test")' })], {})
  expect(csv).toContain(`"'=HYPERLINK(""https://example.test"")"`)
})
