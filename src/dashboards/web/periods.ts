/** The analytics screen's filters, kept in the URL. */
import { filtersIn, oneOf, useUrlFilters } from '../../kit/web/urlFilters.ts'
import type { Period } from '../contract.ts'
import { periods } from '../terms.ts'

const readers = { period: oneOf(periods, '6m'), lines: oneOf(['revenue']) }

/** The period, and whether the payments behind the revenue are shown. */
export const useAnalyticsFilters = () => useUrlFilters(readers)

export const analyticsFiltersIn = (params: URLSearchParams) => filtersIn(readers, params)

/** Total Revenue is the sum over all time, so its card opens that period. */
export const linesOfRevenue = '?period=all&lines=revenue'

export const periodLabels: Record<Period, string> = {
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
  '6m': 'Last 6 months',
  '12m': 'Last 12 months',
  all: 'All time',
}

/** "in the last 30 days", at the end of a sentence. */
export const inPeriodWords: Record<Period, string> = {
  '30d': 'in the last 30 days',
  '90d': 'in the last 90 days',
  '6m': 'in the last 6 months',
  '12m': 'in the last 12 months',
  all: 'so far',
}
