/** What a bank took back, and what covers it, counts neither as spent nor as revenue, unless the dispute is won after all. */
import { afterEach, beforeAll, expect, test } from 'vitest'
import { autocommit } from '../../kit/server/db.ts'
import { draftOf, type Person } from '../../testing/app.ts'
import { disputesIn } from '../../testing/disputes.ts'
import { spendOf } from '../../testing/fullCount.queries.ts'
import { goToNextMonth } from '../../testing/months.ts'
import { brokenChecks } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import type {
  DeveloperAnalytics,
  DeveloperFigures,
  PlatformAnalytics,
  PlatformStats,
  RevenueLine,
} from '../contract.ts'
import { foldFigures } from './rollups.queries.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')
const { begun, campaignOf, news, payingBy, settled, withProof } = disputesIn(t, admin)
beforeAll(() => goToNextMonth(t))
afterEach(async () => expect(await brokenChecks()).toEqual([]))

const get = async <T>(person: Person, path: string): Promise<T> => (await person.call<T>('GET', path)).body
const spentOf = async (developer: Person) =>
  (await get<DeveloperFigures>(developer, '/dashboard/developer')).totalSpentCents
const platform = async () => {
  const { totalRevenueCents } = await get<PlatformStats>(admin, '/admin/stats')
  const { inPeriod, monthlyRevenue, topCampaigns } = await get<PlatformAnalytics>(admin, '/admin/analytics?period=30d')
  return {
    totalRevenueCents,
    inPeriod: inPeriod.revenueCents,
    trend: monthlyRevenue.at(-1)?.revenueCents ?? 0,
    topCampaigns,
  }
}

/**
 * Every figure says that this much of the developer's payments is left, both before and after the changes are added to the
 * roll-ups.
 */
const left = async (developer: Person, id: string, cents: number, others: Awaited<ReturnType<typeof platform>>) => {
  const { fundedCents, feeCents } = await campaignOf(developer, id)
  expect(fundedCents + feeCents).toBe(cents)
  for (const _folded of [false, true]) {
    expect(await spentOf(developer)).toBe(cents)
    expect(await spendOf(autocommit, developer.user.id, null)).toBe(cents)
    const { months } = await get<DeveloperAnalytics>(developer, '/dashboard/developer/analytics')
    expect(months.at(-1)!.spentCents).toBe(cents)
    const now = await platform()
    for (const figure of ['totalRevenueCents', 'inPeriod', 'trend'] as const)
      expect({ figure, cents: now[figure] - others[figure] }).toEqual({ figure, cents })
    expect(now.topCampaigns.find(campaign => campaign.id === id)?.revenueCents ?? 0).toBe(cents)
    await foldFigures(autocommit, 10_000)
  }
  // The lines behind the revenue add up to it.
  const { data } = await get<{ data: RevenueLine[] }>(admin, '/admin/revenue?period=30d&limit=100')
  expect(data.filter(line => line.campaign.id === id).reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(
    cents,
  )
  return data.filter(line => line.campaign.id === id).map(({ kind, amountCents }) => `${kind} ${amountCents}`)
}

test('a payment that a bank took back before anything was spent does not count as spent, unless the dispute is won after all', async () => {
  const developer = await payingBy(null)
  const others = await platform()
  const { id } = await draftOf(developer)
  await developer.call('POST', `/campaigns/${id}/fund`, { amountCents: 3450 })
  expect(await left(developer, id, 3450, others)).toEqual(['PAYMENT 3450'])
  await news(id, 'LOST', id, undefined, null, 1)
  await settled()
  expect(await left(developer, id, 0, others)).toEqual(['TAKEN_BACK -3450', 'PAYMENT 3450'])

  await news(id, 'WON', id, undefined, null, 2)
  expect(await left(developer, id, 3450, others)).toEqual(['RETURNED 3450', 'TAKEN_BACK -3450', 'PAYMENT 3450'])
  // The dispute is lost again, so the payment is covered again.
  await news(id, 'LOST', id, undefined, null, 3)
  await settled()
  expect((await left(developer, id, 0, others))[0]).toBe('TAKEN_BACK -3450')
})

test('what testers and the platform earned from a lost payment still counts as spent', async () => {
  const others = await platform()
  const { developer, id } = await begun()
  const { participationId } = await withProof(id)
  await news(id, 'OPEN')
  await left(developer, id, 3450, others)
  await news(id, 'LOST')
  await settled()
  await left(developer, id, 1150, others)
  expect((await developer.call('POST', `/campaign-testers/${participationId}/verify`)).status).toBe(200)
  await settled()
  await left(developer, id, 1150, others)
})
