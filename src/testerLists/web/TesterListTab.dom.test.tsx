/** The owner can confirm only the export that they have at hand. */
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { queryClient } from '../../kit/web/query.ts'
import { stubNetwork } from '../../testing/network.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import { TesterListTab } from './TesterListTab.tsx'

provideCalls(endpointTable)

afterEach(() => {
  cleanup()
  queryClient.clear()
  vi.unstubAllGlobals()
})

const first = {
  accessMode: 'EMAIL_LIST',
  state: 'CHANGED',
  exportedAt: '2026-11-20T10:00:00.000Z',
  confirmedAt: null,
  additions: [{ id: 't1', alias: 'Tester 1', erased: false, listed: false, notLetIn: null }],
  removals: [],
  testers: 1,
  ndaAwaited: 0,
  added: 1,
  removed: 0,
  toTell: 1,
  unnamed: { aliases: [] as string[], cost: null as string | null },
  leftOut: { aliases: [] as string[], cost: null as string | null },
  appliedAt: null,
  mayApply: false,
  erasedAt: null,
}

test('an export whose file never arrived cannot be confirmed until one arrives', async () => {
  let list = first
  let arrives = false
  const network = stubNetwork()
  network.answer = ({ path }) => {
    if (!path.includes('/export')) return Response.json(list)
    // The export is made whether or not its answer arrives.
    list = {
      ...first,
      state: 'EXPORTED',
      exportedAt: arrives ? '2026-11-22T10:00:00.000Z' : '2026-11-21T10:00:00.000Z',
    }
    if (!arrives) throw new TypeError('Failed to fetch')
    return new Response('email,change\nann@gmail.com,ADD\n')
  }
  render(<TesterListTab campaign={{ id: 'c1', dropHours: 72 } as Campaign} />, { wrapper: Queries })
  const confirm = () => screen.getByRole<HTMLButtonElement>('button', { name: 'I have added them' })
  await waitFor(() => expect(confirm().disabled).toBe(false))
  fireEvent.click(screen.getByRole('button', { name: 'Show and copy' }))
  await screen.findByText('The last export did not reach you')
  expect(confirm().disabled).toBe(true)
  arrives = true
  // A button that was just pressed ignores a second press, so the test retries.
  await waitFor(() => {
    fireEvent.click(screen.getByRole('button', { name: 'Show and copy' }))
    screen.getByText('ann@gmail.com')
  })
  await waitFor(() => expect(confirm().disabled).toBe(false))
  expect(screen.queryByText('The last export did not reach you')).toBeNull()
})

test('until the list knows an export, nothing is confirmed, since that would be the export before it', async () => {
  const loading = Promise.withResolvers<void>()
  let exported = false
  stubNetwork().answer = async ({ path }) => {
    if (path.includes('/export')) {
      exported = true
      return new Response('email,change\nann@gmail.com,ADD\n')
    }
    if (!exported) return Response.json(first)
    await loading.promise
    return Response.json({ ...first, state: 'EXPORTED', exportedAt: '2026-11-21T10:00:00.000Z' })
  }
  render(<TesterListTab campaign={{ id: 'c1', dropHours: 72 } as Campaign} />, { wrapper: Queries })
  const confirm = () => screen.getByRole<HTMLButtonElement>('button', { name: 'I have added them' })
  await waitFor(() => expect(confirm().disabled).toBe(false))
  fireEvent.click(screen.getByRole('button', { name: 'Show and copy' }))
  await screen.findByText('ann@gmail.com')
  expect(confirm().disabled).toBe(true)
  loading.resolve()
  await screen.findByText('Exported, not confirmed yet')
  await waitFor(() => expect(confirm().disabled).toBe(false))
})

test.each([
  [
    'EMAIL_LIST',
    'Keep Tester 1 on your list',
    'as long as they stay on the list in Play Console.*An upload replaces it: the whole list would remove Tester 1',
  ],
  ['GOOGLE_GROUP', 'Keep Tester 1 in your Google Group', 'as long as they stay in your Google Group.*remove nobody'],
] as const)('a deleted account that counts is not listed for removal: %s', async (accessMode, title, why) => {
  const unnamed = { aliases: ['Tester 1'], cost: 'the date moves from Dec 3 to Dec 9' }
  const list = { ...first, accessMode, state: 'NOTHING_TO_DO', additions: [], added: 0, unnamed }
  stubNetwork().answer = () => Response.json(list)
  render(<TesterListTab campaign={{ id: 'c1', dropHours: 72 } as Campaign} />, { wrapper: Queries })
  await screen.findByText(title)
  screen.getByText(new RegExp(`^Tester 1 deleted their account.* ${why}.*If you remove Tester 1 today, the date moves`))
  expect(screen.queryByText('To remove')).toBeNull()
})

test('an export of the whole list that only leaves out testers who should stay need not be confirmed', async () => {
  const some = { aliases: ['Tester 1'], cost: null }
  const removes = { additions: [], added: 0, removed: 1, unnamed: some, leftOut: some }
  stubNetwork().answer = () => Response.json({ ...first, ...removes, state: 'NOTHING_TO_DO' })
  render(<TesterListTab campaign={{ id: 'c1', dropHours: 72 } as Campaign} />, { wrapper: Queries })
  await screen.findByText('Up to date')
  screen.getByText(
    /the whole list, without Tester 1. Confirm it only if this file has replaced the list in Play Console/,
  )
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'I have updated the list' }).disabled).toBe(false)
})
