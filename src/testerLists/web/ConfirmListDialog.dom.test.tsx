import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { queryClient } from '../../kit/web/query.ts'
import { notify } from '../../kit/web/ui/toast.tsx'
import { stubNetwork } from '../../testing/network.ts'
import { withDialogs } from '../../testing/web/dialogs.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import type { TesterList } from '../contract.ts'
import { ConfirmListDialog } from './ConfirmListDialog.tsx'

withDialogs()
provideCalls(endpointTable)

afterEach(() => {
  queryClient.clear()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const list = {
  accessMode: 'EMAIL_LIST',
  state: 'CHANGED',
  exportedAt: '2026-11-20T10:00:00.000Z',
  confirmedAt: null,
  additions: [],
  removals: [],
  added: 0,
  removed: 0,
  toTell: 0,
  unnamed: { aliases: [], cost: null },
  leftOut: { aliases: [], cost: null },
}

test.each([
  [
    'somebody has joined since an export that only removes',
    { additions: [{ id: 't1' }], removed: 1 },
    { label: 'I have updated the list', tells: false, toast: 'List confirmed' },
  ],
  [
    'somebody has left since an export that adds others',
    { removals: [{ id: 't1' }], added: 2, toTell: 1 },
    { label: 'I have added them', tells: true, toast: 'Testers have been told the next step' },
  ],
])('testers are said to be told only when they are: %s', async (_what, facts, { label, tells, toast }) => {
  const said = vi.spyOn(notify, 'success').mockReturnValue()
  const network = stubNetwork()
  const loaded = { ...list, ...facts } as unknown as TesterList
  render(<ConfirmListDialog campaign={{ id: 'c1', dropHours: 72 } as Campaign} list={loaded} onClose={() => {}} />, {
    wrapper: Queries,
  })
  const dialog = await screen.findByRole('dialog')
  expect(dialog.textContent?.includes('We will tell new testers')).toBe(tells)
  fireEvent.click(within(dialog).getByRole('button', { name: label }))
  await waitFor(() => expect(said.mock.calls).toEqual([[toast]]))
  expect(network.sent[0]).toMatchObject({ method: 'POST', body: { exportedAt: list.exportedAt } })
})

test('an export of the whole list says whom it takes off, and what that costs', async () => {
  stubNetwork()
  const cost = 'the date moves from Dec 3 to Dec 9'
  const loaded = { ...list, removed: 1, leftOut: { aliases: ['Tester 1'], cost } } as unknown as TesterList
  render(<ConfirmListDialog campaign={{ id: 'c1', dropHours: 72 } as Campaign} list={loaded} onClose={() => {}} />, {
    wrapper: Queries,
  })
  const { textContent } = await screen.findByRole('dialog')
  expect(textContent).toContain(
    'That was the whole list, which does not contain Tester 1: they are recorded as removed and no longer count, and the date moves from Dec 3 to Dec 9. If the list in Play Console still has them, cancel.',
  )
})
