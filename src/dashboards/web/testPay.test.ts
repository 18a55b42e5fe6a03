import { expect, test } from 'vitest'
import { payOf, payWords } from './testPay.ts'

test.each([
  ['WAITLISTED', 0, null, [1000, 'if you get a seat']],
  ['ACTIVE', 1000, null, [1000, 'once verified']],
  ['APPEALED', 1000, null, [1000, 'held']],
  ['CANCELLED', 200, '2026-11-21T08:00:00.000Z', [200, 'earned']],
] as const)('%s shows what the test pays, and when', (status, payoutAmountCents, closedAt, says) => {
  const test1 = { status, payoutAmountCents, closedAt, campaign: { payPerTesterCents: 1000 } }
  expect([payOf(test1), payWords(test1)]).toEqual(says)
})
