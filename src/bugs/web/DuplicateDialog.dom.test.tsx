import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { queryClient } from '../../kit/web/query.ts'
import { stubNetwork } from '../../testing/network.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import { withDialogs } from '../../testing/web/dialogs.ts'
import type { Bug } from '../contract.ts'
import { DuplicateDialog } from './DuplicateDialog.tsx'

withDialogs()
provideCalls(endpointTable)

const known = (number: number, title: string) => ({
  id: `00000000-0000-4000-8000-00000000000${number}`,
  number,
  title,
  status: 'OPEN',
})
const bug = { ...known(9, 'Crash'), alias: 'Tester 1', campaign: { id: 'c1' } } as unknown as Bug
let network: ReturnType<typeof stubNetwork>
const changes = () => network.sent.filter(({ method }) => method !== 'GET')

beforeEach(() => {
  network = stubNetwork()
  network.answer = ({ path }) =>
    Response.json([path.includes('search=') ? known(4, 'Slow start') : known(3, 'Crash too')])
})
afterEach(() => {
  queryClient.clear()
  vi.unstubAllGlobals()
})

test('only possible originals are requested, so that duplicates do not crowd them out', async () => {
  render(<DuplicateDialog bug={bug} onClose={() => {}} />, { wrapper: Queries })
  await screen.findByText('#3 Crash too')
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'Slow' } })
  await screen.findByText('#4 Slow start')
  for (const { path } of network.sent) expect(path).toContain(`originalsFor=${bug.id}`)
})

test('Enter in the search does not mark a duplicate', async () => {
  render(<DuplicateDialog bug={bug} onClose={() => {}} />, { wrapper: Queries })
  fireEvent.click(await screen.findByRole('radio'))
  expect(screen.getByRole<HTMLInputElement>('radio').checked).toBe(true)
  // A browser submits the form on Enter unless a handler prevents it.
  expect(fireEvent.keyDown(screen.getByRole('searchbox'), { key: 'Enter' })).toBe(false)
  expect(fireEvent.keyDown(screen.getByRole('searchbox'), { key: 'a' })).toBe(true)
})

test('a bug that the search no longer shows is no longer chosen', async () => {
  render(<DuplicateDialog bug={bug} onClose={() => {}} />, { wrapper: Queries })
  fireEvent.click(await screen.findByRole('radio'))
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'Slow' } })
  await screen.findByText('#4 Slow start')
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Mark as duplicate' })))
  await screen.findByText('Choose the bug that it is a duplicate of')
  expect(changes()).toEqual([])
  fireEvent.click(screen.getByRole('radio'))
  fireEvent.click(screen.getByRole('button', { name: 'Mark as duplicate' }))
  await waitFor(() =>
    expect(changes()).toMatchObject([{ body: { status: 'DUPLICATE', duplicateOf: known(4, '').id } }]),
  )
})

test('if there is no bug to choose, the dialog says what is missing', async () => {
  network.answer = () => Response.json([])
  render(<DuplicateDialog bug={bug} onClose={() => {}} />, { wrapper: Queries })
  await screen.findByText('No bug has a similar title. Search for it above.')
  fireEvent.click(screen.getByRole('button', { name: 'Mark as duplicate' }))
  await screen.findByText('Choose the bug that it is a duplicate of')
  expect(changes()).toEqual([])
})
