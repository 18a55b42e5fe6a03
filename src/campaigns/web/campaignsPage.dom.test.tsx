/** What the list of campaigns announces. */
import { render, screen } from '@testing-library/react'
import { RouterProvider, createMemoryRouter } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { queryClient } from '../../kit/web/query.ts'
import { stubLocalStorage } from '../../testing/localStorage.ts'
import { stubNetwork } from '../../testing/network.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import { signedInAs } from '../../testing/web/signedIn.ts'
import { CampaignsPage } from './CampaignsPage.tsx'

provideCalls(endpointTable)
stubLocalStorage()
signedInAs('TESTER')
afterEach(() => {
  queryClient.clear()
  vi.unstubAllGlobals()
})

test('a search that finds nothing is announced', async () => {
  stubNetwork().answer = () => Response.json([])
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener: () => {}, removeEventListener: () => {} }))
  const element = <CampaignsPage join={() => null} fit={() => null} record={() => null} />
  const router = createMemoryRouter([{ path: '*', element }], { initialEntries: ['/?search=nothing'] })
  render(<RouterProvider router={router} />, { wrapper: Queries })
  const said = await screen.findByText('No campaigns found')
  expect(said.closest('[role=status]')).not.toBeNull()
})
