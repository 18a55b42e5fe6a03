import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { queryClient } from '../../kit/web/query.ts'
import { stubNetwork } from '../../testing/network.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import { PublishForm } from './PublishForm.tsx'
import { saveDraft } from './draft.ts'

provideCalls(endpointTable)

const open = { id: '00000000-0000-4000-8000-000000000001', number: 1, title: 'Slow', alias: 'Tester 1' }
const decided = '00000000-0000-4000-8000-000000000002'

let network: ReturnType<typeof stubNetwork>
/** The HTTP status with which the bugs are answered. */
let status: number

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  status = 200
  network = stubNetwork()
  network.answer = ({ method, path }) => {
    if (method === 'POST') return Response.json({ message: 'Not now.' }, { status: 409 })
    if (path.includes('feedback')) return Response.json({ questions: [] })
    return Response.json(path.includes('status=OPEN') ? [open] : [], { status })
  }
})
afterEach(() => {
  localStorage.clear()
  queryClient.clear()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const shown = () => render(<PublishForm campaignId="c1" onClose={() => {}} />, { wrapper: Queries })

test('a draft is published without a bug that was decided meanwhile', async () => {
  saveDraft('c1', { version: '1.3', changes: [{ text: 'Faster', bugIds: [open.id, decided] }] })
  shown()
  expect((await screen.findByRole<HTMLInputElement>('checkbox')).checked).toBe(true)
  fireEvent.click(screen.getByRole('button', { name: 'Publish the changes' }))
  await screen.findByText('Not now.')
  expect(network.sent.find(({ method }) => method === 'POST')?.body).toMatchObject({
    version: '1.3',
    changes: [{ text: 'Faster', bugIds: [open.id] }],
  })
})

test('the form does not claim that there are no bugs when they failed to load', async () => {
  status = 403
  shown()
  const again = await screen.findByRole('button', { name: 'Try Again' })
  expect(screen.getByText('Failed to load bugs.')).toBeTruthy()
  expect(screen.queryByText('There are no open bugs to address.')).toBeNull()
  status = 200
  fireEvent.click(again)
  await screen.findByRole('checkbox')
})

test('the form takes the focus', async () => {
  shown()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Version')))
})
