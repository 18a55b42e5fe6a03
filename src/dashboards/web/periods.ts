/** The period of the analytics screen: it lives in the address. */
import { oneOf, useUrlValue } from '../../app/web/urlFilters.ts'
import type { Period } from '../contract.ts'
import { periods } from '../terms.ts'

export const usePeriod = () => useUrlValue('period', oneOf(periods, '6m'))

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
