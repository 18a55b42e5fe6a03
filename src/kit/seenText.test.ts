import { expect, test } from 'vitest'
import { longText } from './schemas.ts'
import { seenLength } from './seenText.ts'

const Reason = longText('Reason', { min: 5, max: 100, error: 'Too short' })

test.each([
  ['', 0],
  ['four', 4],
  ['fiver', 5],
  ['  four  ', 4],
  ['a    b', 3],
  ['a\n\n\nb', 3],
  ['a b c', 5],
  ['\u200bfour', 4],
  ['four\u3164', 4],
  ['four\uFE0F', 4],
])('in %j the counter counts as many characters as the rule', (words, length) => {
  expect(seenLength(words)).toBe(length)
  expect(Reason.safeParse(words).success).toBe(length >= 5)
})
