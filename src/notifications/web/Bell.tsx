import { useInfiniteQuery } from '@tanstack/react-query'
import { Bell as BellIcon } from 'lucide-react'
import { useId, useState } from 'react'
import { laterPart } from '../../kit/web/ui/laterPart.ts'
import { SkeletonList } from '../../kit/web/ui/States.tsx'
import type { Notification } from '../contract.ts'
import { mostUnread } from '../unread.ts'
import { notificationsQuery } from './calls.ts'

const loading = (
  <div className="p-4">
    <SkeletonList />
  </div>
)
const BellPanel = laterPart(async () => (await import('./BellPanel.tsx')).BellPanel, loading)

const formatUnread = (unread: number) => (unread < mostUnread ? String(unread) : `${mostUnread - 1}+`)

/** The unread count, and the newest notifications in a native popover, which adds no script. */
export const Bell = () => {
  const panel = useId()
  const [open, setOpen] = useState(false)
  const list = useInfiniteQuery(notificationsQuery)
  const newest = list.data?.pages[0]?.items[0]
  const unread = newest?.unreadCount ?? 0
  return (
    <>
      {list.data && <News newest={newest} />}
      <button
        type="button"
        popoverTarget={panel}
        onPointerEnter={BellPanel.preload}
        onFocus={BellPanel.preload}
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
        {open && <BellPanel id={panel} of={list} unread={unread} loading={loading} />}
      </div>
    </>
  )
}

/** Tells a screen reader of what has come since the page was loaded, once for each; of several at once, the newest. */
const News = ({ newest }: { newest: Notification | undefined }) => {
  const [known] = useState(newest?.id)
  const isNew = newest !== undefined && newest.id !== known && newest.readAt === null
  return (
    <p role="status" className="sr-only">
      {isNew && `New notification: ${newest.subject}`}
    </p>
  )
}
