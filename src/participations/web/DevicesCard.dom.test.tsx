import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { queryClient } from '../../kit/web/query.ts'
import { session } from '../../kit/web/session.ts'
import { stubNetwork } from '../../testing/network.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import { DevicesCard } from './DevicesCard.tsx'

provideCalls(endpointTable)
afterEach(() => {
  cleanup()
  session.clear()
  queryClient.clear()
  vi.unstubAllGlobals()
})

test('a place on a bench is not counted as a test that was joined', async () => {
  const on = (model: string, status: string) => ({
    status,
    joinedAt: '2026-11-21T08:00:00.000Z',
    deviceInfo: { platform: 'android', osVersion: '15', model, manufacturer: null },
  })
  stubNetwork().answer = () =>
    Response.json([on('Pixel 8', 'WAITLISTED'), on('Pixel 8', 'ACTIVE'), on('Pixel 9', 'WAITLISTED')])
  session.signIn({
    accessToken: 'access',
    refreshToken: 'refresh',
    user: { id: 't1', email: 'tess@example.test', name: 'Tess', role: 'TESTER' },
  })
  render(<DevicesCard />, { wrapper: Queries })
  const devices = await screen.findAllByRole('listitem')
  expect(devices.map(({ textContent }) => textContent)).toEqual([expect.stringMatching(/Pixel 8.*1 test, last joined/)])
})
