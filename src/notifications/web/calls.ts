import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
} from '@tanstack/react-query'
import { client } from '../../kit/web/api.ts'
import { clock } from '../../kit/clock.ts'
import type { Page } from '../../kit/endpoint.ts'
import { queryClient, invalidate } from '../../kit/web/query.ts'
import type { Notification, notificationApi, NotificationChoice, NotificationGroup } from '../contract.ts'
import { mostUnread } from '../unread.ts'
import type { CenterFilters } from './centerFilters.ts'
import { notificationKeys } from './keys.ts'

const api = client<typeof notificationApi>('notifications')

const pageSize = 20

/** The bell and the page share this cache, so that both show the same unread state. */
export const notificationsQuery = infiniteQueryOptions({
  queryKey: notificationKeys.list,
  queryFn: ({ pageParam, signal }) => api.list({ query: { limit: pageSize, cursor: pageParam }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (last: Page<Notification>) => last.nextCursor ?? undefined,
  // The query library pauses it while the tab is hidden.
  refetchInterval: 60_000,
})

/** The center's list: once per matter of a campaign. */
export const groupsQuery = ({ show, kind, campaign }: CenterFilters) =>
  infiniteQueryOptions({
    queryKey: notificationKeys.groupsOf(show, kind, campaign),
    queryFn: ({ pageParam, signal }) =>
      api.groups({
        query: {
          limit: pageSize,
          cursor: pageParam,
          ...(show && { unread: 'true' as const }),
          ...(kind && { topic: kind }),
          ...(campaign && { campaignId: campaign }),
        },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: Page<NotificationGroup>) => last.nextCursor ?? undefined,
    refetchInterval: 60_000,
    placeholderData: keepPreviousData,
  })

/** Nothing is all of them; a group is named by its newest. */
type ToRead = { ids?: string[]; group?: string }

const readIn = (item: Notification, ids: readonly string[] | undefined, readAt: string) =>
  item.readAt === null && (ids?.includes(item.id) ?? true) ? { ...item, readAt } : item

type Pages<T> = InfiniteData<Page<T>>
const mapped = <T>(cached: Pages<T> | undefined, change: (item: T) => T): Pages<T> | undefined =>
  cached && { ...cached, pages: cached.pages.map(page => ({ ...page, items: page.items.map(change) })) }

/** The list as it is once these are read; what is not in it, or not counted, the server takes off the count. */
const readInList = (cached: Pages<Notification>, ids: readonly string[] | undefined, readAt: string) => {
  const read = (item: Notification) => readIn(item, ids, readAt)
  const marked = cached.pages.flatMap(({ items }) => items).filter(item => read(item) !== item).length
  const left = (unread: number) => (unread < mostUnread ? Math.max(unread - marked, 0) : unread)
  const counted = (unread: number) => (ids === undefined ? 0 : left(unread))
  return mapped(cached, item =>
    item.unreadCount === undefined ? read(item) : { ...read(item), unreadCount: counted(item.unreadCount) },
  )
}

/** Marks the given notifications, a group, or all. Updates the cache optimistically. */
export const useMarkRead = () =>
  useMutation({
    mutationFn: (toRead: ToRead) => api.read({ body: toRead }),
    onMutate: ({ ids, group }) => {
      const readAt = clock.now()
      if (group === undefined)
        queryClient.setQueryData(
          notificationsQuery.queryKey,
          cached => cached && (readInList(cached, ids, readAt) as typeof cached),
        )
      queryClient.setQueriesData<Pages<NotificationGroup>>({ queryKey: notificationKeys.groups }, cached =>
        mapped(cached, item => {
          if (ids === undefined && group !== undefined && group !== item.id) return item
          const newest = item.newest.map(one => readIn(one, ids, readAt))
          const marked = newest.filter((one, place) => one !== item.newest[place]).length
          return { ...item, newest, unread: ids === undefined ? 0 : Math.max(item.unread - marked, 0) }
        }),
      )
    },
    onSettled: () => invalidate(notificationKeys.all),
  })

export const choicesQuery = queryOptions({
  queryKey: notificationKeys.choices,
  queryFn: async ({ signal }) => {
    const answer = await api.choices({ signal })
    // It may be older than a change that is still on its way, and the next change is made from what is shown.
    return (changesOnTheirWay() > 0 && queryClient.getQueryData<typeof answer>(notificationKeys.choices)) || answer
  },
})

const changesOnTheirWay = () => queryClient.isMutating({ mutationKey: notificationKeys.choices })

/** Each change is sent when it is made, one after the other, so that the last one counts. */
export const useChoose = () =>
  useMutation({
    mutationKey: notificationKeys.choices,
    scope: { id: 'notification-choices' },
    mutationFn: (choices: NotificationChoice[]) => api.choose({ body: { choices } }),
    onMutate: choices => queryClient.setQueryData(notificationKeys.choices, { choices }),
    // After the last one, which is not awaited: until then it would count as on its way.
    onSettled: () => {
      if (changesOnTheirWay() === 1) void invalidate(notificationKeys.choices)
    },
  })
