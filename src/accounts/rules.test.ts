import { expect, test } from 'vitest'
import { loginLimits, pauseHours, sessionEnd } from './rules.ts'
import { factorLimits } from './secondFactorRules.ts'

/** Other tests read these numbers from the code, so one test has to say that they are the promised ones. */
test('the limits are the promised ones', () => {
  expect(loginLimits).toEqual({ windowMinutes: 15, perAccount: 10, perAddress: 100, knownDays: 90 })
  expect(pauseHours).toEqual({
    PAYMENT_METHOD_CHANGED: 24,
    EMAIL_CHANGED: 72,
    PASSWORD_RESET: 24,
    PAYOUT_ACCOUNT_OPENED: 24,
  })
  expect(factorLimits).toMatchObject({ wrongAnswers: 5, newAppMinutes: 15, stepUpMinutes: 10, recoveryCodes: 10 })
})

test.each([
  ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', '2026-01-31T00:00:00.000Z'],
  ['2026-01-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z', '2026-03-31T00:00:00.000Z'],
  ['2026-01-01T00:00:00.000Z', '2026-03-30T00:00:00.000Z', '2026-04-01T00:00:00.000Z'],
])('a session begun %s and used %s ends %s: after 30 days without use, and after 90 at most', (began, used, ends) => {
  expect(sessionEnd(began, used)).toBe(ends)
})
