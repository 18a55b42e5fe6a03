import { Card } from '../../kit/web/ui/Card.tsx'
import { RelativeTime } from '../../kit/web/ui/Values.tsx'
import { useNow } from '../../kit/web/now.ts'
import { waitsForConsent } from '../consent.ts'
import { stripOf } from './days.ts'
import type { Desk } from './useDesk.ts'

/** The proofs that wait, each with its days: a press opens it. */
export const DeskQueue = ({ desk: { queue, open, show } }: { desk: Desk }) => {
  const now = useNow()
  return (
    <Card title="To review" flush>
      <section
        aria-label="Proofs to review, scrollable"
        // A scrolling region must be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="max-h-80 overflow-y-auto focus-visible:-outline-offset-2"
      >
        <ol>
          {queue.map(tester => {
            const strip = stripOf(tester, now)
            return (
              <li key={tester.id}>
                <button
                  type="button"
                  aria-current={tester.id === open?.id || undefined}
                  onClick={() => show(tester)}
                  className="flex w-full items-center justify-between gap-3 px-5 py-2.5 text-left hover:bg-muted focus-visible:-outline-offset-2 aria-current:bg-secondary aria-current:font-medium md:py-1.5"
                >
                  {tester.alias}
                  <span className="flex items-baseline gap-3 font-normal text-muted-foreground tabular-nums">
                    {waitsForConsent(tester) && <span className="text-xs">An admin decides</span>}
                    {tester.deadlineAt && !waitsForConsent(tester) && (
                      <span className="text-xs">
                        <span className="sr-only">auto-verifies </span>
                        <RelativeTime at={tester.deadlineAt} />
                      </span>
                    )}
                    <span>
                      {strip.filter(({ mark }) => mark === 'DONE').length}/{strip.length}
                      <span className="sr-only"> days</span>
                    </span>
                  </span>
                </button>
              </li>
            )
          })}
        </ol>
      </section>
    </Card>
  )
}
