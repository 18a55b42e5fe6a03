import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import { campaignKeys } from '../../campaigns/web/keys.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { queryClient } from '../../kit/web/query.ts'
import { stubNetwork } from '../../testing/network.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import { withDialogs } from '../../testing/web/dialogs.ts'
import { JoinDialog } from './JoinDialog.tsx'

withDialogs()
provideCalls(endpointTable)

const campaign = {
  id: 'c1',
  title: 'Moss',
  platform: 'android',
  accessMode: 'OPEN_LINK',
  payPerTesterCents: 1000,
  durationDays: 14,
  filters: { countries: [], minAndroidVersion: null, minIOSVersion: null },
  developer: { id: 'd1', name: 'Dana' },
  feedbackQuestions: 0,
  ndaVersion: null,
  actions: ['join'],
} as unknown as Campaign

let network: ReturnType<typeof stubNetwork>
let reply: (response: Response) => void
const joins = () => network.sent.filter(({ method }) => method === 'POST').map(({ body }) => body)

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  network = stubNetwork()
  network.answer = ({ path }) => {
    if (path.includes('join-form')) {
      return Response.json({ playEmail: null, consent: null, device: { platform: 'android', model: 'Pixel 9' } })
    }
    const { promise, resolve } = Promise.withResolvers<Response>()
    if (path.endsWith('/join')) reply = resolve
    return promise
  }
})
afterEach(() => {
  queryClient.clear()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const closedWords = 'This campaign is no longer accepting testers. It was paused or has ended.'
const missing = () => Response.json({ code: 'NOT_FOUND', message: 'Campaign not found.' }, { status: 404 })

/** The list behind the dialog. */
const list = campaignKeys.available({})
const isOutOfDate = () => queryClient.getQueryState(list)?.isInvalidated

const view = (now: Campaign) => (
  <MemoryRouter>
    <JoinDialog campaign={now} onClose={() => {}} />
  </MemoryRouter>
)

test('when the last seat goes, the button says that it leads to the bench, and the refusal is of the past', async () => {
  const { rerender } = render(view(campaign), { wrapper: Queries })
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.click(await dialog.findByRole('button', { name: 'Join Campaign' }))
  await waitFor(() => expect(joins()).toHaveLength(1))
  await act(async () => reply(Response.json({ message: 'The last seat was just taken.' }, { status: 409 })))
  await dialog.findByText('The last seat was just taken.')
  rerender(view({ ...campaign, actions: ['enterBench'] }))
  expect(dialog.queryByText('The last seat was just taken.')).toBeNull()
  expect(dialog.queryByRole('button', { name: 'Join Campaign' })).toBeNull()
  fireEvent.click(dialog.getByRole('button', { name: 'Wait for a seat' }))
  await waitFor(() => expect(joins()).toMatchObject([{}, { waitlist: true }]))
  expect(joins()[0]).not.toHaveProperty('waitlist')
})

test('the focus begins at the heading, above the terms, and stays there when the form has loaded', async () => {
  render(view(campaign), { wrapper: Queries })
  const dialog = within(await screen.findByRole('dialog'))
  const heading = dialog.getByRole('heading', { name: 'Join “Moss”' })
  expect(document.activeElement).toBe(heading)
  await dialog.findByLabelText('Model')
  expect(document.activeElement).toBe(heading)
})

test('of a campaign that was paused while the form was open, the dialog says so and the list is loaded again', async () => {
  queryClient.setQueryData(list, [])
  render(view(campaign), { wrapper: Queries })
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.click(await dialog.findByRole('button', { name: 'Join Campaign' }))
  await waitFor(() => expect(joins()).toHaveLength(1))
  network.answer = missing
  await act(async () => reply(missing()))
  await dialog.findByText(closedWords)
  expect([dialog.queryByRole('button', { name: 'Try Again' }), isOutOfDate()]).toEqual([null, true])
})

test('of one that was paused before the dialog opened, it does so at once, and asks the server no further', async () => {
  queryClient.setQueryData(list, [])
  network.answer = missing
  const onClose = vi.fn<() => void>()
  render(
    <MemoryRouter>
      <JoinDialog campaign={{ ...campaign, id: 'c2' }} onClose={onClose} />
    </MemoryRouter>,
    { wrapper: Queries },
  )
  const dialog = within(await screen.findByRole('dialog'))
  await dialog.findByText(closedWords)
  await waitFor(() => expect(isOutOfDate()).toBe(true))
  expect(network.sent.filter(({ path }) => path.endsWith('/c2/join-form'))).toHaveLength(1)
  expect(dialog.queryByRole('button', { name: 'Try Again' })).toBeNull()
  fireEvent.click(dialog.getAllByRole('button', { name: 'Close' })[0]!)
  expect(onClose).toHaveBeenCalledOnce()
})
