/** Which admin may do what with a payout that waits for two admins, and what the screen tells them. */
import { describe, expect, test } from 'vitest'
import { actionsOn, type ApprovalState, assertMayDecide, blockedSentence } from './approvals.ts'
import type { PayoutAction } from './terms.ts'

const fresh: ApprovalState = {
  outcome: null,
  releasedBy: null,
  releaserName: null,
  deciderName: null,
  formerReleaser: null,
}
const released: ApprovalState = { ...fresh, releasedBy: 'ann', releaserName: 'Ann' }
const ended: ApprovalState = { ...fresh, outcome: 'REFUSED', deciderName: 'Bob' }

test.each<[ApprovalState, string, PayoutAction[]]>([
  [fresh, 'ann', ['release', 'refuse']],
  [released, 'ann', ['refuse']],
  [released, 'bob', ['confirm', 'refuse']],
  [{ ...fresh, formerReleaser: 'Ann' }, 'bob', ['release', 'refuse']],
  [ended, 'ann', []],
])('of %j, %s may %j', (payout, admin, actions) => {
  expect(actionsOn(payout, admin)).toEqual(actions)
})

test.each<[PayoutAction, ApprovalState, string, string]>([
  ['release', released, 'ann', 'You have released this payout. Another admin'],
  ['release', released, 'bob', 'Ann has released this payout. You can confirm it.'],
  ['confirm', released, 'ann', 'You have released this payout yourself.'],
  ['confirm', fresh, 'bob', 'Nobody has released this payout yet.'],
  ['confirm', { ...fresh, formerReleaser: 'Ann' }, 'bob', 'Ann, who released this payout, is no longer an admin.'],
  ['refuse', ended, 'ann', 'This payout was already refused by Bob.'],
  [
    'refuse',
    { ...ended, outcome: 'LAPSED', deciderName: null },
    'ann',
    'This payout no longer needs approval: it was paid, or went back to the tester’s balance.',
  ],
])('to %s %j, %s is told: %s', (action, payout, admin, sentence) => {
  expect(() => assertMayDecide(action, payout, admin)).toThrow(
    expect.objectContaining({ code: 'WRONG_STATE', message: expect.stringContaining(sentence) as string }),
  )
})

describe('the note beside the actions', () => {
  const two = { testerSuspended: false, admins: 2 }
  const former = { ...fresh, formerReleaser: 'Ann' }
  test.each<[ApprovalState, typeof two, string | null]>([
    [fresh, two, null],
    [fresh, { ...two, admins: 1 }, 'You are the only active admin'],
    [ended, { ...two, admins: 1 }, null],
    [former, two, 'Ann, who released it, is no longer an admin'],
    [{ ...former, releasedBy: 'bob' }, two, null],
    [fresh, { ...two, testerSuspended: true }, 'The tester is suspended'],
    [ended, { ...two, testerSuspended: true }, null],
  ])('of %j with %j: %s', (payout, facts, sentence) => {
    const told = blockedSentence(payout, facts)
    if (sentence === null) expect(told).toBeNull()
    else expect(told).toContain(sentence)
  })
})
