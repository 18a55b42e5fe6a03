import { infiniteQueryOptions, queryOptions, useMutation } from '@tanstack/react-query'
import { client } from '../../kit/web/api.ts'
import { clock } from '../../kit/clock.ts'
import type { Page } from '../../kit/endpoint.ts'
import { queryClient, invalidate } from '../../kit/web/query.ts'
import type { notificationApi, Notification, NotificationChoice } from '../contract.ts'
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

/** Marks the given notifications, or all. Updates the cache optimistically. */
export const useMarkRead = () =>
  useMutation({
    mutationFn: (ids: string[] | undefined) => api.read({ body: { ids } }),
    onMutate: ids => {
      const readAt = clock.now()
      queryClient.setQueryData(
        notificationsQuery.queryKey,
        cached =>
          cached && {
            ...cached,
            pages: cached.pages.map(page => ({
              ...page,
              items: page.items.map(item =>
                item.readAt === null && (ids?.includes(item.id) ?? true) ? { ...item, readAt } : item,
              ),
            })),
          },
      )
    },
    onSettled: () => invalidate(notificationKeys.all),
  })

export const choicesQuery = queryOptions({
  queryKey: notificationKeys.choices,
  queryFn: ({ signal }) => api.choices({ signal }),
})

/** Each change is sent when it is made, one after the other, so that the last one counts. */
export const useChoose = () =>
  useMutation({
    scope: { id: 'notification-choices' },
    mutationFn: (choices: NotificationChoice[]) => api.choose({ body: { choices } }),
    onMutate: choices => queryClient.setQueryData(notificationKeys.choices, { choices }),
    onSettled: () => invalidate(notificationKeys.choices),
  })
