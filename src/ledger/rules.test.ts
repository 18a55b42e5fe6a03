import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pauseOf, payoutPauseHours } from '../accounts/rules.ts'
import { hoursAfter } from '../kit/clock.ts'
import { DomainError } from '../kit/errors.ts'
import { proRata } from '../kit/money.ts'
import { minimumWithdrawalCents } from '../settings/terms.ts'
import {
  assertAccountedFor,
  assertChargesKnown,
  assertMayOpenAccount,
  assertMayPay,
  belowMinimum,
  declinedPaymentsPerDay,
  declinedSentence,
  hasGrown,
  insufficientBalance,
  type OffCents,
  paymentEnded,
  paymentWaits,
  payoutAccountNeeded,
  payoutsAreStopped,
  payoutsPaused,
  withdrawalProblem,
  withdrawalSentence,
} from './rules.ts'

const limitsOf = (balanceCents: number) => ({ balanceCents, minimumWithdrawalCents })
const later = '2026-11-22T00:00:00.000Z'

test.each([
  [null, 5000, null, 'EMPTY'],
  [999, 5000, null, 'BELOW_MINIMUM'],
  [1000, 5000, null, null],
  [5000, 5000, null, null],
  [5001, 5000, null, 'ABOVE_BALANCE'],
  [1000, 5000, later, 'PAUSED'],
  // If a tester has to wait anyway, the pause comes first, in the same order as on the server.
  [9000, 5000, later, 'PAUSED'],
  [500, 5000, later, 'BELOW_MINIMUM'],
] as const)('%s of %s cents, paused until %s: %s', (amount, balance, pausedUntil, problem) => {
  expect(withdrawalProblem(amount, limitsOf(balance), pausedUntil)).toBe(problem)
})

test('the messages follow the spec word for word', () => {
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

test('of two pauses, the one that ends later counts, with its reason', () => {
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

test('the pay for some of the days is rounded down, and never more than the whole pay', () => {
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

/** The error that refuses the attempt; null when it succeeds. */
const refusal = (attempt: () => void): Pick<DomainError, 'code' | 'message' | 'retryAfterSeconds'> | null => {
  try {
    attempt()
    return null
  } catch (error) {
    if (error instanceof DomainError) return error
    throw error
  }
}

test('a restored copy takes no payments', () => {
  expect(refusal(() => assertChargesKnown(false))).toBeNull()
  expect(refusal(() => assertChargesKnown(true))).toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 300 })
})

test('nobody withdraws while data is restored, nor before the balance covers what the restored data does not know', () => {
  expect(refusal(() => assertAccountedFor({ isPaused: false, lostCents: 0 }))).toBeNull()
  expect(refusal(() => assertAccountedFor({ isPaused: true, lostCents: 0 }))).toMatchObject({
    code: 'UNAVAILABLE',
    retryAfterSeconds: 300,
  })
  const lost = refusal(() => assertAccountedFor({ isPaused: false, lostCents: 1 }))
  expect(lost).toMatchObject({ code: 'WRONG_STATE', message: expect.stringMatching(/^\$0\.01 was paid out/) })
})

const difference: [OffCents, OffCents, boolean][] = [
  [{ a: 5 }, { a: 5 }, false],
  [{ a: 5 }, { a: 4 }, false],
  [{ a: 5 }, { a: 6 }, true],
  [{ a: -5 }, { a: -6 }, true],
  [{ a: 5 }, { a: -5 }, true],
  [{ a: 5 }, { a: 0 }, false],
  [{ a: 5, b: 5 }, { a: 5 }, false],
  [{ a: 5 }, { a: 5, b: 1 }, true],
]
test.each(difference)('a difference of %j that becomes %j has grown: %s', (known, found, grown) => {
  expect(hasGrown(known, found)).toBe(grown)
})

test('ten declined payments a day are the limit, and those on their way count until their result is known', () => {
  const now = '2026-03-02T08:00:00.000Z'
  // Newest first, one hour apart.
  const declined = (count: number) => Array.from({ length: count }, (_, place) => hoursAfter(now, -place))
  const attempt = (count: number, onTheirWay: number) => refusal(() => assertMayPay(declined(count), onTheirWay, now))
  expect(declinedPaymentsPerDay).toBe(10)
  expect([attempt(0, 0), attempt(9, 0), attempt(0, 9), attempt(5, 4)]).toEqual([null, null, null, null])
  const soon = { code: 'TOO_MANY_REQUESTS', retryAfterSeconds: 5 }
  expect(attempt(9, 1)).toMatchObject(soon)
  expect(attempt(0, 10)).toMatchObject(soon)
  // The tenth is nine hours old, so it counts for another fifteen hours.
  expect(attempt(10, 0)).toMatchObject({ code: 'TOO_MANY_REQUESTS', retryAfterSeconds: 15 * 3600 })
  const aDayAgo = Array.from({ length: 10 }, () => hoursAfter(now, -24))
  expect(refusal(() => assertMayPay(aDayAgo, 0, now))).toMatchObject({ retryAfterSeconds: 1 })
})

test('each refusal has its code, its field and a time to retry', () => {
  expect(payoutsAreStopped('Stopped.')).toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 3600 })
  const insufficient = { code: 'INSUFFICIENT_BALANCE', fields: { amountCents: 'Insufficient balance' } }
  expect(insufficientBalance()).toMatchObject(insufficient)
  const minimum = 'Minimum withdrawal amount is $12.50'
  expect(belowMinimum(1250)).toMatchObject({
    code: 'INVALID_INPUT',
    message: minimum,
    fields: { amountCents: minimum },
  })
  const until = '2026-03-02T23:30:00.000Z'
  expect(payoutsPaused('PASSWORD_RESET', { until, timeZone: 'Europe/Warsaw' })).toMatchObject({
    code: 'PAYOUT_METHOD_PAUSED',
    message: expect.stringMatching(/^Your password was reset .* until March 3, 2026 at 12:30.AM \(Europe\/Warsaw\)/),
  })
  expect(payoutsPaused('EMAIL_CHANGED', { until: null, timeZone: 'UTC' }).message).toContain('paused for now')
  expect(paymentWaits()).toMatchObject({ code: 'WRONG_STATE' })
  expect(paymentEnded('CANCELLED', 0)).toMatchObject({
    code: 'WRONG_STATE',
    message: 'The campaign changed while you were paying. You were not charged.',
  })
  expect(paymentEnded('RETURNED', 0).message).toContain('refunded to your payment method')
  expect(paymentEnded('CANCELLED', 1150).message).toBe(
    'You owe $11.50 for a payment that your bank took back. You were not charged.',
  )
})

test.each([
  ['NONE', 'Set up'],
  ['INCOMPLETE', 'is missing some details'],
  ['IN_REVIEW', 'is checking your payout account'],
  ['REJECTED', 'cannot pay out'],
] as const)('a payout account that is %s: %s', (status, words) => {
  expect(payoutAccountNeeded(status)).toMatchObject({
    code: 'WRONG_STATE',
    message: expect.stringContaining(words),
  })
})

describe('opening a payout account after three were removed', () => {
  const removed = ['2026-03-20T00:00:00.000Z', '2026-03-10T00:00:00.000Z', '2026-03-01T00:00:00.000Z']
  const opening =
    (now: string, removedAt = removed) =>
    () =>
      assertMayOpenAccount(removedAt, now)
  test('is possible once the first removal was 30 days ago, and says how long that takes', () => {
    expect(opening('2026-03-21T12:00:00.000Z')).toThrow('You can set up another one in 10 days.')
    expect(opening('2026-03-30T12:00:00.000Z')).toThrow(
      expect.objectContaining({
        code: 'TOO_MANY_REQUESTS',
        message: expect.stringContaining('in 1 day.') as string,
        retryAfterSeconds: 12 * 3600,
      }),
    )
    expect(opening('2026-03-31T00:00:00.000Z')).not.toThrow()
  })
  test('is possible after two', () => {
    expect(opening('2026-03-20T00:00:00.000Z', removed.slice(0, 2))).not.toThrow()
  })
})
