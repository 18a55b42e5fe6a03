import { expect, test } from 'vitest'
import { CheckInForm } from './checkInSchema.ts'

test.each([
  ['', undefined],
  [' \t', undefined],
  ['0', 0],
  [' 15 ', 15],
  ['1440', 1440],
])('minutes typed as "%s" are sent as %s: none is not zero', (minutes, sent) => {
  expect(CheckInForm.parse({ minutes }).minutes).toBe(sent)
})

test.each([
  ['-1', 'The minutes must be at least 0'],
  ['1441', 'The minutes may be at most 1,440'],
  ['1.5', 'The minutes must be a whole number'],
  ['an hour', 'The minutes must be a number'],
])('"%s" is refused at the minutes', (minutes, message) => {
  const issues = CheckInForm.safeParse({ minutes }).error?.issues
  expect(issues?.map(issue => [issue.path.join('.'), issue.message])).toEqual([['minutes', message]])
})

test('the note and the features go along, the picture does not', () => {
  const said = { features: ['Search'], note: 'Slow' }
  expect(CheckInForm.parse({ minutes: '', ...said, attachmentId: 'none' })).toEqual({ minutes: undefined, ...said })
})
