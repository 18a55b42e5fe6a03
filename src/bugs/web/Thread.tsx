import { type ReactNode } from 'react'
import { AttachmentList } from '../../attachments/web/face.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { RelativeTime } from '../../kit/web/ui/Values.tsx'
import type { Bug, BugEvent } from '../contract.ts'
import { eventWords, whoIn } from './eventWords.ts'

/** Comments and decisions, oldest first; `children` is the form below them. */
export const Thread = ({ bug, children }: { bug: Bug; children: ReactNode }) => (
  <Card title="Thread" description="Only the tester, the developer and admins can read this.">
    <ol className="grid gap-4" aria-label="Thread">
      {bug.events.map(event => (
        <Line key={event.id} event={event} />
      ))}
    </ol>
    {children && <div className="mt-5 border-t pt-5">{children}</div>}
  </Card>
)

const Line = ({ event }: { event: BugEvent }) => {
  const isComment = event.kind === 'COMMENTED'
  return (
    <li className={isComment ? 'rounded-lg border p-3' : 'pl-3'}>
      <p className="flex items-baseline justify-between gap-x-4">
        <span className="min-w-0 wrap-anywhere">
          <span className="font-medium">{whoIn(event)}</span>{' '}
          {!isComment && <span className="text-muted-foreground">{eventWords(event)}</span>}
        </span>
        <span className="shrink-0 text-xs text-muted-foreground">
          <RelativeTime at={event.at} />
        </span>
      </p>
      {event.text && (
        <p
          className={
            isComment
              ? 'mt-1 max-w-prose whitespace-pre-wrap wrap-anywhere'
              : 'mt-1 max-w-prose border-l-2 pl-3 whitespace-pre-wrap wrap-anywhere'
          }
        >
          {event.text}
        </p>
      )}
      {isComment && event.attachments.length > 0 && (
        <div className="mt-2">
          <AttachmentList of={event.attachments} label={`from ${whoIn(event)}`} />
        </div>
      )}
    </li>
  )
}
