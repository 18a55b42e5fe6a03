import { expect, test } from 'vitest'
import { transferWords } from './transferWords.ts'

test('a transfer says what it is for, even if its kind has no words of its own', () => {
  expect(['charge-pay', 'refund-twice', 'covered-pay', 'constructor'].map(transferWords)).toEqual([
    'Payment started, testers’ pay',
    'Refund paid twice',
    'Covered pay',
    'Constructor',
  ])
})
