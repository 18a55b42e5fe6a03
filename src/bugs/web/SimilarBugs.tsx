import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useDebounce } from 'use-debounce'
import { paths } from '../../kit/paths.ts'
import { BugStatusBadge } from './BugBadges.tsx'
import { similarQuery } from './calls.ts'

/** Shows similar reports while the title is being typed. Of other testers' bugs, a tester sees the title and the state. */
export const SimilarBugs = ({ campaignId, title }: { campaignId: string; title: string }) => {
  const [asked] = useDebounce(title.trim().slice(0, 140), 250)
  const similar = useQuery(similarQuery(campaignId, asked))
  const found = asked.length > 0 ? (similar.data ?? []) : []
  return (
    // Present before its first message, so that it is announced; while empty, it takes no space in the form.
    <div role="status" className="empty:absolute">
      {found.length > 0 && (
        <div className="rounded-md border bg-muted/50 p-3">
          <p className="font-medium">Is it one of these?</p>
          <p className="text-xs text-muted-foreground">
            If so, the developer already knows. If yours is different, report it anyway.
          </p>
          <ul className="mt-2 grid gap-1.5">
            {found.map(bug => (
              <li key={bug.id} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
                <span className="min-w-0 wrap-anywhere">
                  <span className="text-muted-foreground tabular-nums">#{bug.number}</span>{' '}
                  {bug.mayOpen ? (
                    <Link to={paths.bug(bug.id)} className="text-link underline underline-offset-4">
                      {bug.title}
                    </Link>
                  ) : (
                    bug.title
                  )}
                  {bug.own && <span className="text-muted-foreground"> (yours)</span>}
                </span>
                <BugStatusBadge of={bug} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}
