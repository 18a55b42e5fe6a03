import { useMutation } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { Suspense, lazy, useState } from 'react'
import type { Campaign } from '../../campaigns/contract.ts'
import type { Day } from '../../kit/clock.ts'
import { messageOf } from '../../kit/web/apiError.ts'
import { useNow } from '../../kit/web/now.ts'
import { useUser } from '../../kit/web/user.ts'
import { Button } from '../../kit/web/ui/Button.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import type { Continuity } from '../contract.ts'
import { api, refreshClock } from './calls.ts'
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
            Play Console’s number
          </h3>
          {counts.length === 0 && (
            <p className="max-w-prose text-muted-foreground">
              Play Console shows how many testers are opted in. Record its number to see whether it matches ours.
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
            const { fact, cause } = differenceWords(playCount, clock.accessMode)
            return (
              <li key={playCount.day} className="flex items-start gap-3">
                <span className="min-w-14 shrink-0 whitespace-nowrap text-muted-foreground">
                  {dayWords(playCount.day, now)}
                </span>
                <span className="min-w-0 max-w-prose flex-1">
                  {fact}
                  {/* Older ones are history. */}
                  {cause !== null && playCount === counts[0] && (
                    <span className="block text-muted-foreground">{cause}</span>
                  )}
                </span>
                {isOwner && <RemoveCount campaignId={campaign.id} day={playCount.day} />}
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

/** A wrong number is removed without a question: it can be recorded again. */
const RemoveCount = ({ campaignId, day }: { campaignId: string; day: Day }) => {
  const now = useNow()
  const remove = useMutation({
    mutationFn: () => api.removePlayCount({ params: { id: campaignId, day } }),
    onSuccess: refreshClock,
    onError: error => notify.error(messageOf(error, 'Failed to remove the number')),
  })
  return (
    <Button
      variant="ghost"
      size="icon"
      className="-my-1.5"
      aria-label={`Remove the number for ${dayWords(day, now)}`}
      loading={remove.isPending}
      onClick={() => remove.mutate()}
    >
      <Trash2 aria-hidden />
    </Button>
  )
}
