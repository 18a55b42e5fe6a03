import { expect, test } from 'vitest'
import type { Transaction } from '../contract.ts'
import { signOf, typeWord } from './transactionWords.ts'

const line = (type: Transaction['type'], status: Transaction['status']): Transaction => ({
  id: '01900000-0000-7000-8000-000000000000',
  type,
  status,
  amountCents: 1000,
  createdAt: '2026-11-21T06:16:59.000Z',
  description: '',
  campaign: null,
  failureReason: null,
  paymentId: null,
})

test('a failed withdrawal has a line out and a line back, which add up to the balance', () => {
  expect(signOf(line('PAYOUT', 'FAILED'))).toBe('−')
  expect(signOf(line('CREDIT', 'REFUNDED'))).toBe('+')
  expect(typeWord(line('CREDIT', 'REFUNDED'), 'TESTER')).toBe('Withdrawal returned')
})

test('a declined payment has no sign, because nothing moved', () => {
  expect(signOf(line('DEBIT', 'FAILED'))).toBeNull()
  expect(signOf(line('DEBIT', 'COMPLETED'))).toBe('−')
})

test('a credit is a refund to a developer and an earning to a tester', () => {
  expect(typeWord(line('CREDIT', 'COMPLETED'), 'DEVELOPER')).toBe('Refund')
  expect(typeWord(line('CREDIT', 'COMPLETED'), 'TESTER')).toBe('Earning')
})
