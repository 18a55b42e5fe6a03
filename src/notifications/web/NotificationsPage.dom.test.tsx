import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { queryClient } from '../../kit/web/query.ts'
import { session } from '../../kit/web/session.ts'
import { stubLocalStorage } from '../../testing/localStorage.ts'
import { stubNetwork } from '../../testing/network.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import { NotificationsPage } from './NotificationsPage.tsx'

provideCalls(endpointTable)

afterEach(() => {
  queryClient.clear()
  vi.unstubAllGlobals()
})

const at = '2026-11-20T10:00:00.000Z'
const user = { id: 'u1', name: 'Ada', email: 'ada@example.test', role: 'TESTER', emailVerifiedAt: at } as const

test.each([
  [3, 1],
  [0, 0],
])(
  'with %i unread ones, all older than what has loaded, it can mark them as read: %i button',
  async (unread, count) => {
    stubLocalStorage()
    session.signIn({ accessToken: 'access', refreshToken: 'refresh', user })
    const newest = {
      id: 'n1',
      subject: 'News',
      text: 'Good',
      about: null,
      readAt: at,
      unreadCount: unread,
      createdAt: at,
    }
    stubNetwork().answer = ({ path }) => Response.json(path.includes('groups') ? [] : [newest])
    render(
      <MemoryRouter>
        <NotificationsPage />
      </MemoryRouter>,
      { wrapper: Queries },
    )
    await screen.findByText('No notifications yet')
    await screen.findByText('Settings')
    expect(screen.queryAllByRole('button', { name: 'Mark all as read' })).toHaveLength(count)
  },
)
