import { type Instant, hoursBetween } from '../../clock.ts'
import { counted } from '../../words.ts'
import { useNow } from '../now.ts'
import { exact } from './relativeWords.ts'

const inWords = (hours: number) => {
  if (hours < 1 / 60) return 'less than a minute'
  if (hours < 1) return counted(Math.trunc(hours * 60), 'minute')
  return hours < 48 ? counted(Math.trunc(hours), 'hour') : counted(Math.trunc(hours / 24), 'day')
}

/** "3 hours": the time elapsed, with the exact start on hover. */
export const Elapsed = ({ since }: { since: Instant }) => (
  <time dateTime={since} data-tip={exact(since)} className="whitespace-nowrap">
    {inWords(hoursBetween(since, useNow()))}
  </time>
)
