import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pauseOf, payoutPauseHours } from '../accounts/rules.ts'
import { hoursAfter } from '../kit/clock.ts'
import { proRata } from '../kit/money.ts'
import { minimumWithdrawalCents } from '../settings/terms.ts'
import { declinedSentence, withdrawalProblem, withdrawalSentence } from './rules.ts'

const limitsOf = (balanceCents: number) => ({ balanceCents, minimumWithdrawalCents })
const later = '2026-11-22T00:00:00.000Z'

test.each([
  [null, 5000, null, 'EMPTY'],
  [999, 5000, null, 'BELOW_MINIMUM'],
  [1000, 5000, null, null],
  [5000, 5000, null, null],
  [5001, 5000, null, 'ABOVE_BALANCE'],
  [1000, 5000, later, 'PAUSED'],
  // Whoever has to wait anyway hears that first, as the server says it.
  [9000, 5000, later, 'PAUSED'],
  [500, 5000, later, 'BELOW_MINIMUM'],
] as const)('%s of %s cents, paused until %s: %s', (amount, balance, pausedUntil, problem) => {
  expect(withdrawalProblem(amount, limitsOf(balance), pausedUntil)).toBe(problem)
})

test('the messages are the spec’s, word for word', () => {
  expect(withdrawalSentence.BELOW_MINIMUM(minimumWithdrawalCents)).toBe('Minimum withdrawal amount is $10')
  expect(withdrawalSentence.ABOVE_BALANCE(minimumWithdrawalCents)).toBe('Insufficient balance')
  expect(withdrawalSentence.PAUSED(minimumWithdrawalCents)).toContain('24 hours')
  expect(declinedSentence('No funds.')).toBe('The payment was declined. No funds.')
})

test('without a pause an amount is fine exactly from the minimum to the balance', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 0, max: 10_000 }), (amount, balance) => {
      expect(withdrawalProblem(amount, limitsOf(balance), null) === null).toBe(
        amount >= minimumWithdrawalCents && amount <= balance,
      )
    }),
  )
})

test('the pause ends 24 hours after the change, to the millisecond', () => {
  const changed = '2026-11-21T10:00:00.000Z'
  const end = hoursAfter(changed, payoutPauseHours)
  expect(payoutPauseHours).toBe(24)
  const never = { paymentMethodChangedAt: null, payoutsPausedUntil: null, payoutsPausedBecause: null }
  const since = { ...never, paymentMethodChangedAt: changed }
  expect(pauseOf(never, changed)).toBeNull()
  expect(pauseOf(since, '2026-11-22T09:59:59.999Z')).toEqual({ until: end, because: 'PAYMENT_METHOD_CHANGED' })
  expect(pauseOf(since, end)).toBeNull()
})

test('of two pauses the one that ends later counts, with its reason', () => {
  const both = {
    paymentMethodChangedAt: '2026-11-21T10:00:00.000Z',
    payoutsPausedUntil: '2026-11-23T10:00:00.000Z',
    payoutsPausedBecause: 'EMAIL_CHANGED',
  } as const
  const now = '2026-11-21T11:00:00.000Z'
  expect(pauseOf(both, now)).toEqual({ until: both.payoutsPausedUntil, because: 'EMAIL_CHANGED' })
  const earlier = { ...both, payoutsPausedUntil: '2026-11-21T12:00:00.000Z' }
  expect(pauseOf(earlier, now)).toEqual({ until: '2026-11-22T10:00:00.000Z', because: 'PAYMENT_METHOD_CHANGED' })
})

test('the pay for a part of the days is rounded down, and never more than the whole', () => {
  expect(proRata(1000, 5, 14)).toBe(357)
  expect(proRata(1000, 15, 14)).toBe(1000)
  fc.assert(
    fc.property(
      fc.integer({ min: 100, max: 1_000_000 }),
      fc.integer({ min: 0, max: 100 }),
      fc.integer({ min: 1, max: 90 }),
      (pay, days, duration) => {
        const part = proRata(pay, days, duration)
        expect(part).toBeLessThanOrEqual(pay)
        expect(part * duration).toBeLessThanOrEqual(pay * days)
        if (days < duration) expect((part + 1) * duration).toBeGreaterThan(pay * days)
      },
    ),
  )
})
