import { renderHook, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import { campaignKeys } from '../../campaigns/web/keys.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { queryClient } from '../../kit/web/query.ts'
import { stubNetwork } from '../../testing/network.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import { refreshClock, useContinuity } from './calls.ts'
import { continuityKeys } from './keys.ts'

provideCalls(endpointTable)

afterEach(() => {
  queryClient.clear()
  vi.unstubAllGlobals()
})

test('a campaign’s clock is asked for by its id, and kept under it', async () => {
  const network = stubNetwork()
  network.answer = () => Response.json({ testers: [] })
  const { result } = renderHook(() => useContinuity('c1'), { wrapper: Queries })
  await waitFor(() => expect(result.current.data).toEqual({ testers: [] }))
  expect(network.sent).toMatchObject([{ method: 'GET', path: '/campaigns/c1/continuity' }])
  expect(queryClient.getQueryData(continuityKeys.ofCampaign('c1'))).toEqual({ testers: [] })
})

test('a clock that is no longer shown is not waited for', async () => {
  const network = stubNetwork()
  network.answer = () => new Promise(() => {})
  const { unmount } = renderHook(() => useContinuity('c1'), { wrapper: Queries })
  await waitFor(() => expect(network.sent).toHaveLength(1))
  unmount()
  expect(network.sent[0]!.signal?.aborted).toBe(true)
})

test('after a change every clock is loaded again, and nothing else', async () => {
  const keys = [continuityKeys.ofCampaign('c1'), continuityKeys.ofCampaign('c2'), campaignKeys.one('c1')]
  for (const key of keys) queryClient.setQueryData(key, {})
  await refreshClock()
  expect(keys.map(key => queryClient.getQueryState(key)?.isInvalidated)).toEqual([true, true, false])
})
