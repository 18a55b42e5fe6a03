import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { queryClient } from '../../kit/web/query.ts'
import { notify } from '../../kit/web/ui/toast.tsx'
import { stubNetwork } from '../../testing/network.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import { withDialogs } from '../../testing/web/dialogs.ts'
import { LastScan } from './LastScan.tsx'

withDialogs()
provideCalls(endpointTable)

afterEach(() => {
  queryClient.clear()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test.each([
  [1, 1, '1 sample deleted, 1 report archived'],
  [0, 1200, '0 samples deleted, 1,200 reports archived'],
])('after clearing, the page says how many were removed: %i and %i', async (samplesRemoved, archived, words) => {
  const said = vi.spyOn(notify, 'success').mockReturnValue()
  stubNetwork().answer = ({ method }) =>
    Response.json(
      method === 'GET' ? { total: 2, samples: 1, runningScan: null, lastScan: null } : { samplesRemoved, archived },
    )
  render(<LastScan />, { wrapper: Queries })
  fireEvent.click(await screen.findByRole('button', { name: 'Clear reports' }))
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.click(dialog.getByRole('button', { name: 'Clear reports' }))
  await waitFor(() => expect(said.mock.calls).toEqual([[words]]))
})
