import { renderHook, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import { auditKeys } from '../../audit/web/keys.ts'
import { campaignKeys } from '../../campaigns/web/keys.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { queryClient } from '../../kit/web/query.ts'
import { ledgerKeys } from '../../ledger/web/keys.ts'
import { participationKeys } from '../../participations/web/keys.ts'
import { stubNetwork } from '../../testing/network.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import { refreshList, useTesterList } from './calls.ts'
import { testerListKeys } from './keys.ts'

provideCalls(endpointTable)

afterEach(() => {
  queryClient.clear()
  vi.unstubAllGlobals()
})

test('a campaign’s list is requested and cached by its id', async () => {
  const network = stubNetwork()
  network.answer = () => Response.json({ testers: [] })
  const { result } = renderHook(() => useTesterList('c1'), { wrapper: Queries })
  await waitFor(() => expect(result.current.data).toEqual({ testers: [] }))
  expect(network.sent).toMatchObject([{ method: 'GET', path: '/campaigns/c1/tester-list' }])
  expect(queryClient.getQueryData(testerListKeys.one('c1'))).toEqual({ testers: [] })
})

test('the request of a list that is no longer shown is aborted', async () => {
  const network = stubNetwork()
  network.answer = () => new Promise(() => {})
  const { unmount } = renderHook(() => useTesterList('c1'), { wrapper: Queries })
  await waitFor(() => expect(network.sent).toHaveLength(1))
  unmount()
  expect(network.sent[0]!.signal?.aborted).toBe(true)
})

test('after a change the list is loaded again with its tests, its campaign and the log', async () => {
  const reached = [testerListKeys.one('c1'), participationKeys.mine(null), campaignKeys.one('c1'), auditKeys.log({})]
  const keys = [...reached, ledgerKeys.balance]
  for (const key of keys) queryClient.setQueryData(key, {})
  await refreshList()
  expect(keys.filter(key => queryClient.getQueryState(key)?.isInvalidated)).toEqual(reached)
})
