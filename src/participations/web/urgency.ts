/** Which of a tester's tests comes first, and how long there is left. */
import { hoursBetween, type Instant } from '../../kit/clock.ts'
import type { CampaignTester } from '../contract.ts'

type Urgent = Pick<CampaignTester, 'actions' | 'atRisk' | 'deadlineAt'>

/** A proof may be submitted now: from then on it is what the test waits for. */
export const proofIsDue = ({ actions }: Pick<CampaignTester, 'actions'>): boolean => actions.includes('submitProof')

const rankOf = (test: Urgent): number => {
  if (proofIsDue(test)) return 0
  if (test.atRisk) return 1
  return test.actions.includes('checkIn') || test.actions.includes('optIn') ? 2 : 3
}

/** What is due first, and of that the one with the nearest deadline; the rest stays in its order. */
export const byUrgency = <T extends Urgent>(tests: readonly T[]): T[] =>
  tests.toSorted((a, b) => {
    const rank = rankOf(a) - rankOf(b)
    if (rank !== 0 || rankOf(a) > 1) return rank
    return (a.deadlineAt ?? '9').localeCompare(b.deadlineAt ?? '9')
  })

/** "2 days 3 h", "5 h 12 min", "12 min": what is left, rounded down; "less than a minute" at the end. */
export const timeLeft = (now: Instant, until: Instant): string => {
  const minutes = Math.max(0, Math.floor(hoursBetween(now, until) * 60))
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)]
  if (days > 0) return `${days} ${days === 1 ? 'day' : 'days'} ${hours} h`
  if (hours > 0) return `${hours} h ${minutes % 60} min`
  return minutes > 0 ? `${minutes} min` : 'less than a minute'
}
