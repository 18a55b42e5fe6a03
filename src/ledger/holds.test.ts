/** Each hold has its sentence, and says when it ends or what ends it. */
import { expect, test } from 'vitest'
import { type HoldFacts, holdOfWithdrawal, holdsOfNew } from './holds.ts'
import { holdKinds } from './terms.ts'

const at = '2026-03-01T08:00:00.000Z'
const until = '2026-03-02T08:00:00.000Z'
const none: HoldFacts = {
  pause: null,
  mustConfirmEmail: false,
  suspendedAt: null,
  suspensionReason: null,
  lostCents: 0,
  jobsPausedAt: null,
  restoring: false,
  stoppedSince: null,
  comparingSince: null,
}
const waiting = { requestedAt: at, released: false }

const ofNew: [Partial<HoldFacts>, object][] = [
  [
    { pause: { until, because: 'PAYMENT_METHOD_CHANGED' } },
    { kind: 'METHOD_PAUSE', since: at, until, sentence: expect.stringContaining('payment method changed') as string },
  ],
  [
    { pause: { until, because: 'PASSWORD_RESET' } },
    { kind: 'SECURITY_PAUSE', since: at, until, sentence: expect.stringContaining('password was reset') as string },
  ],
  [
    { pause: { until, because: 'EMAIL_CHANGED' } },
    {
      kind: 'SECURITY_PAUSE',
      since: '2026-02-27T08:00:00.000Z',
      until,
      sentence: expect.stringContaining('email address changed') as string,
    },
  ],
  [
    { mustConfirmEmail: true },
    {
      kind: 'EMAIL_NOT_CONFIRMED',
      until: null,
      sentence: expect.stringContaining('once you have opened the link') as string,
    },
  ],
  [
    { lostCents: 1250 },
    {
      kind: 'LOST_PAYOUT',
      until: null,
      sentence: expect.stringMatching(/^\$12\.50 .* once your balance covers/) as string,
    },
  ],
  [
    { suspendedAt: at, suspensionReason: 'Shared accounts.' },
    {
      kind: 'SUSPENDED',
      since: at,
      until: null,
      sentence: expect.stringMatching(/Shared accounts\.\n.* until our team restores it/) as string,
    },
  ],
  [
    { suspendedAt: at },
    {
      kind: 'SUSPENDED',
      since: at,
      until: null,
      sentence: expect.stringMatching(/^Your account is suspended: \nYour/) as string,
    },
  ],
  [
    { jobsPausedAt: at, restoring: true },
    { kind: 'RESTORING', since: at, until: null, sentence: expect.stringContaining('resume once') as string },
  ],
  [
    { stoppedSince: at },
    { kind: 'BOOKS', since: at, until: null, sentence: expect.stringContaining('when they resume') as string },
  ],
]

test.each(ofNew)('of new withdrawals: %j', (facts, hold) => {
  expect(holdsOfNew({ ...none, ...facts })).toEqual([{ since: null, ...hold }])
})

const ofAsked: [Partial<HoldFacts>, typeof waiting | null, object][] = [
  [
    {},
    waiting,
    {
      kind: 'APPROVAL',
      since: at,
      until: null,
      sentence: expect.stringContaining('once one has released it') as string,
    },
  ],
  [
    {},
    { ...waiting, released: true },
    { kind: 'APPROVAL', sentence: expect.stringContaining('One has released yours') as string },
  ],
  [{ jobsPausedAt: at }, null, { kind: 'JOBS_PAUSED', since: at, until: null }],
  [{ suspendedAt: at, suspensionReason: 'No.' }, waiting, { kind: 'SUSPENDED' }],
  [{ jobsPausedAt: at, restoring: true }, waiting, { kind: 'RESTORING' }],
  [{ comparingSince: at }, null, { kind: 'COMPARING', since: at, until: null }],
  [{ stoppedSince: at }, waiting, { kind: 'BOOKS' }],
]
test.each(ofAsked)('of a requested withdrawal: %j, waiting for admins: %j', (facts, approval, hold) => {
  expect(holdOfWithdrawal({ ...none, ...facts }, approval)).toMatchObject(hold)
})

test('a pause, an unconfirmed email and an uncovered payout hold up only new withdrawals', () => {
  const facts: HoldFacts = {
    ...none,
    pause: { until, because: 'PAYMENT_METHOD_CHANGED' },
    mustConfirmEmail: true,
    lostCents: 1,
  }
  expect(holdOfWithdrawal(facts, null)).toBeNull()
  expect(holdsOfNew(facts)).toHaveLength(3)
  expect(holdsOfNew(none)).toEqual([])
})

test('every kind of hold is tested here', () => {
  const seen = [...ofNew.map(([, hold]) => hold), ...ofAsked.map(([, , hold]) => hold)] as { kind: string }[]
  expect(new Set(seen.map(({ kind }) => kind))).toEqual(new Set(holdKinds))
})
