import { fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { queryClient } from '../../kit/web/query.ts'
import { stubNetwork } from '../../testing/network.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import type { TesterList } from '../contract.ts'
import { Exports } from './Exports.tsx'

provideCalls(endpointTable)

afterEach(() => {
  queryClient.clear()
  vi.unstubAllGlobals()
})

const list = {
  accessMode: 'EMAIL_LIST',
  state: 'TO_EXPORT',
  exportedAt: '2026-11-20T10:00:00.000Z',
  additions: [{ id: 't1' }],
  removals: [],
  testers: 1,
  unnamed: { aliases: [], cost: null },
} as unknown as TesterList

const view = (loaded: TesterList) => (
  <Exports campaignId="c1" list={loaded} missed={false} onFailed={() => {}} onArrived={() => {}}>
    {() => null}
  </Exports>
)

test.each(['TO_EXPORT', 'NOTHING_TO_DO', 'CHANGED'] as const)(
  'addresses are shown until their export is confirmed or out of date: %s',
  async state => {
    stubNetwork().answer = () => new Response('email,change\nann@gmail.com,ADD\n')
    const { rerender } = render(view(list), { wrapper: Queries })
    const isShown = () => screen.queryByText('ann@gmail.com') !== null
    fireEvent.click(screen.getByRole('button', { name: 'Show and copy' }))
    await screen.findByText('ann@gmail.com')
    const exported = { ...list, state: 'EXPORTED', exportedAt: '2026-11-21T10:00:00.000Z' } as const
    rerender(view(exported))
    expect(isShown()).toBe(true)
    rerender(view({ ...exported, state }))
    expect(isShown()).toBe(false)
    // The next export contains addresses of its own.
    rerender(view({ ...exported, exportedAt: '2026-11-22T10:00:00.000Z' }))
    expect(isShown()).toBe(false)
  },
)

test('the warning about uploading the changes is shown while there are any', () => {
  stubNetwork()
  const isWarned = () => screen.queryByText('Upload the whole list, never the changes') !== null
  const { rerender } = render(view(list), { wrapper: Queries })
  expect(isWarned()).toBe(true)
  rerender(view({ ...list, state: 'NOTHING_TO_DO', additions: [] }))
  expect(isWarned()).toBe(false)
})

test('while the whole list would remove a tester who should stay, the changes come first, and the tab says so', () => {
  stubNetwork()
  const cost = 'the date moves from Dec 3 to Dec 9'
  const { rerender } = render(view(list), { wrapper: Queries })
  const stepsAre = () => screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)
  const whole = 'The whole list, for Play Console'
  expect(stepsAre()).toEqual([whole, 'Only what changed'])
  screen.getByText('Upload the whole list, never the changes')
  rerender(view({ ...list, testers: 2, unnamed: { aliases: ['Tester 4'], cost } }))
  expect(stepsAre()).toEqual(['Only what changed', whole])
  screen.getByText(/It does not contain Tester 4: uploading it takes them off the list, and the date moves from Dec 3/)
  expect(screen.queryByText('Upload the whole list, never the changes')).toBeNull()
})
