import { type Instant, hoursBetween } from '../../kit/clock.ts'
import { useNow } from '../../kit/web/now.ts'
import { counted } from '../../kit/words.ts'
import { once } from '../../kit/once.ts'

const exact = once(() => new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' }))

const inWords = (hours: number) => {
  if (hours < 1 / 60) return 'less than a minute'
  if (hours < 1) return counted(Math.trunc(hours * 60), 'minute')
  return hours < 48 ? counted(Math.trunc(hours), 'hour') : counted(Math.trunc(hours / 24), 'day')
}

/** "3 hours": the time elapsed, with the exact start on hover. */
export const Elapsed = ({ since }: { since: Instant }) => (
  <time dateTime={since} title={exact().format(Date.parse(since))} className="whitespace-nowrap">
    {inWords(hoursBetween(since, useNow()))}
  </time>
)
