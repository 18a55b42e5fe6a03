import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { queryClient } from '../../kit/web/query.ts'
import { notify } from '../../kit/web/ui/toast.tsx'
import { stubNetwork } from '../../testing/network.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import { FraudActions } from './FraudActions.tsx'
import { noFilters } from './fraudFilters.ts'

provideCalls(endpointTable)

let network: ReturnType<typeof stubNetwork>
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  network = stubNetwork()
})
afterEach(() => {
  queryClient.clear()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const scanOf = (id: string, found: number | null) => ({ id, state: found === null ? 'RUNNING' : 'DONE', found })
const figures = { total: 0, samples: 0, runningScan: null, lastScan: scanOf('before', 7) }

test('after a trigger, the page waits for the end of its own scan and reports no failure', async () => {
  const [failed, told] = [vi.spyOn(notify, 'error').mockReturnValue(), vi.spyOn(notify, 'success').mockReturnValue()]
  const answers = [
    () => Response.json(figures),
    // First one server does not answer, then another still runs the scan, then one has seen its end.
    () => Response.json({ message: 'Not now.' }, { status: 418 }),
    () => Response.json({ ...figures, runningScan: scanOf('own', null) }),
    () => Response.json({ ...figures, lastScan: scanOf('own', 2) }),
  ]
  network.answer = ({ method }) =>
    method === 'POST' ? Response.json(scanOf('own', null)) : (answers.length > 1 ? answers.shift() : answers[0])!()
  render(
    <MemoryRouter>
      <FraudActions filters={noFilters} exportable />
    </MemoryRouter>,
    { wrapper: Queries },
  )
  await waitFor(() => expect(answers).toHaveLength(3))
  fireEvent.click(screen.getByRole('button', { name: 'Trigger Scan' }))
  await waitFor(() => expect(told.mock.calls).toEqual([['Scan finished: 2 new reports']]), { timeout: 10_000 })
  expect(failed).not.toHaveBeenCalled()
}, 20_000)

test('a scan that could not be triggered is reported in the words of the specification', async () => {
  const failed = vi.spyOn(notify, 'error').mockReturnValue()
  network.answer = ({ method }) =>
    method === 'POST' ? Response.json({ message: 'No.' }, { status: 418 }) : Response.json(figures)
  render(
    <MemoryRouter>
      <FraudActions filters={noFilters} exportable />
    </MemoryRouter>,
    { wrapper: Queries },
  )
  fireEvent.click(screen.getByRole('button', { name: 'Trigger Scan' }))
  await waitFor(() => expect(failed.mock.calls).toEqual([['Failed to trigger fraud scan']]))
})
