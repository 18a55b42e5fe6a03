import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter, Route, Routes } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { queryClient } from '../../kit/web/query.ts'
import { session } from '../../kit/web/session.ts'
import { stubNetwork } from '../../testing/network.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import { StatementPage } from './StatementPage.tsx'

provideCalls(endpointTable)

const at = '2026-11-20T10:00:00.000Z'
const statement = {
  number: 'STM-202611-1',
  month: '2026-11',
  person: { name: 'Tess', email: 'tess@example.com' },
  writtenAt: at,
  until: at,
  timeZone: 'UTC',
  balance: null,
  payments: null,
  onTheWayBackCents: 0,
}
const line = {
  id: 'l1',
  type: 'CREDIT',
  status: 'COMPLETED',
  description: 'Earning',
  createdAt: at,
  amountCents: 100,
  movedCents: 100,
  balanceCents: 100,
  campaign: null,
  failureReason: null,
  number: null,
}

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener: () => {}, removeEventListener: () => {} }))
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe() {}
      disconnect() {}
    },
  )
  session.signIn({
    accessToken: 'access',
    refreshToken: 'refresh',
    user: { id: 't1', email: 'tess@example.com', name: 'Tess', role: 'TESTER' },
  })
})
afterEach(() => {
  cleanup()
  session.clear()
  queryClient.clear()
  vi.unstubAllGlobals()
})

const shown = (link: string | null) => {
  stubNetwork().answer = ({ path }) =>
    path.includes('lines') ? Response.json([line], { headers: link ? { link } : {} }) : Response.json(statement)
  render(
    <MemoryRouter initialEntries={['/2026-11']}>
      <Routes>
        <Route path=":id" element={<StatementPage />} />
      </Routes>
    </MemoryRouter>,
    { wrapper: Queries },
  )
}
const note = 'Showing the first 1. The PDF of this statement contains all of them.'

test('a printed part of the lines says that it is only a part', async () => {
  shown('<https://fieldtest.test/lines?cursor=l1>; rel="next"')
  expect((await screen.findByText(note)).className).toContain('hidden')
  expect(screen.getByRole('button', { name: 'Load more' }).closest('.print\\:hidden')).not.toBeNull()
})

test('a complete list does not say so', async () => {
  shown(null)
  await screen.findByRole('table')
  expect(screen.queryByText(note)).toBeNull()
})
