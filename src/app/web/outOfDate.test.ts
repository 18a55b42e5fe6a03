/** What a user does on one screen shows on the others: the data of other slices that it affects becomes stale. */
import type { QueryKey } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Campaign } from '../../campaigns/contract.ts'

vi.stubGlobal('addEventListener', () => {})
vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {}, removeItem: () => {} })

const { provideFollows, queryClient } = await import('../../kit/web/query.ts')
const { follows } = await import('./follows.ts')
provideFollows(follows)
const { accountKeys } = await import('../../accounts/web/keys.ts')
const { activityKeys } = await import('../../activity/web/keys.ts')
const { auditKeys } = await import('../../audit/web/keys.ts')
const { bugKeys } = await import('../../bugs/web/keys.ts')
const { campaignKeys } = await import('../../campaigns/web/keys.ts')
const { changeKeys } = await import('../../changes/web/keys.ts')
const { continuityKeys } = await import('../../continuity/web/keys.ts')
const { fraudKeys } = await import('../../fraud/web/keys.ts')
const { landingKeys } = await import('../../landing/web/keys.ts')
const { ledgerKeys } = await import('../../ledger/web/keys.ts')
const { notificationKeys } = await import('../../notifications/web/keys.ts')
const { participationKeys } = await import('../../participations/web/keys.ts')
const { peopleKeys } = await import('../../people/web/keys.ts')
const { testerListKeys } = await import('../../testerLists/web/keys.ts')
const { ndaKeys } = await import('../../nda/web/keys.ts')
const { reportKeys } = await import('../../reports/web/keys.ts')
const { settingsKeys } = await import('../../settings/web/keys.ts')
const { afterAction } = await import('../../campaigns/web/calls.ts')
const { refreshTests } = await import('../../participations/web/calls.ts')
const { refreshBugs } = await import('../../bugs/web/calls.ts')
const { refreshUsers } = await import('../../people/web/calls.ts')
const { refreshFraud } = await import('../../fraud/web/calls.ts')

const id = '01900000-0000-7000-8000-000000000000'
const campaign = { id, title: 'Notes' } as Campaign

const loaded: Record<string, QueryKey> = {
  me: accountKeys.me,
  'audit log': auditKeys.log({}),
  settings: settingsKeys.current,
  bell: notificationKeys.list,
  balance: ledgerKeys.balance,
  waitlist: landingKeys.waitlist({}),
  campaign: campaignKeys.one(id),
  'found campaigns': campaignKeys.search('no'),
  bug: bugKeys.one(id),
  changes: changeKeys.ofCampaign(id),
  nda: ndaKeys.ofCampaign(id),
  roster: participationKeys.ofCampaign(id, null),
  'own tests': participationKeys.mine(null),
  user: peopleKeys.one(id),
  'fraud report': fraudKeys.one(id),
  clock: continuityKeys.ofCampaign(id),
  'tester list': testerListKeys.one(id),
  report: reportKeys.ofCampaign(id),
  activity: activityKeys.ofCampaign(id),
}

const outOfDate = () =>
  Object.entries(loaded)
    .filter(([, key]) => queryClient.getQueryState(key)?.isInvalidated)
    .map(([name]) => name)

beforeEach(() => {
  queryClient.clear()
  for (const key of Object.values(loaded)) queryClient.setQueryData(key, {})
})

test('an action on a campaign reaches everything that shows campaigns, money and the log', () => {
  afterAction(campaign)
  expect(outOfDate()).toEqual([
    'audit log',
    'balance',
    'campaign',
    'found campaigns',
    'bug',
    'changes',
    'nda',
    'roster',
    'own tests',
    'user',
    'fraud report',
    'clock',
    'tester list',
    'report',
    'activity',
  ])
  expect(queryClient.getQueryData(campaignKeys.one(id))).toEqual(campaign)
})

test('an action on a participation reaches its campaign and everything that shows either', async () => {
  await refreshTests()
  expect(outOfDate()).toEqual([
    'audit log',
    'balance',
    'campaign',
    'found campaigns',
    'bug',
    'changes',
    'nda',
    'roster',
    'own tests',
    'user',
    'fraud report',
    'clock',
    'tester list',
    'report',
    'activity',
  ])
})

test('an action on a user reaches the reports about the user and the campaigns that it pauses', async () => {
  await refreshUsers()
  expect(outOfDate()).toEqual([
    'audit log',
    'campaign',
    'found campaigns',
    'bug',
    'changes',
    'nda',
    'roster',
    'own tests',
    'user',
    'fraud report',
    'clock',
    'tester list',
    'report',
    'activity',
  ])
})

test('an action on a fraud report reaches the log', async () => {
  await refreshFraud()
  expect(outOfDate()).toEqual(['audit log', 'fraud report'])
})

test('a change of a bug reaches the log', async () => {
  await refreshBugs()
  expect(outOfDate()).toEqual(['audit log', 'bug', 'changes', 'report'])
})
