import { Suspense, lazy, useState } from 'react'
import type { Campaign } from '../../campaigns/contract.ts'
import { useNow } from '../../kit/web/now.ts'
import { useUser } from '../../kit/web/user.ts'
import { Button } from '../../kit/web/ui/Button.tsx'
import type { Continuity } from '../contract.ts'
import { dayWords, differenceWords } from './words.ts'

const PlayCountDialog = lazy(async () => ({ default: (await import('./PlayCountDialog.tsx')).PlayCountDialog }))

const shown = 7

/** What the owner saw in Play Console, beside what testers told us. */
export const PlayCounts = ({ campaign, clock }: { campaign: Campaign; clock: Continuity }) => {
  const now = useNow()
  const [asking, setAsking] = useState(false)
  const isOwner = useUser().role === 'DEVELOPER'
  const counts = clock.playCounts.slice(0, shown)
  if (!isOwner && counts.length === 0) return null
  return (
    <section aria-labelledby="play-counts" className="border-t px-5 py-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0 flex-1 basis-64">
          <h3 id="play-counts" className="font-medium">
            Play Console’s own number
          </h3>
          {counts.length === 0 && (
            <p className="max-w-prose text-muted-foreground">
              Play Console shows how many testers are opted in. Record its number, and you see whether both agree.
            </p>
          )}
        </div>
        {isOwner && (
          <Button variant="outline" size="sm" onClick={() => setAsking(true)}>
            Record the number
          </Button>
        )}
      </div>
      {counts.length > 0 && (
        <ul className="mt-2 grid gap-2">
          {counts.map(playCount => {
            const { fact, cause } = differenceWords(playCount)
            return (
              <li key={playCount.day} className="flex gap-3">
                <span className="w-14 shrink-0 whitespace-nowrap text-muted-foreground">
                  {dayWords(playCount.day, now)}
                </span>
                <span className="min-w-0 max-w-prose">
                  {fact}
                  {/* Older ones are history. */}
                  {cause !== null && playCount === counts[0] && (
                    <span className="block text-muted-foreground">{cause}</span>
                  )}
                </span>
              </li>
            )
          })}
        </ul>
      )}
      {asking && (
        <Suspense>
          <PlayCountDialog campaign={campaign} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </section>
  )
}
