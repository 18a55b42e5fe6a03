import { fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { queryClient } from '../../kit/web/query.ts'
import { stubNetwork } from '../../testing/network.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import type { CampaignTester } from '../contract.ts'
import { OpenLink } from './OpenLink.tsx'

provideCalls(endpointTable)

const test1 = { id: 't1', actions: ['optIn'], nextStep: 'OPT_IN', run: null } as unknown as CampaignTester

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  stubNetwork().answer = () => Response.json({ message: 'Not now.' }, { status: 409 })
})
afterEach(() => {
  queryClient.clear()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test.each(['Show the link and your account', 'I have opted in'])('a refusal is announced: %s', async button => {
  render(<OpenLink of={test1} primary />, { wrapper: Queries })
  fireEvent.click(await screen.findByRole('button', { name: button }))
  expect((await screen.findByRole('alert')).textContent).toBe('Not now.')
})
