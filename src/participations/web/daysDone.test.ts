import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import type { CampaignTester } from '../contract.ts'

const fetched = vi.fn<(address: string) => Promise<Response>>()
vi.stubGlobal('addEventListener', () => {})
vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {}, removeItem: () => {} })
vi.stubGlobal('fetch', fetched)

const { provideCalls } = await import('../../kit/web/api.ts')
const { daysOfActiveTesters, daysPaidFor } = await import('./daysDone.ts')
provideCalls({ participations: { ofCampaign: ['GET', '/campaigns/:id/testers', 'page', 0, 0] } })

afterEach(() => {
  vi.useRealTimers()
})
afterAll(() => {
  vi.unstubAllGlobals()
})

const joinedAt = '2026-11-01T10:00:00.000Z'
const cancelledAt = '2026-11-10T09:00:00.000Z'
const run = (startedAt: string, endedAt: string | null = null) => ({ startedAt, endedAt })

type Terms = Partial<Pick<CampaignTester['campaign'], 'accessMode' | 'dailyCheckIn' | 'durationDays'>>
const tester = (
  { checkIns = 0, ...facts }: Partial<Omit<CampaignTester, 'checkIns'>> & { checkIns?: number },
  terms: Terms,
) =>
  ({
    begunAt: joinedAt,
    runs: [],
    waiting: null,
    ...facts,
    checkIns: Array.from({ length: checkIns }, () => ({ at: joinedAt })),
    campaign: { accessMode: 'OPEN_LINK', dailyCheckIn: false, durationDays: 14, ...terms },
  }) as unknown as CampaignTester

const waiting = { since: joinedAt, mayLeaveAt: cancelledAt, endsAt: '2026-11-17T09:00:00.000Z', payCents: 71 }

describe('a tester of a cancelled campaign is paid for', () => {
  test('the days with a check-in, where one a day is asked for, and no more than the campaign has', () => {
    expect(daysPaidFor(tester({ checkIns: 3 }, { dailyCheckIn: true }), cancelledAt)).toBe(3)
    expect(daysPaidFor(tester({ checkIns: 3 }, { dailyCheckIn: true, durationDays: 2 }), cancelledAt)).toBe(2)
  })

  test('the whole days since joining, where the link is open', () => {
    expect(daysPaidFor(tester({ checkIns: 3 }, {}), cancelledAt)).toBe(8)
    expect(daysPaidFor(tester({}, {}), '2026-11-10T10:00:00.000Z')).toBe(9)
  })

  test('the whole days since the NDA was accepted, where joining asked for one', () => {
    expect(daysPaidFor(tester({ begunAt: '2026-11-04T10:00:00.000Z' }, {}), cancelledAt)).toBe(5)
    expect(daysPaidFor(tester({ begunAt: null }, {}), cancelledAt)).toBe(0)
  })

  test.each(['EMAIL_LIST', 'GOOGLE_GROUP'] as const)('the time opted in, in a closed test by %s', accessMode => {
    const runs = [run('2026-11-02T09:00:00.000Z', '2026-11-04T09:00:00.000Z'), run('2026-11-07T09:00:00.000Z')]
    expect(daysPaidFor(tester({ runs }, { accessMode }), cancelledAt)).toBe(5)
    expect(daysPaidFor(tester({}, { accessMode }), cancelledAt)).toBe(0)
    const voided = runs.map(each => ({ ...each, voided: true }))
    expect(daysPaidFor(tester({ runs: voided }, { accessMode }), cancelledAt)).toBe(0)
  })

  test('one day, once the wait for the tester list has lasted a week', () => {
    expect(daysPaidFor(tester({ waiting }, { accessMode: 'EMAIL_LIST' }), cancelledAt)).toBe(1)
    expect(daysPaidFor(tester({ waiting }, { accessMode: 'EMAIL_LIST' }), '2026-11-10T08:59:59.999Z')).toBe(0)
  })
})

test('cancelling now counts the days of the campaign’s active testers alone', async () => {
  vi.useFakeTimers({ now: new Date(cancelledAt) })
  fetched.mockResolvedValueOnce(Response.json([tester({}, {}), tester({ checkIns: 3 }, { dailyCheckIn: true })]))
  expect(await daysOfActiveTesters('c1', new AbortController().signal)).toEqual([8, 3])
  expect(fetched.mock.calls.map(([address]) => address)).toEqual(['/api/v1/campaigns/c1/testers?status=ACTIVE'])
})
