import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import type { AuditEntry } from '../contract.ts'
import { AuditEntryRow } from './AuditEntryRow.tsx'

const id = '0199e3a5-0000-7000-8000-000000000001'
const entry: AuditEntry = {
  id,
  at: '2026-11-21T10:00:00.000Z',
  admin: { id, name: 'Ann' },
  action: 'campaign.approve',
  subjectType: 'campaign',
  subjectId: id,
  subject: 'Notes',
  cleared: false,
  campaignId: id,
  facts: {},
}
const show = (of: AuditEntry) => render(<AuditEntryRow entry={of} />, { wrapper: MemoryRouter })

test('an entry links to its subject', () => {
  show(entry)
  expect(screen.getByRole('link').textContent).toBe('Notes')
})

test('an entry with an action and a subject that only a newer server knows is shown without a link', () => {
  const newer = {
    action: 'something.new' as AuditEntry['action'],
    subjectType: 'something' as AuditEntry['subjectType'],
    subject: null,
    campaignId: null,
  }
  show({ ...entry, ...newer, facts: { reason: 'Because' } })
  const { textContent } = screen.getByRole('listitem')
  expect(textContent).toContain('Ann something.new')
  expect(textContent).toContain('Reason: Because')
  expect(screen.queryAllByRole('link')).toEqual([])
})
