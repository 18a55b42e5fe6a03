/** A press that is refused has met a test that has changed meanwhile: the screen around it is loaded again. */
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import type { ReactElement } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { queryClient } from '../../kit/web/query.ts'
import { stubNetwork } from '../../testing/network.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import type { CampaignTester } from '../contract.ts'
import { AppealForm } from './AppealForm.tsx'
import { CheckInForm } from './CheckInForm.tsx'
import { ProofForm } from './ProofForm.tsx'
import { OpenLink } from './OpenLink.tsx'
import { participationKeys } from './keys.ts'

provideCalls(endpointTable)

const test1 = {
  id: 't1',
  status: 'ACTIVE',
  timeZone: 'UTC',
  proof: null,
  run: null,
  nextStep: null,
  actions: [],
  campaign: { dailyCheckIn: true, features: [] },
} as unknown as CampaignTester

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  stubNetwork().answer = ({ method, path }) => {
    if (method === 'POST') return Response.json({ code: 'WRONG_STATE', message: 'Not any more.' }, { status: 409 })
    return Response.json(path.endsWith('/feedback') ? { form: null, answers: null } : {})
  }
  queryClient.setQueryData(participationKeys.own('t1'), test1)
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  localStorage.clear()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const presses: Record<string, { field?: string; part: ReactElement }> = {
  'Check in for today': { part: <CheckInForm of={test1} /> },
  'Submit proof': { field: 'Your proof', part: <ProofForm of={test1} /> },
  'Send appeal': { field: 'Your appeal', part: <AppealForm of={test1} onClose={() => {}} /> },
  'Show the link and your account': { part: <OpenLink of={test1} primary /> },
}

test.each(Object.entries(presses))(
  '%s',
  async (name, { field, part }) => {
    render(<MemoryRouter>{part}</MemoryRouter>, { wrapper: Queries })
    const button = await screen.findByRole('button', { name })
    if (field)
      fireEvent.change(screen.getByLabelText(field), { target: { value: 'I used it on every one of the days.' } })
    fireEvent.click(button)
    await waitFor(() => expect(queryClient.getQueryState(participationKeys.own('t1'))?.isInvalidated).toBe(true), {
      timeout: 20_000,
    })
    expect(screen.getByText('Not any more.').isConnected).toBe(true)
  },
  30_000,
)
