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
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const unread = {
  id: 'n1',
  subject: 'News',
  text: 'Good',
  about: null,
  readAt: null,
  unreadCount: 1,
  createdAt: '2026-11-20T10:00:00.000Z',
}

const showBell = () =>
  render(
    <MemoryRouter>
      <Bell />
    </MemoryRouter>,
    { wrapper: Queries },
  )

test.each([
  [0, 'Notifications'],
  [3, 'Notifications, 3 unread'],
  [99, 'Notifications, 99 unread'],
  [100, 'Notifications, 99+ unread'],
])('with %i unread ones, all of them older than what it has loaded, it says “%s”', async (unreadCount, name) => {
  const read = { ...unread, readAt: unread.createdAt, unreadCount }
  stubNetwork().answer = () => Response.json([read])
  showBell()
  // It is there once the list has loaded.
  await screen.findByRole('status')
  expect(screen.getByRole('button', { name }).getAttribute('aria-label')).toBe(name)
})

/** jsdom opens no popovers. */
const openPanel = () => {
  const panel = screen.getByRole('dialog', { hidden: true })
  panel.style.display = 'block'
  fireEvent(panel, Object.assign(new Event('toggle'), { newState: 'open' }))
  return panel
}

test('the panel says that there are none only once it knows', async () => {
  let answer: (response: Response) => void = () => {}
  stubNetwork().answer = () => new Promise(resolve => (answer = resolve))
  showBell()
  const panel = openPanel()
  expect(panel.textContent).toContain('Loading')
  expect(panel.textContent).not.toContain('No notifications yet.')
  answer(Response.json([]))
  await screen.findByText('No notifications yet.')
})

test('a failure says so in the panel, and can be tried again', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const network = stubNetwork()
  network.answer = () => Response.json({ message: 'Not now.' }, { status: 409 })
  showBell()
  const panel = openPanel()
  await screen.findByText('Failed to load notifications')
  expect(panel.textContent).not.toContain('No notifications yet.')
  network.answer = () => Response.json([unread])
  fireEvent.click(screen.getByRole('button', { name: 'Try Again' }))
  expect((await screen.findByText('News', { selector: 'ul *' })).isConnected).toBe(true)
})

test('Mark all as read leaves the focus in the panel', async () => {
  stubNetwork().answer = ({ method }) => (method === 'GET' ? Response.json([unread]) : new Promise(() => {}))
  showBell()
  await screen.findByRole('button', { name: 'Notifications, 1 unread' })
  openPanel()
  const button = await screen.findByRole('button', { name: 'Mark all as read', hidden: true })
  button.focus()
  fireEvent.click(button)
  await waitFor(() => expect(button.isConnected).toBe(false))
  expect(document.activeElement?.textContent).toBe('See all notifications')
})
