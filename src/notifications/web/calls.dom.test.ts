import { useQuery } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import type { Page } from '../../kit/endpoint.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { queryClient } from '../../kit/web/query.ts'
import { stubNetwork } from '../../testing/network.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import type { Notification, NotificationChoice, NotificationGroup } from '../contract.ts'
import { choicesQuery, groupsQuery, notificationsQuery, useChoose, useMarkRead } from './calls.ts'

provideCalls(endpointTable)

const now = '2026-11-21T10:00:00.000Z'
const before = '2026-11-20T10:00:00.000Z'

const notice = (id: string, readAt: string | null = null): Notification => ({
  id,
  subject: `About ${id}`,
  text: `What happened to ${id}`,
  about: null,
  createdAt: before,
  readAt,
})
const group = (id: string, unread: number, ...newest: Notification[]): NotificationGroup => ({
  id,
  campaign: null,
  topic: null,
  kind: null,
  subject: `All about ${id}`,
  count: 9,
  unread,
  about: null,
  createdAt: before,
  timeZone: 'UTC',
  newest,
})
const pages = <T>(...lists: T[][]) => ({
  pages: lists.map((items, place): Page<T> => ({ items, nextCursor: `after ${place}` })),
  pageParams: lists.map((_, place) => (place === 0 ? undefined : `after ${place - 1}`)),
})

const everything = groupsQuery({ show: null, kind: null, campaign: '' }).queryKey
const unreadOnly = groupsQuery({ show: 'unread', kind: null, campaign: '' }).queryKey
const keys = [notificationsQuery.queryKey, everything, unreadOnly, choicesQuery.queryKey]
const bell = () => queryClient.getQueryData(notificationsQuery.queryKey)
const center = (key: typeof everything) => queryClient.getQueryData(key)
const outOfDate = () => keys.map(key => queryClient.getQueryState(key)?.isInvalidated)

const choices: NotificationChoice[] = [{ topic: 'PROOFS', delivery: 'DAILY' }]
const others: NotificationChoice[] = [{ topic: 'PROOFS', delivery: 'NEVER' }]

let network: ReturnType<typeof stubNetwork>
let reply: (response: Response) => void

const asHook = <T>(useIt: () => T) => renderHook(useIt, { wrapper: Queries }).result
const settled = (hook: { current: { isPending: boolean; isIdle: boolean } }) =>
  waitFor(() => expect([hook.current.isPending, hook.current.isIdle]).toEqual([false, false]))

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) })
  vi.spyOn(console, 'error').mockImplementation(() => {})
  network = stubNetwork()
  network.answer = () => {
    const { promise, resolve } = Promise.withResolvers<Response>()
    reply = resolve
    return promise
  }
  queryClient.clear()
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('what is marked as read', () => {
  const mark = async (toRead: { ids?: string[]; group?: string }) => {
    const hook = asHook(useMarkRead)
    act(() => hook.current.mutate(toRead))
    await waitFor(() => expect(network.sent).toHaveLength(1))
    return hook
  }

  beforeEach(() => {
    queryClient.setQueryData(
      notificationsQuery.queryKey,
      pages([notice('n1'), notice('n2')], [notice('n3', before), notice('n4')]),
    )
    const groups = [group('n1', 7, notice('n1'), notice('n2'), notice('n3', before)), group('n4', 1, notice('n4'))]
    queryClient.setQueryData(everything, pages(groups))
    queryClient.setQueryData(unreadOnly, pages([], [group('n4', 0, notice('n4'))]))
    queryClient.setQueryData(choicesQuery.queryKey, { choices })
  })

  test('shows as read before the server has answered, and all else stays as it is', async () => {
    await mark({ ids: ['n1', 'n3', 'n4'] })
    expect(network.sent[0]).toMatchObject({
      method: 'POST',
      path: '/users/me/notifications/read',
      body: { ids: ['n1', 'n3', 'n4'] },
    })
    expect(bell()).toEqual(pages([notice('n1', now), notice('n2')], [notice('n3', before), notice('n4', now)]))
    expect(center(everything)).toEqual(
      pages([group('n1', 6, notice('n1', now), notice('n2'), notice('n3', before)), group('n4', 0, notice('n4', now))]),
    )
    // The count of another page may be older than what it lists.
    expect(center(unreadOnly)).toEqual(pages([], [group('n4', 0, notice('n4', now))]))
    expect(queryClient.getQueryData(choicesQuery.queryKey)).toEqual({ choices })
  })

  test('is taken off the count at once, as far as it was unread; all of them leave nothing', async () => {
    const counted = (unreadCount: number, ...items: Notification[]) =>
      pages(items.map((item, place) => (place === 0 ? { ...item, unreadCount } : item)))
    queryClient.setQueryData(notificationsQuery.queryKey, counted(34, notice('n1', before), notice('n2'), notice('n3')))
    const hook = await mark({ ids: ['n1', 'n2', 'beyond the list'] })
    expect(bell()).toEqual(counted(33, notice('n1', before), notice('n2', now), notice('n3')))
    await act(async () => reply(Response.json({ marked: 2 })))
    await settled(hook)
    // More than are counted may be left of so many.
    act(
      () =>
        void queryClient.setQueryData(notificationsQuery.queryKey, counted(100, notice('n1', before), notice('n2'))),
    )
    act(() => hook.current.mutate({ ids: ['n2'] }))
    await waitFor(() => expect(bell()).toEqual(counted(100, notice('n1', before), notice('n2', now))))
    act(
      () =>
        void queryClient.setQueryData(
          notificationsQuery.queryKey,
          counted(33, notice('n1', before), notice('n2', now), notice('n3')),
        ),
    )
    act(() => hook.current.mutate({}))
    await waitFor(() => expect(bell()).toEqual(counted(0, notice('n1', before), notice('n2', now), notice('n3', now))))
  })

  test('may be all of them', async () => {
    await mark({})
    expect(network.sent[0]!.body).toEqual({})
    expect(bell()).toEqual(pages([notice('n1', now), notice('n2', now)], [notice('n3', before), notice('n4', now)]))
    expect(center(everything)).toEqual(
      pages([
        group('n1', 0, notice('n1', now), notice('n2', now), notice('n3', before)),
        group('n4', 0, notice('n4', now)),
      ]),
    )
  })

  test('may be a group, and then no other', async () => {
    const list = bell()
    await mark({ group: 'n1' })
    expect(network.sent[0]!.body).toEqual({ group: 'n1' })
    expect(center(everything)).toEqual(
      pages([group('n1', 0, notice('n1', now), notice('n2', now), notice('n3', before)), group('n4', 1, notice('n4'))]),
    )
    // What of it lies beyond the newest is not known here.
    expect(bell()).toEqual(list)
  })

  test.each([
    ['has', 200],
    ['has not', 409],
  ])('is loaded again once the server %s taken it', async (_, status) => {
    const hook = await mark({ ids: ['n1'] })
    expect(outOfDate()).toEqual([false, false, false, false])
    await act(async () => reply(Response.json({ marked: 1 }, { status })))
    await settled(hook)
    expect([hook.current.isSuccess, outOfDate()]).toEqual([status === 200, [true, true, true, true]])
  })

  test('is sent also where nothing is loaded yet', async () => {
    queryClient.clear()
    await mark({})
    expect([bell(), center(everything)]).toEqual([undefined, undefined])
  })
})

describe('how one wants to be told', () => {
  const bodies = () => network.sent.map(({ method, path, body }) => [`${method} ${path}`, body])
  const call = 'PUT /users/me/notification-choices'

  test('shows at once, and one change is sent after the other', async () => {
    const hook = asHook(useChoose)
    act(() => hook.current.mutate(choices))
    act(() => hook.current.mutate(others))
    await waitFor(() => expect(network.sent).not.toEqual([]))
    expect(queryClient.getQueryData(choicesQuery.queryKey)).toEqual({ choices: others })
    expect(bodies()).toEqual([[call, { choices }]])
    await act(async () => reply(Response.json({ choices })))
    await waitFor(() => expect(network.sent).toHaveLength(2))
    expect(bodies()[1]).toEqual([call, { choices: others }])
    await act(async () => reply(Response.json({ choices: others })))
    await settled(hook)
  })

  test('is not undone by an answer from before a change, and is loaded again after the last one', async () => {
    queryClient.setQueryData(choicesQuery.queryKey, { choices: [] })
    const hook = asHook(() => ({ ...useChoose(), shown: useQuery(choicesQuery).data?.choices }))
    const asked = async (times: number) => {
      await waitFor(() => expect(network.sent).toHaveLength(times))
      return reply
    }
    const answer = (to: typeof reply, of: NotificationChoice[]) => act(async () => to(Response.json({ choices: of })))
    act(() => hook.current.mutate(choices))
    await answer(await asked(1), choices)
    const early = await asked(2)
    act(() => hook.current.mutate(others))
    const last = await asked(3)
    act(() => hook.current.mutate(choices))
    await answer(early, choices)
    await waitFor(() => expect(queryClient.isFetching()).toBe(0))
    await act(async () => void queryClient.invalidateQueries({ queryKey: choicesQuery.queryKey }))
    const between = await asked(4)
    await answer(between, others)
    await waitFor(() => expect(queryClient.isFetching()).toBe(0))
    expect(hook.current.shown).toEqual(choices)
    await answer(last, others)
    await answer(await asked(5), choices)
    // What the server says at the end counts.
    await answer(await asked(6), others)
    await waitFor(() => expect(hook.current.shown).toEqual(others))
    expect(network.sent.map(({ method }) => method)).toEqual(['PUT', 'GET', 'PUT', 'GET', 'PUT', 'GET'])
  })

  test('is loaded again after a refusal, and nothing else is', async () => {
    queryClient.setQueryData(notificationsQuery.queryKey, pages([notice('n1')]))
    const hook = asHook(useChoose)
    act(() => hook.current.mutate(choices))
    await waitFor(() => expect(network.sent).toHaveLength(1))
    expect(outOfDate()).toEqual([false, undefined, undefined, false])
    await act(async () => reply(Response.json({ message: 'No.' }, { status: 400 })))
    await settled(hook)
    expect([hook.current.error?.message, outOfDate()]).toEqual(['No.', [false, undefined, undefined, true]])
  })
})
