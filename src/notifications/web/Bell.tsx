import { useInfiniteQuery } from '@tanstack/react-query'
import { Bell as BellIcon } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { Link } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { SkeletonList } from '../../kit/web/ui/States.tsx'
import { mostUnread } from '../unread.ts'
import { NotificationItem } from './NotificationItem.tsx'
import { notificationsQuery, useMarkRead } from './calls.ts'

const shownInPanel = 6

const formatUnread = (unread: number) => (unread < mostUnread ? String(unread) : `${mostUnread - 1}+`)

const useNewest = () => useInfiniteQuery(notificationsQuery)

/** The unread count, and the newest notifications in a native popover, which adds no script. */
export const Bell = () => {
  const panel = useId()
  const [open, setOpen] = useState(false)
  const list = useNewest()
  const newest = list.data?.pages[0]?.items[0]
  const unread = newest?.unreadCount ?? 0
  return (
    <>
      {list.data && <News newest={newest} />}
      <button
        type="button"
        popoverTarget={panel}
        aria-label={unread > 0 ? `Notifications, ${formatUnread(unread)} unread` : 'Notifications'}
        className="relative grid size-9 place-items-center rounded-md text-muted-foreground hover:bg-muted hover:text-foreground"
      >
        <BellIcon aria-hidden className="size-4.5" />
        {unread > 0 && (
          <span
            aria-hidden
            className="absolute -top-0.5 -right-1 grid h-4 min-w-4 place-items-center rounded-full bg-destructive px-1 text-[0.625rem] leading-none font-semibold text-destructive-foreground tabular-nums"
          >
            {formatUnread(unread)}
          </span>
        )}
      </button>
      <div
        id={panel}
        popover="auto"
        role="dialog"
        aria-label="Notifications"
        onToggle={event => setOpen(event.newState === 'open')}
        className="fixed inset-auto top-13 right-4 m-0 w-96 max-w-[calc(100vw-2rem)] overflow-hidden rounded-lg border bg-card text-foreground shadow-raised open:animate-appear md:right-8"
      >
        {open && <Panel id={panel} of={list} unread={unread} />}
      </div>
    </>
  )
}

/** Tells a screen reader of what has come since the page was loaded, once for each; of several at once, the newest. */
const News = ({ newest }: { newest: Parameters<typeof NotificationItem>[0]['of'] | undefined }) => {
  const [known] = useState(newest?.id)
  const isNew = newest !== undefined && newest.id !== known && newest.readAt === null
  return (
    <p role="status" className="sr-only">
      {isNew && `New notification: ${newest.subject}`}
    </p>
  )
}

type PanelProps = { id: string; of: ReturnType<typeof useNewest>; unread: number }

const Panel = ({ id, of: list, unread }: PanelProps) => {
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
        <Query
          of={list}
          loading={
            <div className="p-4">
              <SkeletonList />
            </div>
          }
          errorTitle="Failed to load notifications"
        >
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
