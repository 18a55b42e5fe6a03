import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { queryClient } from '../../kit/web/query.ts'
import { stubNetwork } from '../../testing/network.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import { Bell } from './Bell.tsx'

provideCalls(endpointTable)

afterEach(() => {
  queryClient.clear()
  vi.unstubAllGlobals()
})

test('Mark all as read leaves the focus in the panel', async () => {
  const unread = {
    id: 'n1',
    subject: 'News',
    text: 'Good',
    about: null,
    readAt: null,
    createdAt: '2026-11-20T10:00:00.000Z',
  }
  stubNetwork().answer = ({ method }) => (method === 'GET' ? Response.json([unread]) : new Promise(() => {}))
  render(
    <MemoryRouter>
      <Bell />
    </MemoryRouter>,
    { wrapper: Queries },
  )
  await screen.findByRole('button', { name: 'Notifications, 1 unread' })
  // jsdom opens no popovers.
  const panel = screen.getByRole('dialog', { hidden: true })
  panel.style.display = 'block'
  fireEvent(panel, Object.assign(new Event('toggle'), { newState: 'open' }))
  const button = await screen.findByRole('button', { name: 'Mark all as read', hidden: true })
  button.focus()
  fireEvent.click(button)
  await waitFor(() => expect(button.isConnected).toBe(false))
  expect(document.activeElement?.textContent).toBe('See all notifications')
})
