/** Which of a tester's tests comes first, and how long there is left. */
import { hoursBetween, type Instant } from '../../kit/clock.ts'
import type { CampaignTester } from '../contract.ts'

type Due = Pick<CampaignTester, 'deadlineAt'>

const sooner = (a: Due, b: Due): number => (a.deadlineAt ?? '9').localeCompare(b.deadlineAt ?? '9')

/** Nearest deadline first; tests without a deadline come last, in the order given. */
export const byDeadline = <T extends Due>(tests: readonly T[]): T[] => tests.toSorted(sooner)

type Urgent = Pick<CampaignTester, 'actions' | 'atRisk' | 'deadlineAt'>

/** Whether a proof may be submitted now: from then on the test waits for it. */
export const proofIsDue = ({ actions }: Pick<CampaignTester, 'actions'>): boolean => actions.includes('submitProof')

const rankOf = (test: Urgent): number => {
  if (proofIsDue(test)) return 0
  if (test.atRisk) return 1
  return test.actions.includes('checkIn') || test.actions.includes('optIn') ? 2 : 3
}

/** Sorted by kind of task, then by the nearest deadline; without a deadline, in the order given. */
export const byUrgency = <T extends Urgent>(tests: readonly T[]): T[] =>
  tests.toSorted((a, b) => rankOf(a) - rankOf(b) || sooner(a, b))

/** "2 days 3 h", "5 h 12 min", "12 min": the time left, rounded up, so that a full 72 hours read as 3 days. */
export const timeLeft = (now: Instant, until: Instant): string => {
  const left = Math.max(0, hoursBetween(now, until))
  const minutes = Math.ceil(left * 60)
  if (minutes <= 1) return left * 60 < 1 ? 'less than a minute' : '1 min'
  if (minutes < 60) return `${minutes} min`
  if (minutes < 1440) return words(Math.floor(minutes / 60), 'h', minutes % 60, 'min')
  const hours = Math.ceil(left)
  const days = Math.floor(hours / 24)
  return words(days, days === 1 ? 'day' : 'days', hours % 24, 'h')
}

const words = (whole: number, unit: string, rest: number, smaller: string) =>
  rest === 0 ? `${whole} ${unit}` : `${whole} ${unit} ${rest} ${smaller}`
