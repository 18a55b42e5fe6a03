import { expect, test } from 'vitest'
import type { EmailKind } from './emails.ts'
import { lineOf, matters, workKinds } from './topics.ts'

const kinds = Object.keys(matters) as EmailKind[]

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

test('whatever can come in a digest has a line for several, with their number, except for what is told apart', () => {
  const inDigests = kinds.filter(kind => matters[kind].topic !== null)
  const apart = inDigests.filter(kind => lineOf(kind, 2) === null)
  expect(apart).toEqual(['BENCH_ENDED', 'ADMIN_MESSAGE'])
  for (const kind of inDigests.filter(one => !apart.includes(one))) {
    expect(lineOf(kind, 99)).toMatch(/\b99\b(?!\+)/)
    expect(lineOf(kind, 100)).toContain('99+')
  }
})

test('a suspended user is not emailed what asks for work or is part of it, but all that was decided, paid and ended', () => {
  expect(workKinds).toEqual([
    'PROOF_TO_REVIEW',
    'TESTER_AT_RISK_OWNER',
    'PROOF_LATE_OWNER',
    'OPT_IN_LATE_OWNER',
    'NDA_LATE_OWNER',
    'TESTERS_WAIT_FOR_LIST',
    'TESTER_NOT_LET_IN_OWNER',
    'BUG_REPORTED',
    'BUG_RETESTED',
    'CHECK_IN_DUE',
    'TESTER_AT_RISK',
    'NUDGE',
    'PROOF_LATE',
    'OPT_IN_LATE',
    'NDA_LATE',
    'CHANGES_REQUESTED',
    'SEAT_OFFERED',
    'SEAT_TAKEN_BACK',
    'SEAT_PASSED',
    'LINK_CHANGED',
    'NDA_ASKED',
    'TESTER_LISTED',
    'WAITING_MAY_LEAVE',
    'OPT_IN_CONTESTED',
    'RETEST_ASKED',
    'FEEDBACK_RETEST_ASKED',
    'FEEDBACK_RETESTED',
    'BUG_COMMENTED',
    'BUG_CHANGED',
  ])
})
