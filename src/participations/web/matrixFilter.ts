/** Which testers the matrix shows: all, those of one status, or those who need the developer's attention. */
import { hoursBetween, type Instant } from '../../kit/clock.ts'
import { oneOf, useUrlValue } from '../../kit/web/urlFilters.ts'
import { waitsForConsent } from '../consent.ts'
import type { CampaignTester } from '../contract.ts'
import { participationStatuses, participationStatusLabels } from '../../campaigns/participationStatus.ts'

/** Filters that need the developer's attention come first. */
const matrixFilters = [
  'AT_RISK',
  'SUBMITTED',
  'STUCK',
  'CONSENT',
  ...participationStatuses.filter(one => one !== 'SUBMITTED'),
] as const
export type MatrixFilter = (typeof matrixFilters)[number]

export const useMatrixFilter = () => useUrlValue('testers', oneOf(matrixFilters))

export const filterLabel = (filter: MatrixFilter): string => {
  if (filter === 'AT_RISK') return 'At risk'
  if (filter === 'STUCK') return 'Stuck for a day or more'
  if (filter === 'CONSENT') return 'With an admin'
  return filter === 'SUBMITTED' ? 'To review' : participationStatusLabels[filter]
}

/** A tester who stays at one step of getting in for this long needs attention. */
const stuckHours = 24

export const isStuck = ({ status, funnel }: Pick<CampaignTester, 'status' | 'funnel'>, now: Instant): boolean =>
  funnel !== null &&
  funnel.step !== 'IN_USE' &&
  (status === 'ACTIVE' || status === 'CHANGES_REQUESTED') &&
  hoursBetween(funnel.since, now) >= stuckHours

type Judged = Pick<CampaignTester, 'status' | 'atRisk' | 'funnel' | 'consentRequest'>

export const isShown = (filter: MatrixFilter | null, tester: Judged, now: Instant): boolean => {
  if (filter === null) return true
  if (filter === 'STUCK') return isStuck(tester, now)
  if (filter === 'AT_RISK') return tester.atRisk
  if (filter === 'CONSENT') return waitsForConsent(tester)
  // Testers at risk, or waiting for an admin, are counted there and only once.
  return tester.status === filter && !tester.atRisk && !waitsForConsent(tester)
}

export type Counted = { filter: MatrixFilter; count: number }

/** Each filter that shows somebody, and the chosen one. */
export const offered = (testers: readonly Judged[], chosen: MatrixFilter | null, now: Instant): Counted[] =>
  matrixFilters
    .map(filter => ({ filter, count: testers.filter(tester => isShown(filter, tester, now)).length }))
    .filter(({ filter, count }) => count > 0 || filter === chosen)
