/** The analytics screen as rows for a spreadsheet, amounts in dollars. Pure. */
import type { CsvRow } from '../../kit/csv.ts'
import { type Cents, centsToInput } from '../../kit/money.ts'
import type { PlatformAnalytics } from '../contract.ts'
import { monthLong } from './captions.ts'
import { periodLabels } from './periods.ts'

export const analyticsRows = (shown: PlatformAnalytics): CsvRow[] => {
  const { totals, inPeriod, growth, change, userGrowth } = shown
  const period = periodLabels[shown.period]
  return [
    ['Figure', 'Period', 'Value', 'Unit'],
    ['Total Revenue', 'All time', centsToInput(totals.revenueCents), 'USD'],
    ['Total Revenue', period, centsToInput(inPeriod.revenueCents), 'USD'],
    ['Total Revenue', 'This month vs. the same days last month', growth.revenue, '%'],
    ['Total Revenue', 'This month less the same days last month', centsToInput(change.revenueCents), 'USD'],
    ['Total Users', 'All time', totals.users, 'users'],
    ['Total Users', period, userGrowth.newUsers, 'new users'],
    ['Total Users', 'This month vs. the same days last month', growth.users, '%'],
    ['Total Users', 'This month less the same days last month', change.users, 'new users'],
    ['Total Campaigns', 'All time', totals.campaigns, 'campaigns'],
    ['Total Campaigns', period, inPeriod.campaigns, 'campaigns created'],
    ['Total Campaigns', 'This month vs. the same days last month', growth.campaigns, '%'],
    ['Total Campaigns', 'This month less the same days last month', change.campaigns, 'campaigns created'],
    ['Conversion Rate', 'All time', totals.conversion.percent, '%'],
    ['Conversion Rate', period, inPeriod.conversion.percent, '%'],
    ['Conversion Rate', 'This month vs. the same days last month', growth.conversionPoints, 'percentage points'],
    ['User Growth', period, userGrowth.percent, '%'],
    ['Average Campaign Value', period, mean(shown.averageCampaignValueCents), 'USD'],
    ['Platform Fee Revenue', period, centsToInput(shown.platformFeeCents), 'USD'],
    ...shown.monthlyRevenue.flatMap(({ month, revenueCents, feeCents }): CsvRow[] => [
      ['Monthly Revenue Trend: revenue', monthLong(month), centsToInput(revenueCents), 'USD'],
      ['Monthly Revenue Trend: platform fees', monthLong(month), centsToInput(feeCents), 'USD'],
    ]),
    ...shown.topCampaigns.map(({ title, revenueCents }, index): CsvRow => [
      `Top Performing Campaigns, ${index + 1}: ${title}`,
      period,
      centsToInput(revenueCents),
      'USD',
    ]),
  ]
}

const mean = (cents: Cents | null) => (cents === null ? null : centsToInput(cents))
