import { expect, test } from 'vitest'
import { doorIsClosed, hasNotBegun, isAsked, mayRefuse, type NdaSituation, templateOf } from './rules.ts'

const situation = (ndaVersion: number | null, ndaJoined: number | null, ndaAccepted: number | null): NdaSituation => ({
  ndaVersion,
  ndaJoined,
  ndaAccepted,
  ndaAcceptedAt: null,
  ndaLiftedAt: null,
})

test.each([
  // now, on joining, accepted → the door is closed, nothing has begun, the tester is asked, the tester may refuse
  ['without an NDA', [null, null, null], [false, false, false, false]],
  ['joined under it, not accepted', [1, 1, null], [true, true, true, false]],
  ['joined under it, changed before it was accepted', [2, 1, null], [true, true, true, false]],
  ['accepted', [1, 1, 1], [false, false, false, false]],
  ['accepted, then changed', [2, 1, 1], [false, false, true, true]],
  ['inside when the first one came', [1, null, null], [true, false, true, true]],
  ['inside when the first one came, accepted', [1, null, 1], [false, false, false, false]],
  ['accepted one that is no longer asked for', [null, 1, 1], [false, false, false, false]],
] as const)('%s', (_, [now, joined, accepted], expected) => {
  const at = situation(now, joined, accepted)
  expect([doorIsClosed(at), hasNotBegun(at), isAsked(at), mayRefuse(at)]).toEqual(expected)
})

test('the template is filled with both names, and leaves no placeholder', () => {
  const text = templateOf({ developer: 'Ada Lovelace', app: 'Pocket Garden' })
  expect(text).toContain('Between Ada Lovelace')
  expect(text.match(/Pocket Garden/g)!.length).toBeGreaterThan(1)
  expect(text).not.toMatch(/undefined|\$\{|\[|___/)
})
