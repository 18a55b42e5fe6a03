import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { queryClient } from '../../kit/web/query.ts'
import { notify } from '../../kit/web/ui/toast.tsx'
import { stubNetwork } from '../../testing/network.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import { withDialogs } from '../../testing/web/dialogs.ts'
import type { Campaign } from '../contract.ts'
import { EditForm } from './EditForm.tsx'

withDialogs()
provideCalls(endpointTable)

let network: ReturnType<typeof stubNetwork>
beforeEach(() => {
  network = stubNetwork()
})
afterEach(() => {
  queryClient.clear()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const draft = {
  id: 'c1',
  title: 'Notes',
  description: 'Write three notes a day.',
  distributionLink: 'https://example.com/app',
  pendingLink: null,
  pendingGroupLink: null,
  pendingLinkSince: null,
  groupLink: null,
  status: 'DRAFT',
  platform: 'android',
  testersRequired: 3,
  payPerTesterCents: 1000,
  durationDays: 14,
  dailyCheckIn: true,
  accessMode: 'OPEN_LINK',
  features: [],
  filters: { countries: [], minAndroidVersion: null, minIOSVersion: null },
  feeBasisPoints: 1500,
  fundedCents: 0,
  feeCents: 0,
  outstandingCents: 3450,
  rejectionReason: null,
  dispute: null,
}
const paid = { fundedCents: 3000, feeCents: 450, outstandingCents: 0 }
const payment = { status: 'PENDING', amountCents: 3450, checkoutUrl: null }

const shown = (campaign: object) => {
  const router = createMemoryRouter([{ path: '*', element: <EditForm campaign={campaign as Campaign} /> }])
  render(<RouterProvider router={router} />, { wrapper: Queries })
}
const fill = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const edits = () => network.sent.filter(({ method }) => method === 'PATCH').map(({ body }) => body)

test('an edit that sends the payment on its way back is saved only once that is confirmed', async () => {
  shown({ ...draft, payment })
  expect(screen.getByText('Your payment of $34.50 is on its way. Saving sends it back.')).toBeTruthy()
  fill('Description', 'Write four notes a day.')
  press('Save changes')
  const dialog = within(await screen.findByRole('dialog'))
  expect(edits()).toEqual([])
  fireEvent.click(dialog.getByRole('button', { name: 'Save and send it back' }))
  await waitFor(() => expect(edits()).toEqual([{ description: 'Write four notes a day.' }]))
})

test('nor does it ask anything when only surrounding spaces differ, which are not saved', async () => {
  const info = vi.spyOn(notify, 'info')
  shown({ ...draft, payment })
  fill('Description', 'Write three notes a day. ')
  press('Save changes')
  await waitFor(() => expect(info).toHaveBeenCalledWith('Nothing has changed'))
  expect([edits(), screen.queryByRole('dialog')]).toEqual([[], null])
})

test('while it runs only a new title does, and another text is saved at once', async () => {
  shown({ ...draft, ...paid, status: 'LIVE', payment })
  fill('Description', 'Write four notes a day.')
  press('Save changes')
  await waitFor(() => expect(edits()).toEqual([{ description: 'Write four notes a day.' }]))
})

test('a rejected campaign is made a draft again without a change', async () => {
  shown({ ...draft, ...paid, status: 'REJECTED', rejectionReason: 'The link is dead.' })
  press('Save as draft')
  await waitFor(() => expect(edits()).toEqual([{ title: 'Notes' }]))
})
