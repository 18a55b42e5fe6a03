/** Every admin can be chosen whose entries the log has: also one who is gone, and one who has another name by now. */
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { BrowserRouter } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import { AuditLogScreen } from '../../app/web/screens/AuditLogScreen.tsx'
import { provideCalls } from '../../kit/web/api.ts'
import { queryClient } from '../../kit/web/query.ts'
import { stubNetwork } from '../../testing/network.ts'
import { Queries } from '../../testing/web/Queries.tsx'

provideCalls(endpointTable)
afterEach(() => {
  cleanup()
  queryClient.clear()
  vi.unstubAllGlobals()
})

const [ann, cat] = ['0199e3a5-0000-7000-8000-00000000000a', '0199e3a5-0000-7000-8000-0000deadbeef']
const entry = (action: string, subjectId: string, facts: object) => ({
  id: subjectId,
  at: '2026-11-21T10:00:00.000Z',
  admin: { id: subjectId, name: 'An admin' },
  action,
  subjectType: 'user',
  subjectId,
  subject: null,
  cleared: false,
  campaignId: null,
  facts,
})
const entries = [
  entry('admin.delete', cat!, { name: 'Cat Carver' }),
  entry('admin.rename', ann!, { nameBefore: 'Ann Archer', nameAfter: 'Ann Baker' }),
]
const users = [{ id: ann, email: 'ann@example.test', name: 'Ann Baker' }]

test('the filter offers present admins with their names of before, and those who are gone', async () => {
  const network = stubNetwork()
  network.answer = ({ path }) => {
    const { pathname, searchParams } = new URL(path, 'https://fieldtest.test')
    const action = searchParams.get('action')
    const data = pathname === '/admin/users' ? users : entries.filter(each => action === null || each.action === action)
    return Response.json({ data, total: data.length, page: 1, totalPages: 1, exact: true })
  }
  render(
    <BrowserRouter>
      <AuditLogScreen />
    </BrowserRouter>,
    { wrapper: Queries },
  )
  const select = screen.getByLabelText<HTMLSelectElement>('Admin')
  await waitFor(() =>
    expect([...select.options].map(({ textContent }) => textContent)).toEqual([
      'Everyone',
      'Ann Baker (ann@example.test, before: Ann Archer)',
      'Cat Carver (deleted)',
    ]),
  )
  fireEvent.change(select, { target: { value: select.options[2]!.value } })
  await waitFor(() => expect(network.sent.some(({ path }) => path.includes('admin=Deleted+admin+deadbeef'))).toBe(true))
})
