import { expect, test } from 'vitest'
import { ById, KeysetQuery, line, longText, numberedQuery, optionalLine, optionalText, text } from './schemas.ts'

test.each(['\u200B', '\u00AD\u2060', '\u3164', '\u2800 \u2800', '\uFE0F', '\u034F\u17B4'])(
  'a text without visible characters counts as empty: %j',
  unseen => {
    for (const schema of [text('The proof', 100), line('Full name', 100)])
      expect(schema.safeParse(unseen).error?.issues.map(({ message }) => message)).toEqual([
        expect.stringContaining('is required'),
      ])
    for (const schema of [optionalText('The note', 100), optionalLine('The note', 100)])
      expect(schema.parse(unseen)).toBe('')
  },
)

test('a text that is too long is refused under its name, with the most that it may have', () => {
  for (const schema of [
    text('The note', 3),
    optionalText('The note', 3),
    line('The note', 3),
    optionalLine('The note', 3),
  ])
    expect(schema.safeParse('four').error?.issues.map(({ message }) => message)).toEqual([
      'The note may have at most 3 characters',
    ])
})

test('a long text needs its minimum of visible characters', () => {
  const reason = longText('The reason', { min: 10, max: 100, error: 'Too short' })
  for (const short of ['a', `a${' '.repeat(20)}b`, `a${'\u200B'.repeat(20)}b`, 'a\n\n\n\n\n\n\n\n\n\nb'])
    expect(reason.safeParse(short).error?.issues.map(({ message }) => message)).toEqual(['Too short'])
  expect(reason.parse('It crashes.')).toBe('It crashes.')
})

test('joined emoji and scripts that need joiners are kept; characters that change the text direction are removed', () => {
  for (const word of ['👩‍💻', 'می‌خواهم']) expect(line('Full name', 100).parse(word)).toBe(word)
  expect(line('Full name', 100).parse('\u202Egnp.nimda\u202C')).toBe('gnp.nimda')
})

test('an empty number in a query counts as not given', () => {
  expect(KeysetQuery.parse({ limit: '' })).toEqual({ limit: 100 })
  expect(KeysetQuery.parse({ limit: '7' })).toEqual({ limit: 7 })
  const query = numberedQuery(25, {})
  expect(query.parse({ page: '', limit: '' })).toEqual({ page: 1, limit: 25 })
  for (const limit of ['0', '101', '1.5', 'x', ' ']) expect(query.safeParse({ limit }).success).toBe(false)
})

test('an id is the same in upper and lower case', () => {
  const id = '0190F3A2-7C1B-7D4E-8F00-1234567890AB'
  expect(ById.parse({ id })).toEqual({ id: id.toLowerCase() })
})
