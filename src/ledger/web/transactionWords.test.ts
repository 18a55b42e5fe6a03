import { expect, test } from 'vitest'
import type { Transaction } from '../contract.ts'
import { shownCents, signOf, typeWord } from './transactionWords.ts'

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
  paymentCents: null,
  refundId: null,
  withdrawalId: null,
  hold: null,
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

test('a payment is one line with the whole amount, and in the list of fees its fee has its own amount', () => {
  const payment = { ...line('DEBIT', 'COMPLETED'), paymentCents: 1150 }
  expect([typeWord(payment, 'DEVELOPER'), shownCents(payment)]).toEqual(['Payment', 1150])
  const fee = { ...line('FEE', 'COMPLETED'), amountCents: 150 }
  expect([typeWord(fee, 'DEVELOPER'), shownCents(fee)]).toEqual(['Platform fee', 150])
})
