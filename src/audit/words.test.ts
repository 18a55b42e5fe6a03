import { expect, test } from 'vitest'
import { type AuditAction, auditActions } from './actions.ts'
import { actionLabel, actionWords, factsOf, sentenceOf } from './words.ts'

const by = { id: '0199e3a5-0000-7000-8000-000000000001', name: 'Ann' }

test('an entry reads as a sentence with a separate subject', () => {
  expect(sentenceOf({ action: 'campaign.approve', admin: by, subject: 'Notes', facts: {} })).toEqual({
    did: 'approved the campaign',
    subject: 'Notes',
  })
  expect(sentenceOf({ action: 'fraud.scan', admin: by, subject: null, facts: {} })).toEqual({
    did: 'started a fraud scan',
    subject: null,
  })
  expect(sentenceOf({ action: 'user.ban', admin: by, subject: null, facts: {} }).subject).toBe('[deleted]')
})

test('deleting an admin account is worded differently for its owner and for the server', () => {
  const entry = { action: 'admin.delete', subject: null, facts: { name: 'Cat Cooper' } } as const
  expect(sentenceOf({ ...entry, admin: by }).did).toBe('deleted their own admin account')
  expect(sentenceOf({ ...entry, admin: null }).did).toBe('deleted an admin account')
})

test('an action that only a newer server knows is shown by its key', () => {
  expect(sentenceOf({ action: 'something.new' as AuditAction, admin: by, subject: 'Notes', facts: {} })).toEqual({
    did: 'something.new',
    subject: null,
  })
})

test('every action has a different label', () => {
  expect(new Set(auditActions.map(actionLabel)).size).toBe(auditActions.length)
  expect(actionWords('user.ban')).toBe('suspended')
  expect(actionWords('something.new')).toBe('something.new')
})

test('facts are shown with labels, and unknown ones are spelled out', () => {
  expect(factsOf({ action: 'settings.change', facts: { reason: 'Spam', removedSamples: 3 } })).toEqual([
    { label: 'Reason', value: 'Spam' },
    { label: 'Removed samples', value: '3' },
  ])
  expect(
    factsOf({
      action: 'settings.change',
      facts: { feeBasisPoints: '1500 → 1250', minimumWithdrawalCents: '1000 → 2500' },
    }),
  ).toEqual([
    { label: 'Platform fee', value: '15% → 12.5%' },
    { label: 'Minimum withdrawal', value: '$10.00 → $25.00' },
  ])
  expect(
    factsOf({ action: 'settings.change', facts: { goodwillPerDeveloperCents: '20000 → 5000', someOtherCents: 150 } }),
  ).toEqual([
    { label: 'Goodwill pay per developer', value: '$200.00 → $50.00' },
    { label: 'Some other', value: '$1.50' },
  ])
  expect(factsOf({ action: 'settings.change', facts: { form: 'play', weakPasswords: 'warn → refuse' } })).toEqual([
    { label: 'Export', value: 'The list for Play Console' },
    { label: 'Weak passwords', value: 'Warn only → Refuse for everyone' },
  ])
})

test('the text is called a resolution for a resolved report, and a reason for a dismissed one', () => {
  const labels = (['fraud.resolve', 'fraud.dismiss'] as const).map(
    action => factsOf({ action, facts: { reason: 'Suspended both.' } })[0]!.label,
  )
  expect(labels).toEqual(['Resolution', 'Reason'])
})

test('asking for a scan while one is running is not worded as starting one', () => {
  const entry = { action: 'fraud.scan', admin: by, subject: null, facts: { running: true } } as const
  expect([sentenceOf(entry).did, factsOf(entry)]).toEqual(['asked for a fraud scan while one was running', []])
})
