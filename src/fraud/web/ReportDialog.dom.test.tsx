import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { queryClient } from '../../kit/web/query.ts'
import { stubNetwork } from '../../testing/network.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import { withDialogs } from '../../testing/web/dialogs.ts'
import { ReportDialog } from './ReportDialog.tsx'

withDialogs()
provideCalls(endpointTable)

afterEach(() => {
  queryClient.clear()
  vi.unstubAllGlobals()
})

const at = '2026-11-20T10:00:00.000Z'
const report = {
  id: 'r1',
  createdAt: at,
  status: 'OPEN',
  isSample: false,
  eventData: { severity: 'HIGH', reason: 'One device', details: 'Two accounts', evidence: [] },
  user: { id: 'u1', name: 'Ada', email: 'ada@example.test', createdAt: at, role: 'TESTER', status: 'ACTIVE' },
  history: [],
  others: [],
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const question = () => screen.queryByRole('dialog', { name: 'Discard what you entered?' })

const shown = (answer: object) => {
  stubNetwork().answer = () => Response.json(answer)
  const onClose = vi.fn<() => void>()
  const nothing = () => {}
  render(
    <MemoryRouter>
      <ReportDialog id="r1" known={undefined} onClose={onClose} onOther={nothing} onBan={nothing} />
    </MemoryRouter>,
    { wrapper: Queries },
  )
  return onClose
}

const open = async () => {
  const onClose = shown(report)
  fireEvent.click(await screen.findByRole('button', { name: 'Resolve' }))
  fireEvent.change(screen.getByLabelText('Resolution'), { target: { value: 'Asked both of them.' } })
  return onClose
}

test('closing the dialog discards what was written about a report only after confirmation', async () => {
  const onClose = await open()
  press('Close')
  expect([question() === null, onClose.mock.calls.length]).toEqual([false, 0])
  press('Keep editing')
  expect(screen.getByLabelText<HTMLTextAreaElement>('Resolution').value).toBe('Asked both of them.')
  press('Close')
  press('Discard')
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
})

test('so does going back to its evidence, after which there is nothing to discard', async () => {
  const onClose = await open()
  press('Cancel')
  press('Discard')
  await waitFor(() => expect([question(), screen.queryByLabelText('Resolution')]).toEqual([null, null]))
  press('Close')
  expect(onClose).toHaveBeenCalledOnce()
})

test('a report about a deleted account can be decided, and offers no ban and no link to a profile', async () => {
  const fact = { label: 'Seen', value: 'Tester', at, campaign: null, attachment: null }
  const user = { id: 'u1', name: 'Deleted user', email: 'deleted-u1@deleted.invalid', isDeleted: true }
  shown({
    ...report,
    user: { ...report.user, name: user.name, email: user.email, status: 'DELETED' },
    eventData: { ...report.eventData, evidence: [{ ...fact, user }] },
  })
  await screen.findByRole('button', { name: 'Dismiss' })
  expect(screen.getAllByText('Deleted user')).toHaveLength(2)
  expect([screen.queryByRole('link'), screen.queryByRole('button', { name: /Ban/ })]).toEqual([null, null])
})
