import type { Handlers } from '../../kit/endpoint.ts'
import type { dashboardApi } from '../contract.ts'
import * as dashboards from './dashboards.ts'
import { needsOf } from './needs.ts'

export const dashboardHandlers: Handlers<typeof dashboardApi> = {
  needs: ({ user }) => needsOf(user),
  developer: ({ user }) => dashboards.developerFigures(user),
  developerAnalytics: ({ user }) => dashboards.developerAnalytics(user),
  tester: ({ user }) => dashboards.testerFigures(user),
  stats: () => dashboards.stats(),
  analytics: ({ query }) => dashboards.analytics(query.period),
  revenue: ({ query }) => dashboards.revenueLines(query),
}
