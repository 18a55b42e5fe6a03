import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { CircleCheck, Clock } from 'lucide-react'
import { useNow } from '../../kit/web/now.ts'
import { counted } from '../../kit/words.ts'
import { useUser } from '../../kit/web/user.ts'
import { ButtonLink } from '../../kit/web/ui/Button.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { DateTime, RelativeTime } from '../../kit/web/ui/Values.tsx'
import { CheckInButton } from '../../participations/web/face.tsx'
import type { Need, Needs } from '../contract.ts'
import { NeedsSkeleton } from './NeedsSkeleton.tsx'
import { needsQuery, refreshNeeds } from './calls.ts'
import { daysWaited, isKnown, isPressing, needWords, nextWords, nothingComing, timeLeftWords } from './needWords.ts'

export const useNeeds = (): UseQueryResult<Needs> => useQuery(needsQuery)

/** True if nothing waits and nothing is known to come; a new user's first steps are then more useful. */
export const isIdle = ({ data }: UseQueryResult<Needs>): boolean => data?.needs.length === 0 && data.next === null

/** What waits for the user, at the top of each dashboard. */
export const NeedsYou = ({ of: needs }: { of: UseQueryResult<Needs> }) => (
  <Query of={needs} loading={<NeedsSkeleton />} errorTitle="Failed to load what needs your attention">
    {loaded => (
      <Card title="Needs your attention" flush>
        {loaded.needs.length === 0 ? <Nothing next={loaded.next} /> : <NeedList needs={loaded.needs} />}
      </Card>
    )}
  </Query>
)

const NeedList = ({ needs }: { needs: readonly Need[] }) => (
  <ul className="divide-y">
    {needs.filter(isKnown).map((need, place) => (
      <li key={`${need.kind} ${need.bugId ?? need.testId ?? need.campaign?.id ?? need.severity ?? place}`}>
        <NeedRow of={need} />
      </li>
    ))}
  </ul>
)

const NeedRow = ({ of: need }: { of: Need }) => {
  const { text, action, to } = needWords(need)
  const about = need.campaign?.title ?? need.user?.name
  return (
    <div className="flex items-center justify-between gap-4 px-5 py-3">
      <div className="min-w-0 flex-1">
        <p className="font-medium">{text}</p>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted-foreground">
          {about && <span className="max-w-full truncate">{about}</span>}
          <When of={need} />
        </p>
      </div>
      {need.kind === 'CHECK_IN' && need.testId ? (
        <CheckInButton testId={need.testId} title={about ?? ''} onDone={refreshNeeds} />
      ) : (
        <ButtonLink to={to} variant="outline" size="sm">
          {action}
          <span className="sr-only">: {about ?? text}</span>
        </ButtonLink>
      )}
    </div>
  )
}

/** How much time is left, or how long it has waited. */
const When = ({ of: need }: { of: Need }) => {
  const now = useNow()
  if (need.dueAt !== null)
    return (
      <time
        dateTime={need.dueAt}
        className={clsx(
          'inline-flex items-center gap-1 tabular-nums [&_svg]:size-3.5 [&_svg]:shrink-0',
          isPressing(now, need) && 'rounded-full bg-yellow-tone px-2 py-0.5 text-yellow-tone-foreground',
        )}
      >
        <Clock aria-hidden />
        {timeLeftWords(now, { kind: need.kind, dueAt: need.dueAt })}
      </time>
    )
  if (need.since === null) return null
  const days = daysWaited(now, need)
  if (days > 0) return <>The oldest has been waiting for {counted(days, 'day')}</>
  return (
    <span>
      {need.count > 1 && 'Oldest: '}
      <RelativeTime at={need.since} />
    </span>
  )
}

const Nothing = ({ next }: Pick<Needs, 'next'>) => {
  const { role } = useUser()
  return (
    <p className="flex items-center gap-3 px-5 py-4">
      <CircleCheck aria-hidden className="size-5 shrink-0 text-link" />
      <span>
        <span className="font-medium">
          {next === null ? 'Nothing is due yet.' : 'Nothing needs your attention right now.'}
        </span>{' '}
        <span className="text-muted-foreground">
          {next === null ? (
            nothingComing[role]
          ) : (
            <>
              {nextWords[next.kind]} <DateTime at={next.at} withTime />.
            </>
          )}
        </span>
      </span>
    </p>
  )
}
