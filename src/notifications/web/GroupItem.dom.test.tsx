import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import type { NotificationGroup } from '../contract.ts'
import { GroupItem } from './GroupItem.tsx'

test('links with the same subject in the cards of two campaigns have different names', () => {
  const group = (title: string) =>
    ({
      campaign: { id: title, title },
      subject: `Approved: ${title}`,
      about: { kind: 'CAMPAIGN', id: title },
      count: 1,
      unread: 0,
      createdAt: '2026-11-26T08:00:00.000Z',
      newest: [{ text: 'You can start it.' }],
    }) as unknown as NotificationGroup
  render(
    <ul>
      <GroupItem of={group('Moss')} onRead={() => {}} onReadOne={() => {}} />
      <GroupItem of={group('Fern')} onRead={() => {}} onReadOne={() => {}} />
    </ul>,
    { wrapper: MemoryRouter },
  )
  expect(screen.getAllByRole('link').map(link => link.textContent)).toEqual(['Approved: Moss', 'Approved: Fern'])
})
