import { expect, test } from 'vitest'
import { lineOf } from './topics.ts'

test.each([
  ['NDA_ASKED', '2 requests to accept the NDA'],
  ['LINK_CHANGED', '2 changed links'],
  ['TESTER_OPTED_OUT_OWNER', '2 opt-outs'],
  ['OPT_IN_LATE_OWNER', '2 late opt-ins'],
])('several of %s are counted as what happened, also when they are of one tester or of several tests', (kind, line) => {
  expect([lineOf(kind, 1), lineOf(kind, 2)]).toEqual([null, line])
})

test('warnings about a seat are told together in words that hold once the proof is due as well', () => {
  expect(lineOf('TESTER_AT_RISK', 2)).toBe('You may lose your seat, 2 warnings')
})
