/** Which cached answers each of the page's own actions makes stale. */
import type { QueryKey } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { Campaign } from '../../campaigns/contract.ts'
import type { Nda } from '../../nda/contract.ts'
import { ask, pageAsks } from '../../testing/web/pageAsks.ts'

const { answerWith } = pageAsks()
const { queryClient } = await import('../../kit/web/query.ts')
const bugs = await import('../../bugs/web/calls.ts')
const campaigns = await import('../../campaigns/web/calls.ts')
const changes = await import('../../changes/web/calls.ts')
const continuity = await import('../../continuity/web/calls.ts')
const dashboards = await import('../../dashboards/web/calls.ts')
const escrow = await import('../../campaigns/web/escrowCalls.ts')
const fraud = await import('../../fraud/web/calls.ts')
const nda = await import('../../nda/web/calls.ts')
const operations = await import('../../operations/web/calls.ts')
const participations = await import('../../participations/web/calls.ts')
const people = await import('../../people/web/calls.ts')
const reports = await import('../../reports/web/calls.ts')
const testerLists = await import('../../testerLists/web/calls.ts')
const { first, questions } = await import('../../testing/web/questions.ts')

const slices = [
  ...new Set([...Object.keys(questions), 'accounts', 'activity', 'attachments', 'continuity', 'tester-lists']),
]
const fill = (...keys: QueryKey[]) => {
  for (const key of keys) queryClient.setQueryData(key, { old: true })
}
const isOutOfDate = (key: QueryKey) => queryClient.getQueryState(key)?.isInvalidated

const campaign = { id: 'c1', title: 'Notes' } as Campaign
const agreed = { campaign: { id: 'c1' }, version: 2 } as unknown as Nda

test('the answer to an action is shown at once', () => {
  campaigns.afterAction(campaign)
  expect(queryClient.getQueryData(campaigns.campaignQuery('c1').queryKey)).toEqual(campaign)
  nda.afterChange(agreed)
  expect(queryClient.getQueryData(nda.ndaQuery('c1').queryKey)).toEqual(agreed)
})

test.each<[string, () => unknown, string]>([
  ['after an action on a campaign', () => campaigns.afterAction(campaign), 'audit campaigns ledger'],
  ['after a decision about escrow', escrow.afterEscrow, 'audit campaigns ledger'],
  ['after an action on a test', participations.refreshTests, 'audit campaigns ledger nda participations'],
  ['after an action on a bug', bugs.refreshBugs, 'audit bugs'],
  ['after a version was published', changes.refreshChanges, 'bugs changes'],
  ['after a change to the clock', continuity.refreshClock, 'continuity'],
  ['after an action on a fraud report', fraud.refreshFraud, 'audit fraud'],
  ['after a change to an NDA', () => nda.afterChange(agreed), 'campaigns nda'],
  ['after an export of acceptances', nda.afterExport, 'audit'],
  ['after an action on the product itself', operations.refreshOperations, 'operations'],
  ['after an action on a user', people.refreshUsers, 'audit campaigns people'],
  ['after an action on a tester list', testerLists.refreshList, 'audit campaigns participations tester-lists'],
])('%s, what it changes becomes stale, and no other slice', async (_, act, changed) => {
  fill(...slices.map(slice => [slice]))
  await act()
  expect(slices.filter(slice => isOutOfDate([slice])).toSorted()).toEqual(changed.split(' '))
})

test('after an action on a dashboard, its needs and the tester’s figures are stale, and nothing else', async () => {
  const all = [dashboards.needsQuery, dashboards.testerFiguresQuery, dashboards.statsQuery, reports.reportQuery('c1')]
  fill(...all.map(({ queryKey }) => queryKey))
  await dashboards.refreshNeeds()
  expect(all.map(({ queryKey }) => isOutOfDate(queryKey))).toEqual([true, true, false, false])
})

test.each([
  [
    'a refused decision of an admin puts the campaigns out of date, since the owner may have changed what it was about',
    () => Promise.reject(new Error('No')),
    true,
  ],
  ['a decision that was taken leaves it to its caller what is out of date', () => Promise.resolve(campaign), false],
])('%s', async (_, decide, changed) => {
  fill(['campaigns'], ['ledger'])
  const settled = await Promise.allSettled([campaigns.deciding(decide())])
  expect(settled).toEqual(await Promise.allSettled([decide()]))
  expect(['campaigns', 'ledger'].map(slice => isOutOfDate([slice]))).toEqual([changed, false])
})

const [scan, next] = [{ runningScan: { id: 's1' } }, { runningScan: { id: 's2' } }]
const none = { runningScan: null }
test.each<[string, unknown, unknown, boolean]>([
  ['is out of date once its scan has ended', scan, none, true],
  ['is out of date once another scan runs', scan, next, true],
  ['is not out of date while its scan runs', scan, scan, false],
  ['is not out of date when a scan has begun', none, scan, false],
  ['is not out of date without a scan', none, none, false],
  ['is not out of date with the first figures', undefined, none, false],
])('the list of fraud reports %s, and other reports stay as they are', async (_, before, after, ended) => {
  const list = fraud.reportsQuery({ search: '', severity: null, status: null, sample: null }, first).queryKey
  const others: QueryKey[] = [['fraud', 'one', 'r1'], ['audit']]
  fill(list, ...others)
  queryClient.setQueryData<unknown>(fraud.statsQuery.queryKey, before)
  answerWith(after)
  expect(await ask(fraud.statsQuery)).toEqual(after)
  expect([list, ...others].map(isOutOfDate)).toEqual([ended, false, false])
})
