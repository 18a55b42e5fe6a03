import { MessageSquare } from 'lucide-react'
import { Link } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { counted } from '../../kit/words.ts'
import { RelativeTime } from '../../kit/web/ui/Values.tsx'
import type { BugSummary } from '../contract.ts'
import { deviceWords } from './deviceWords.ts'
import { BugStatusBadge, RetestBadge, SeverityBadge } from './BugBadges.tsx'

/** One or two lines for each bug; the whole line links to it. */
export const BugList = ({ of: bugs, whose }: { of: readonly BugSummary[]; whose: 'everybody' | 'own' }) => (
  <ul className="divide-y">
    {bugs.map(bug => (
      <li key={bug.id} className="relative flex flex-wrap items-start gap-x-4 gap-y-2 px-5 py-3 hover:bg-muted/50">
        <div className="min-w-0 flex-1 basis-72">
          <Link
            to={paths.bug(bug.id)}
            className="font-medium wrap-anywhere underline-offset-4 after:absolute after:inset-0 hover:underline"
          >
            <span className="text-muted-foreground tabular-nums">#{bug.number}</span> {bug.title}
          </Link>
          <p className="text-xs text-muted-foreground wrap-anywhere">
            {whose === 'everybody' && `${bug.alias} · `}
            {deviceWords(bug)}
            <span className="max-sm:hidden"> · </span>
            {/* On a phone this is a line of its own, so that no line begins or ends with the dot. */}
            <span className="whitespace-nowrap max-sm:block">
              <RelativeTime at={bug.reportedAt} />
              {bug.comments > 0 && (
                <span className="ml-2 inline-flex items-center gap-1">
                  <MessageSquare aria-hidden className="size-3" />
                  <span className="sr-only">{counted(bug.comments, 'comment')}</span>
                  <span aria-hidden>{bug.comments}</span>
                </span>
              )}
            </span>
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-1.5">
          <RetestBadge of={bug} />
          <SeverityBadge of={bug.severity} />
          <BugStatusBadge of={bug} />
        </div>
      </li>
    ))}
  </ul>
)
