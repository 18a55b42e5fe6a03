import { expect, test } from 'vitest'
import { PlayCountForm } from './playCountSchema.ts'

const problems = (filled: object) =>
  PlayCountForm.safeParse(filled).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)

test('a count is of a day, and may be zero', () => {
  expect(PlayCountForm.parse({ day: '2026-11-30', count: 0 })).toEqual({ day: '2026-11-30', count: 0 })
})

test.each([[''], [undefined], ['2026-11-31'], ['2026-11-30T00:00:00Z']])('%o is not a day', day => {
  expect(problems({ day, count: 12 })).toEqual(['day: Choose a day'])
})

test.each([[undefined], [Number.NaN], [-1], [1.5]])('%o is not a number of testers', count => {
  expect(problems({ day: '2026-11-30', count })).toEqual([expect.stringMatching(/^count: The number of testers /)])
})
