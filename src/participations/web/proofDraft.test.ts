import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { stubLocalStorage } from '../../testing/localStorage.ts'

vi.stubGlobal('addEventListener', () => undefined)
const { dropDraft, readDraft, saveDraft } = await import('./proofDraft.ts')

beforeEach(() => void stubLocalStorage())
afterAll(() => {
  vi.unstubAllGlobals()
})

const written = {
  text: 'All screens',
  links: ['https://example.com/a', '', 'exam'],
  attachmentIds: ['f1'],
  feedback: { answers: { q1: '4', q2: ['A'] } },
}

test('a draft is found again with its test, without the rows of links that were left empty', () => {
  saveDraft('p1', written)
  expect(readDraft('p1', { q1: '', q2: [] })).toEqual({ ...written, links: ['https://example.com/a', 'exam'] })
  expect(readDraft('p2', { q1: '', q2: [] })).toBeNull()
})

test('when the form has changed meanwhile, answers to what is still asked are kept, and the rest is as asked', () => {
  saveDraft('p1', written)
  const { answers } = readDraft('p1', { q2: [], q3: 'Before' })!.feedback
  expect(answers).toEqual({ q2: ['A'], q3: 'Before' })
})

test('a draft that has been sent is gone, and others stay', () => {
  saveDraft('p1', written)
  saveDraft('p2', written)
  dropDraft('p1')
  expect(readDraft('p1', {})).toBeNull()
  expect(readDraft('p2', {})).toMatchObject({ text: 'All screens', attachmentIds: ['f1'] })
})
