import { expect, test } from 'vitest'
import { toCsv } from '../../kit/csv.ts'
import { analyticsRows } from './analyticsCsv.ts'

const none = { ended: 0, verified: 0, percent: 0 }

test('the export has the shown figures in dollars and cents, and no title becomes a formula', () => {
  const csv = toCsv(
    analyticsRows({
      period: '30d',
      from: '2026-10-22T06:00:00.000Z',
      totals: { revenueCents: 123_456, users: 9, campaigns: 4, conversion: { ended: 8, verified: 6, percent: 75 } },
      inPeriod: { revenueCents: -2050, campaigns: 1, conversion: none },
      growth: { revenue: -12, users: null, campaigns: 0, conversionPoints: 3 },
      change: { revenueCents: -2050, users: 2, campaigns: 0 },
      monthlyRevenue: [{ month: '2026-11', revenueCents: -2050, feeCents: 150 }],
      topCampaigns: [{ id: 'x', title: '=HYPERLINK("http://x")', testers: 1, testersRequired: 2, revenueCents: 2300 }],
      userGrowth: { newUsers: 2, percent: 29 },
      averageCampaignValueCents: null,
      platformFeeCents: 150,
    }),
  )
  const lines = csv.trimEnd().split('\r\n')
  expect(lines).toContain('Total Revenue,All time,1234.56,USD')
  expect(lines).toContain('Total Revenue,Last 30 days,-20.50,USD')
  expect(lines).toContain('Average Campaign Value,Last 30 days,,USD')
  expect(lines).toContain('Monthly Revenue Trend: platform fees,November 2026,1.50,USD')
  expect(lines).toContain('"Top Performing Campaigns, 1: =HYPERLINK(""http://x"")",Last 30 days,23.00,USD')
})
