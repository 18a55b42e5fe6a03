import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import type { User } from '../../accounts/contract.ts'
import { meQuery } from '../../accounts/web/face.tsx'
import type { Campaign } from '../../campaigns/contract.ts'
import { paths } from '../../kit/paths.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { queryClient } from '../../kit/web/query.ts'
import { DialogPlace } from '../../kit/web/ui/DialogPlace.tsx'
import { stubNetwork } from '../../testing/network.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import { JoinCampaignButton } from './JoinCampaignButton.tsx'

provideCalls(endpointTable)

const campaign = {
  id: 'c1',
  title: 'Tiny App',
  status: 'LIVE',
  participation: null,
  actions: ['join'],
  platform: 'android',
  filters: {},
  developer: { id: 'd1', name: 'Dana' },
  payPerTesterCents: 1000,
  durationDays: 14,
  accessMode: 'OPEN_LINK',
  ndaVersion: null,
} as unknown as Campaign

const listOf = (listed: boolean) => (
  <MemoryRouter>
    <DialogPlace>{listed ? <JoinCampaignButton campaign={campaign} /> : 'None'}</DialogPlace>
  </MemoryRouter>
)

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const network = stubNetwork()
  network.answer = ({ path }) =>
    path.endsWith('/join-form')
      ? Response.json({ playEmail: null, consent: null, device: null })
      : Response.json({ message: 'Not now.' }, { status: 404 })
})
afterEach(() => {
  queryClient.clear()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('the dialog stays with what was typed when the campaign leaves the list', async () => {
  const { rerender } = render(listOf(true), { wrapper: Queries })
  fireEvent.click(screen.getByRole('button', { name: 'Join Campaign' }))
  const model = await screen.findByLabelText<HTMLInputElement>('Model', {}, { timeout: 20_000 })
  fireEvent.change(model, { target: { value: 'Pixel 8' } })
  await act(async () => rerender(listOf(false)))
  expect([screen.getByText('None').isConnected, model.isConnected, model.value]).toEqual([true, true, 'Pixel 8'])
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Discard' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
}, 30_000)

test.each([
  { taken: 3, words: 'No open seats' },
  // As while the payment is disputed.
  { taken: 1, words: 'Not accepting testers' },
])('where nobody can join, it says why: with $taken of 3 seats taken, “$words”', ({ taken, words }) => {
  const seats = {
    testersRequired: 3,
    closedSeats: 0,
    offeredSeats: 0,
    _count: { campaignTesters: taken, joined: taken, verified: 0 },
  }
  render(<JoinCampaignButton campaign={{ ...campaign, ...seats, actions: [] }} />, { wrapper: Queries })
  expect(screen.getByRole<HTMLButtonElement>('button', { name: words }).disabled).toBe(true)
})

test('who has set no country is told why the button is disabled, and led to the settings', async () => {
  queryClient.setQueryData(meQuery.queryKey, { country: null } as unknown as User)
  const asked = { ...campaign, filters: { countries: ['Germany'], minAndroidVersion: null, minIOSVersion: null } }
  render(
    <MemoryRouter>
      <DialogPlace>
        <JoinCampaignButton campaign={asked} />
      </DialogPlace>
    </MemoryRouter>,
    { wrapper: Queries },
  )
  const settings = await screen.findByRole('link', { name: 'Open Settings' })
  const join = screen.getByRole<HTMLButtonElement>('button', { name: 'Join Campaign' })
  const note = document.getElementById(join.getAttribute('aria-describedby') ?? '')
  expect([join.disabled, note?.contains(settings), settings.getAttribute('href')]).toEqual([true, true, paths.settings])
})
