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

test('a refund that a bank has paid with a disputed payment does not read like one that came back', () => {
  expect([transferWords('refund-set-off'), transferWords('refund-returned')]).toEqual([
    'Refund that a bank has already paid',
    'Refund returned',
  ])
})
