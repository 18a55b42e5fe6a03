import { describe, expect, test } from 'vitest'
import type { TesterList } from '../contract.ts'
import { confirmLabelOf, mayConfirm, placeOf, tellHintOf } from './words.ts'

test('only a Google Group is called one, and the steps of a list are about Play Console', () => {
  expect(placeOf('GOOGLE_GROUP').where).toBe('your Google Group')
  expect(placeOf('EMAIL_LIST').where).toBe('the list in Play Console')
})

test('owners with a list in Play Console are warned that an upload replaces it, and those with a group are not', () => {
  expect(placeOf('EMAIL_LIST').warning).toContain('would remove everyone else')
  expect(placeOf('GOOGLE_GROUP').warning).toBeNull()
})

describe('the confirmation is about the last export, not about what has changed since', () => {
  const nobody: TesterList['additions'] = []
  const somebody = [{ id: 't1', alias: 'Tester 1', erased: false, listed: false, notLetIn: null }]
  const keptOut = [{ ...somebody[0]!, id: 't2', notLetIn: 'NOT_A_TESTER' as const }]
  const at = '2026-11-20T10:00:00.000Z'
  const list = {
    accessMode: 'EMAIL_LIST' as const,
    exportedAt: at,
    confirmedAt: null,
    additions: nobody,
    removals: nobody,
    added: 0,
    removed: 0,
    toTell: 0,
    unnamed: { aliases: [], cost: null },
    leftOut: { aliases: [], cost: null },
  }

  test('so it needs an export that changes something', () => {
    expect(mayConfirm({ ...list, added: 1 })).toBe(true)
    expect(mayConfirm({ ...list, removed: 1 })).toBe(true)
    expect(mayConfirm({ ...list, additions: somebody })).toBe(false)
    expect(mayConfirm({ ...list, added: 1, confirmedAt: at })).toBe(false)
    expect(mayConfirm({ ...list, additions: somebody, exportedAt: null })).toBe(false)
  })

  test.each([
    [
      'of one that only removes, though somebody has joined since',
      { removed: 1, additions: somebody },
      'updated',
      'remove',
    ],
    [
      'of one that adds, though all that is left is to remove',
      { added: 1, toTell: 1, removals: somebody },
      'added',
      'We will tell',
    ],
    ['of one whose testers have all left', { added: 1, removals: somebody }, 'added', 'no one is notified'],
    ['before an export, of removals', { exportedAt: null, removals: somebody }, 'updated', 'Available once'],
    [
      'of those whom Google Play keeps out, who are there already',
      { added: 1, toTell: 1, additions: keptOut },
      'updated',
      'Once they can get in',
    ],
    [
      'of such and others',
      { added: 2, toTell: 2, additions: [...keptOut, ...somebody] },
      'added',
      'We will tell each new',
    ],
    ['before an export, of additions', { exportedAt: null, additions: somebody }, 'added', 'Available once'],
  ])('%s', (_what, facts, label, hint) => {
    expect(confirmLabelOf({ ...list, ...facts })).toContain(label)
    expect(tellHintOf({ ...list, ...facts })).toContain(hint)
  })

  test('and if that leaves out testers who should stay, it says that it may be wrong, and what to do then', () => {
    const whole = { ...list, added: 1, removed: 1, toTell: 1, leftOut: { aliases: ['Tester 3'], cost: null } }
    expect(confirmLabelOf(whole)).toBe('I have updated the list')
    expect(tellHintOf({ ...whole, additions: somebody })).toContain('Otherwise, export the changes and confirm those.')
    expect(tellHintOf(whole)).toContain('Otherwise, leave it.')
    expect(tellHintOf({ ...whole, accessMode: 'GOOGLE_GROUP' })).toContain('exactly the members in that file')
  })

  test('and of a group that only loses members, names the group', () => {
    const removed = { ...list, removed: 1 }
    expect(confirmLabelOf(removed)).toBe('I have updated the list')
    expect(confirmLabelOf({ ...removed, accessMode: 'GOOGLE_GROUP' })).toBe('I have updated the group')
  })
})
