import { expect, test } from 'vitest'
import { toCsv } from '../../kit/csv.ts'
import type { PlatformAnalytics } from '../contract.ts'
import { analyticsRows } from './analyticsCsv.ts'

const shown: PlatformAnalytics = {
  period: '30d',
  from: '2026-10-22T06:00:00.000Z',
  totals: { revenueCents: 123_456, users: 9, campaigns: 4, conversion: { ended: 8, verified: 6, percent: 75 } },
  inPeriod: { revenueCents: -2050, campaigns: 1, conversion: { ended: 5, verified: 2, percent: 40 } },
  growth: { revenue: -12, users: null, campaigns: 0, conversionPoints: 3 },
  change: { revenueCents: -3500, users: 5, campaigns: -6 },
  monthlyRevenue: [{ month: '2026-11', revenueCents: -2050, feeCents: 150 }],
  topCampaigns: [
    { id: 'x', title: '=HYPERLINK("http://x")', testers: 1, testersRequired: 2, closedSeats: 0, revenueCents: 2300 },
    { id: 'y', title: 'Notes', testers: 1, testersRequired: 2, closedSeats: 0, revenueCents: 1150 },
  ],
  userGrowth: { newUsers: 2, percent: 29 },
  averageCampaignValueCents: null,
  platformFeeCents: 175,
}

const linesOf = (figures: PlatformAnalytics) => toCsv(analyticsRows(figures)).trimEnd().split('\r\n')

test('the export contains the shown figures in dollars and cents, and no title becomes a formula', () => {
  expect(linesOf(shown)).toEqual([
    'Figure,Period,Value,Unit',
    'Total Revenue,All time,1234.56,USD',
    'Total Revenue,Last 30 days,-20.50,USD',
    'Total Revenue,This month vs. the same days last month,-12,%',
    'Total Revenue,This month less the same days last month,-35.00,USD',
    'Total Users,All time,9,users',
    'Total Users,Last 30 days,2,new users',
    'Total Users,This month vs. the same days last month,,%',
    'Total Users,This month less the same days last month,5,new users',
    'Total Campaigns,All time,4,campaigns',
    'Total Campaigns,Last 30 days,1,campaigns created',
    'Total Campaigns,This month vs. the same days last month,0,%',
    'Total Campaigns,This month less the same days last month,-6,campaigns created',
    'Conversion Rate,All time,75,%',
    'Conversion Rate,Last 30 days,40,%',
    'Conversion Rate,This month vs. the same days last month,3,percentage points',
    'User Growth,Last 30 days,29,%',
    'Average Campaign Value,Last 30 days,,USD',
    'Platform Fee Revenue,Last 30 days,1.75,USD',
    'Monthly Revenue Trend: revenue,November 2026,-20.50,USD',
    'Monthly Revenue Trend: platform fees,November 2026,1.50,USD',
    '"Top Performing Campaigns, 1: =HYPERLINK(""http://x"")",Last 30 days,23.00,USD',
    '"Top Performing Campaigns, 2: Notes",Last 30 days,11.50,USD',
  ])
})

test('a mean is exported if there is one', () => {
  expect(linesOf({ ...shown, averageCampaignValueCents: 1234 })).toContain(
    'Average Campaign Value,Last 30 days,12.34,USD',
  )
})
