import { expect, test } from 'vitest'
import { ProofForm } from './proofSchema.ts'

const errorsOf = (written: { text: string; links: string[]; attachmentIds?: string[] }) =>
  ProofForm.safeParse({ attachmentIds: [], ...written }).error?.issues.map(({ path, message }) => [
    path.join('.'),
    message,
  ])

test('empty rows are not links', () => {
  const proof = ProofForm.parse({
    text: ' All screens \n',
    links: ['', ' https://example.com/a ', ''],
    attachmentIds: [],
  })
  expect(proof).toEqual({ text: 'All screens', links: ['https://example.com/a'], attachmentIds: [] })
})

test('an invalid link is reported in its own row', () => {
  expect(errorsOf({ text: '', links: ['', 'https://example.com', 'example'] })).toEqual([
    ['links.2', 'A link must be a full address that starts with http:// or https://'],
  ])
})

test('an empty proof is reported at its text', () => {
  expect(errorsOf({ text: '  ', links: [''] })).toEqual([
    ['text', 'Describe what you tested, or give a link or a file'],
  ])
})

test('more than 20 links are refused', () => {
  const links = Array.from({ length: 21 }, (_, index) => `https://example.com/${index}`)
  expect(errorsOf({ text: '', links })).toEqual([['text', 'Give at most 20 links']])
})

test('a proof of files alone is one', () => {
  const attachmentIds = ['019e8a00-0000-7000-8000-000000000000']
  expect(errorsOf({ text: '', links: [''], attachmentIds })).toBeUndefined()
})
