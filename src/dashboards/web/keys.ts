import type { PageAt } from '../../kit/web/urlFilters.ts'
import type { Period } from '../contract.ts'

const all = ['dashboards'] as const

export const dashboardKeys = {
  all,
  needs: [...all, 'needs'],
  developer: [...all, 'developer'],
  developerAnalytics: [...all, 'developer-analytics'],
  tester: [...all, 'tester'],
  stats: [...all, 'stats'],
  analytics: (period: Period) => [...all, 'analytics', period],
  revenue: (period: Period, at: PageAt) => [...all, 'revenue', period, at],
}
