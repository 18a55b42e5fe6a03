import { type InfiniteData, infiniteQueryOptions, useMutation } from '@tanstack/react-query'
import { client } from '../../kit/web/api.ts'
import { clock } from '../../kit/clock.ts'
import type { Page } from '../../kit/endpoint.ts'
import { queryClient } from '../../kit/web/query.ts'
import type { notificationApi, Notification } from '../contract.ts'

const api = client<typeof notificationApi>('notifications')

const pageSize = 20
const key = ['notifications', 'list'] as const

/** One cache for the bell and for the page: what is read in the one is read in the other. Asked for again each minute. */
export const notificationsQuery = infiniteQueryOptions({
  queryKey: key,
  queryFn: ({ pageParam, signal }) => api.list({ query: { limit: pageSize, cursor: pageParam }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (last: Page<Notification>) => last.nextCursor ?? undefined,
  // Only while the tab is visible: the query library pauses it otherwise.
  refetchInterval: 60_000,
})

/** Those named, or all: shown as read at once, and put right by the server's answer. */
export const useMarkRead = () =>
  useMutation({
    mutationFn: (ids: string[] | undefined) => api.read({ body: { ids } }),
    onMutate: ids => {
      const readAt = clock.now()
      queryClient.setQueryData<InfiniteData<Page<Notification>, string | undefined>>(
        key,
        shown =>
          shown && {
            ...shown,
            pages: shown.pages.map(page => ({
              ...page,
              items: page.items.map(item =>
                item.readAt === null && (ids?.includes(item.id) ?? true) ? { ...item, readAt } : item,
              ),
            })),
          },
      )
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: key }),
  })
