import type { InfiniteData, UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import { Link } from 'react-router'
import type { Page } from '../../kit/endpoint.ts'
import { paths } from '../../kit/paths.ts'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import type { Notification } from '../contract.ts'
import { NotificationItem } from './NotificationItem.tsx'
import { useMarkRead } from './calls.ts'

const shownInPanel = 6

type Props = {
  /** Of the popover. */
  id: string
  of: UseQueryResult<InfiniteData<Page<Notification>>>
  unread: number
  loading: ReactNode
}

/** What the bell opens: the newest notifications. */
export const BellPanel = ({ id, of: list, unread, loading }: Props) => {
  const markRead = useMarkRead()
  const all = useRef<HTMLAnchorElement>(null)
  const close = () => document.getElementById(id)?.hidePopover()
  return (
    <>
      <div className="flex items-center justify-between gap-3 border-b px-4 py-2.5">
        <p className="font-semibold">Notifications</p>
        {unread > 0 && (
          <Button
            variant="link"
            onClick={() => {
              markRead.mutate({})
              // This button goes at once.
              all.current?.focus()
            }}
          >
            Mark all as read
          </Button>
        )}
      </div>
      <div className="max-h-[60dvh] overflow-y-auto">
        <Query of={list} loading={loading} errorTitle="Failed to load notifications">
          {({ pages: [first] }) =>
            first === undefined || first.items.length === 0 ? (
              <p className="px-4 py-8 text-center text-muted-foreground">No notifications yet.</p>
            ) : (
              <ul className="divide-y">
                {first.items.slice(0, shownInPanel).map(each => (
                  <NotificationItem
                    key={each.id}
                    of={each}
                    short
                    onLeave={close}
                    onRead={() => markRead.mutate({ ids: [each.id] })}
                  />
                ))}
              </ul>
            )
          }
        </Query>
      </div>
      <Link
        ref={all}
        to={paths.notifications}
        onClick={close}
        className="block border-t px-4 py-2.5 text-center font-medium text-link hover:bg-muted focus-visible:-outline-offset-2"
      >
        See all notifications
      </Link>
    </>
  )
}
