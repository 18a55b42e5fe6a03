import { expect, test } from 'vitest'
import type { BugEvent } from '../contract.ts'
import { bugEventKinds, bugSeverities } from '../terms.ts'
import { eventWords, whoIn } from './eventWords.ts'

const event = (facts: Partial<BugEvent>): BugEvent => ({
  id: 1,
  at: '2026-11-21T10:00:00.000Z',
  kind: 'REPORTED',
  by: 'TESTER',
  alias: null,
  own: false,
  text: null,
  duplicateOf: null,
  version: null,
  severity: null,
  attachments: [],
  ...facts,
})

test.each<[string, Partial<BugEvent>]>([
  ['You', { own: true, alias: 'Tester 4' }],
  ['You', { own: true, by: 'DEVELOPER' }],
  ['Tester 4', { alias: 'Tester 4' }],
  ['Another tester', { alias: null }],
  ['The developer', { by: 'DEVELOPER' }],
  ['Fieldtest', { by: 'ADMIN' }],
])('%s did it', (who, facts) => {
  expect(whoIn(event(facts))).toBe(who)
})

test('the sentence of an event continues after the name, and a comment has none', () => {
  const facts = { duplicateOf: 3, version: '1.2', severity: 'HIGH' } as const
  expect(Object.fromEntries(bugEventKinds.map(kind => [kind, eventWords(event({ kind, ...facts }))]))).toEqual({
    REPORTED: 'reported it',
    COMMENTED: '',
    CONFIRMED: 'confirmed it',
    MARKED_DUPLICATE: 'marked it as a duplicate of #3',
    FIXED: 'fixed it in version 1.2',
    WONT_FIX: 'closed it as won’t fix',
    REOPENED: 'reopened it',
    SEVERITY_CHANGED: 'set the severity to high',
    RETEST_WORKS: 'tested version 1.2: works now',
    RETEST_BROKEN: 'tested version 1.2: still broken',
  })
})

test('a new severity is named in the sentence, and left out if unknown', () => {
  expect([...bugSeverities, null].map(severity => eventWords(event({ kind: 'SEVERITY_CHANGED', severity })))).toEqual([
    'set the severity to critical',
    'set the severity to high',
    'set the severity to medium',
    'set the severity to low',
    'changed the severity',
  ])
})
