/** What others do appears on the open screen: an event makes stale whatever shows its topic, and no more. */
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { topics } from '../../events/terms.ts'

vi.stubGlobal('addEventListener', () => {})
vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {}, removeItem: () => {} })

const { invalidate, provideFollows, queryClient } = await import('../../kit/web/query.ts')
const { follows } = await import('./follows.ts')
const { liveKeys } = await import('./liveKeys.ts')

const ofCampaigns =
  'activity bugs campaigns changes continuity dashboards feedback fraud nda participations people reports tester-lists'
const untouched = 'accounts attachments books landing reputation'

const reached = {
  CAMPAIGN: ofCampaigns,
  TEST: 'activity bugs changes continuity dashboards fraud nda participations people reports tester-lists',
  BUG: 'bugs changes dashboards reports',
  MONEY: 'dashboards fraud ledger people',
  NOTICES: 'dashboards notifications',
  QUEUE: `${ofCampaigns.replace(' feedback', '')} audit ledger operations settings`,
}

const slices = new Set(`${Object.values(reached).join(' ')} ${untouched}`.split(' '))

beforeEach(() => {
  provideFollows(follows)
  queryClient.clear()
  for (const slice of slices) queryClient.setQueryData([slice, 'shown'], {})
})
afterAll(() => {
  provideFollows({})
  queryClient.clear()
  vi.unstubAllGlobals()
})

test.each(topics)('an event of the topic %s makes stale all that shows it, and nothing else', async topic => {
  await invalidate(...liveKeys[topic])
  const outOfDate = [...slices].filter(slice => queryClient.getQueryState([slice, 'shown'])?.isInvalidated)
  expect(outOfDate.toSorted()).toEqual(reached[topic].split(' ').toSorted())
})
