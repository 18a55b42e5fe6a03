import { clsx } from 'clsx'
import { Link } from 'react-router'
import { useNow } from '../../kit/web/now.ts'
import { Button } from '../../kit/web/ui/Button.tsx'
import { isRelative } from '../../kit/web/ui/relativeWords.ts'
import { DateTime, RelativeTime } from '../../kit/web/ui/Values.tsx'
import { screenOf } from '../about.ts'
import type { Notification, NotificationGroup } from '../contract.ts'

type Props = {
  of: NotificationGroup
  onRead: () => void
  onReadOne: (id: string) => void
}

type SubjectProps = { of: string; campaign: NotificationGroup['campaign'] }

/** The card shows the campaign's title already; a list of links has only this one to tell it apart by. */
const Subject = ({ of: subject, campaign }: SubjectProps) => {
  const ending = `: ${campaign?.title}`
  if (!campaign || !subject.endsWith(ending)) return subject
  return (
    <>
      {subject.slice(0, -ending.length)}
      <span className="sr-only">{ending}</span>
    </>
  )
}

const Dot = ({ unread }: { unread: boolean }) => (
  <span aria-hidden className={clsx('mt-1.5 size-2 rounded-full', unread && 'bg-destructive')} />
)

/** What was told of one matter: one notification, or a line for several that opens to the newest of them. */
export const GroupItem = ({ of: group, onRead, onReadOne }: Props) => {
  const { campaign, about, count, unread, createdAt, newest } = group
  const subject = <Subject of={group.subject} campaign={campaign} />
  const isUnread = unread > 0
  const now = useNow()
  const one = count === 1 ? newest[0] : undefined
  return (
    <li className="grid grid-cols-[0.5rem_minmax(0,1fr)] gap-x-3 px-4 py-3">
      <Dot unread={isUnread} />
      <div className="min-w-0">
        <div className="flex flex-wrap items-baseline justify-between gap-x-3">
          <p className={clsx('min-w-0 wrap-anywhere', isUnread && 'font-semibold')}>
            {isUnread && <span className="sr-only">Unread: </span>}
            {about ? (
              <Link
                to={screenOf(about)}
                onClick={() => isUnread && onRead()}
                className="text-link underline-offset-4 hover:underline"
              >
                {subject}
              </Link>
            ) : (
              subject
            )}
          </p>
          <span className="text-xs text-muted-foreground">
            <DateTime at={createdAt} withTime />
            {isRelative(now, createdAt) && (
              <>
                {' · '}
                <RelativeTime at={createdAt} />
              </>
            )}
          </span>
        </div>
        {one && <p className="whitespace-pre-wrap text-muted-foreground wrap-anywhere">{one.text}</p>}
        {!one && <Newest of={group} onReadOne={onReadOne} />}
        {isUnread && (
          <Button variant="link" className="-mb-3 min-h-11 text-xs md:mt-1 md:mb-0 md:min-h-6" onClick={onRead}>
            {one ? 'Mark as read' : 'Mark all of these as read'}
            <span className="sr-only">: {group.subject}</span>
          </Button>
        )}
      </div>
    </li>
  )
}

type NewestProps = { of: NotificationGroup; onReadOne: (id: string) => void }

const Newest = ({ of: { campaign, newest, count }, onReadOne }: NewestProps) => (
  <details className="mt-1">
    <summary className="w-fit cursor-pointer py-0.5 rounded-sm text-muted-foreground hover:text-foreground">
      {count > newest.length ? `Show the newest ${newest.length}` : `Show all ${count}`}
    </summary>
    <ul className="mt-2 grid gap-3 border-l pl-3">
      {newest.map(each => (
        <One key={each.id} of={each} campaign={campaign} onRead={() => onReadOne(each.id)} />
      ))}
    </ul>
  </details>
)

const One = ({
  of: { subject, text, about, createdAt, readAt },
  campaign,
  onRead,
}: {
  of: Notification
  campaign: NotificationGroup['campaign']
  onRead: () => void
}) => (
  <li className="min-w-0">
    <p className={clsx('wrap-anywhere', readAt === null && 'font-semibold')}>
      {readAt === null && <span className="sr-only">Unread: </span>}
      {about ? (
        <Link
          to={screenOf(about)}
          onClick={() => readAt === null && onRead()}
          className="text-link underline-offset-4 hover:underline"
        >
          <Subject of={subject} campaign={campaign} />
        </Link>
      ) : (
        <Subject of={subject} campaign={campaign} />
      )}
    </p>
    <p className="text-xs text-muted-foreground">
      <DateTime at={createdAt} withTime />
    </p>
    <p className="whitespace-pre-wrap text-muted-foreground wrap-anywhere">{text}</p>
    {readAt === null && (
      <Button variant="link" className="min-h-11 text-xs md:min-h-6" onClick={onRead}>
        Mark as read<span className="sr-only">: {subject}</span>
      </Button>
    )}
  </li>
)
