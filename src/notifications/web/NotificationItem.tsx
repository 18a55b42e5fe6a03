import { clsx } from 'clsx'
import { useId } from 'react'
import { Link } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { Button } from '../../kit/web/ui/Button.tsx'
import { RelativeTime } from '../../kit/web/ui/Values.tsx'
import { screenOf } from '../about.ts'
import type { Notification } from '../contract.ts'

type Props = {
  of: Notification
  /** For the panel: two lines of text and no button. Without a screen of its own it links to the page. */
  short?: boolean
  /** Called when the link is followed. */
  onLeave?: () => void
  onRead: () => void
}

/** One notification. It links to what it is about, and following the link marks it as read. */
export const NotificationItem = ({ of: notification, short = false, onLeave, onRead }: Props) => {
  const { subject, text, about, createdAt, readAt } = notification
  const follow = () => {
    if (about && readAt === null) onRead()
    onLeave?.()
  }
  // Several notifications have the same subject.
  const more = useId()
  const to = about ? screenOf(about) : short && paths.notifications
  return (
    <li className="grid grid-cols-[0.5rem_minmax(0,1fr)] gap-x-3 px-4 py-3">
      <span aria-hidden className={clsx('mt-1.5 size-2 rounded-full', readAt === null && 'bg-destructive')} />
      <div className="min-w-0">
        <div className="flex items-baseline justify-between gap-3">
          <p className={clsx('min-w-0 wrap-anywhere', readAt === null && 'font-semibold')}>
            {readAt === null && <span className="sr-only">Unread: </span>}
            {to ? (
              <Link
                to={to}
                onClick={follow}
                aria-describedby={more}
                className={clsx('underline-offset-4 hover:underline', !short && 'text-link')}
              >
                {subject}
              </Link>
            ) : (
              subject
            )}
          </p>
          <span className="shrink-0 text-xs text-muted-foreground">
            <RelativeTime at={createdAt} />
          </span>
        </div>
        <p
          id={more}
          className={clsx('text-muted-foreground wrap-anywhere', short ? 'line-clamp-2' : 'whitespace-pre-wrap')}
        >
          {text}
        </p>
        {readAt === null && !short && (
          <Button variant="link" className="mt-1 text-xs" aria-describedby={more} onClick={onRead}>
            Mark as read<span className="sr-only">: {subject}</span>
          </Button>
        )}
      </div>
    </li>
  )
}
