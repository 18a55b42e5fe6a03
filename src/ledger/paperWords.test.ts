import { expect, test } from 'vitest'
import { leftOutNote } from './paperWords.ts'

test('campaigns without a line of their own are counted in the singular and in the plural', () => {
  expect(leftOutNote(1)).toBe('1 more campaign is included in the totals above and in the CSV for the year.')
  expect(leftOutNote(1200)).toBe('1,200 more campaigns are included in the totals above and in the CSV for the year.')
})
