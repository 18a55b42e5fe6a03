import { expect, test } from 'vitest'
import type { DueForm, Question } from '../../feedback/contract.ts'
import { proofFormWith } from './proofSchema.ts'

const ProofForm = proofFormWith(null)
const feedback = { answers: {} }

const errorsOf = (written: { text: string; links: string[]; attachmentIds?: string[] }) =>
  ProofForm.safeParse({ attachmentIds: [], feedback, ...written }).error?.issues.map(({ path, message }) => [
    path.join('.'),
    message,
  ])

test('empty rows are not links', () => {
  const proof = ProofForm.parse({
    text: ' All screens \n',
    links: ['', ' https://example.com/a ', ''],
    attachmentIds: [],
    feedback,
  })
  expect(proof).toEqual({ proof: { text: 'All screens', links: ['https://example.com/a'], attachmentIds: [] } })
})

test('an invalid link is reported in its own row', () => {
  expect(errorsOf({ text: '', links: ['', 'https://example.com', 'example'] })).toEqual([
    ['links.2', 'A link must be a full address that starts with http:// or https://'],
  ])
})

test('an empty proof is reported at its text', () => {
  expect(errorsOf({ text: '  ', links: [''] })).toEqual([['text', 'Describe what you tested, or add a link or a file']])
})

test('more than 20 links are refused', () => {
  const links = Array.from({ length: 21 }, (_, index) => `https://example.com/${index}`)
  expect(errorsOf({ text: '', links })).toEqual([['text', 'Add at most 20 links']])
})

test('a proof of files alone is one', () => {
  const attachmentIds = ['019e8a00-0000-7000-8000-000000000000']
  expect(errorsOf({ text: '', links: [''], attachmentIds })).toBeUndefined()
})

const question = (id: string, kind: Question['kind'], required: boolean): Question => ({
  id,
  kind,
  text: 'Question?',
  required,
  options: ['A', 'B'],
  low: null,
  high: null,
  sus: null,
})
const due: DueForm = {
  version: 3,
  questions: [
    question('r', 'RATING', true),
    question('c', 'MULTIPLE_CHOICE', false),
    question('t', 'SHORT_TEXT', true),
  ],
  required: true,
}
const filled = { text: 'All screens', links: [], attachmentIds: [] }

test('a missing answer is reported at its question, named as the server names it', () => {
  const answers = { r: '', c: ['A'], t: ' ' }
  const { error } = proofFormWith(due).safeParse({ ...filled, feedback: { answers } })
  expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(['feedback.answers.r', 'feedback.answers.t'])
  expect(proofFormWith({ ...due, required: false }).safeParse({ ...filled, feedback: { answers } }).success).toBe(true)
})

test('answers are sent with the version that was shown, ratings as numbers, empty ones not at all', () => {
  const answers = { r: '4', c: [], t: 'Fast' }
  expect(proofFormWith(due).parse({ ...filled, feedback: { answers } }).feedback).toEqual({
    version: 3,
    answers: { r: 4, t: 'Fast' },
  })
})
