import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { RouterProvider, createMemoryRouter } from 'react-router'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { queryClient } from '../../kit/web/query.ts'
import { preloadDialog } from '../../kit/web/ui/Dialog.tsx'
import { stubNetwork } from '../../testing/network.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import { SystemSettingsPage } from './SystemSettingsPage.tsx'
import { settingsQuery } from './calls.ts'
import { settingDefaults } from './settingWords.ts'

provideCalls(endpointTable)

const load = (change: Partial<typeof settingDefaults>) =>
  act(async () => {
    queryClient.setQueryData(settingsQuery.queryKey, { ...settingDefaults, ...change, limitChange: null })
    await new Promise(resolve => setTimeout(resolve))
  })
const field = (label: RegExp) => screen.getByLabelText<HTMLInputElement>(label)
const press = (name: string) => fireEvent.click(screen.getAllByRole('button', { name }).at(-1)!)

beforeAll(async () => {
  preloadDialog()
  await Promise.all([import('./SettingsForm.tsx'), import('../../kit/web/ui/DialogWindow.tsx')])
})
beforeEach(() => vi.spyOn(console, 'error').mockImplementation(() => {}))
afterEach(() => {
  queryClient.clear()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('what another admin saves takes neither what is typed nor the open question, and is not undone', async () => {
  const network = stubNetwork()
  network.answer = () => Response.json({ ...settingDefaults, reviewHours: 50, dropHours: 90, limitChange: null })
  await load({})
  const router = createMemoryRouter([{ path: '/', element: <SystemSettingsPage /> }])
  render(<RouterProvider router={router} />, { wrapper: Queries })
  const typed = await screen.findByLabelText<HTMLInputElement>(/Review window/, {}, { timeout: 5000 })
  fireEvent.change(typed, { target: { value: '50' } })
  await load({ atRiskHours: 30 })
  expect([typed.isConnected, typed.value, field(/At risk after/).value]).toEqual([true, '50', '30'])
  press('Save changes')
  await screen.findByRole('dialog')
  await load({ dropHours: 90 })
  expect(screen.getByRole('dialog').isConnected).toBe(true)
  press('Save changes')
  await waitFor(() => expect(network.sent.length).toBeGreaterThan(0))
  expect(network.sent[0]).toMatchObject({ body: { reviewHours: 50 } })
  expect(Object.keys(network.sent[0]!.body as object)).toEqual(['reviewHours'])
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect([typed.value, field(/Dropped after/).value]).toEqual(['50', '90'])
  expect(screen.getByRole('button', { name: 'Save changes' }).ariaDisabled).toBe('true')
}, 20_000)

test('hours of before there was a lower bound are named until they are raised', async () => {
  const tooShort = () => [...document.body.textContent.matchAll(/(\d+) hours is too short/g)].map(([, hours]) => hours)
  await load({ atRiskHours: 12, dropHours: 24 })
  const router = createMemoryRouter([{ path: '/', element: <SystemSettingsPage /> }])
  render(<RouterProvider router={router} />, { wrapper: Queries })
  await screen.findByLabelText<HTMLInputElement>(/Review window/, {}, { timeout: 5000 })
  expect(tooShort()).toEqual(['12', '24'])
  await load({ atRiskHours: 25, dropHours: 50 })
  expect(tooShort()).toEqual([])
}, 20_000)
