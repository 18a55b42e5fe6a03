/**
 * How often each use case asks PostgreSQL, including authentication, idempotency key and notifications; docs/performance.md says
 * what each round trip is for. If a number grows, somebody has to decide that it may.
 */
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { Campaign } from '../../campaigns/contract.ts'
import { device, draftOf, liveCampaign, type Person, proof } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { roundTripsOf } from '../../testing/recorded.ts'
import type { Method } from '../../kit/endpoint.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
const tester = signedUp(t, 'TESTER')
const another = signedUp(t, 'TESTER')

/** The clock may have moved, so the token is refreshed first; that is not part of the call. */
const cost = async (person: Person, [method, path, body]: [Method, string, object?], key?: string) => {
  await person.call('GET', '/users/me')
  let status = 0
  const trips = await roundTripsOf(async () => {
    status = (await person.call(method, path, body, key)).status
  })
  expect(status).toBeLessThan(300)
  const statements = trips.flat().filter(text => !/^(begin|commit)/.test(text))
  return { roundTrips: trips.length, statements: statements.length, trips }
}

let campaign: Campaign
let testId: string
beforeAll(async () => {
  campaign = await liveCampaign(developer, admin, { testersRequired: 5, durationDays: 1, payPerTesterCents: 2000 })
})

const cases: [string, number, number, () => Promise<{ roundTrips: number; statements: number; trips: string[][] }>][] =
  [
    [
      'funding a campaign',
      11,
      16,
      async () => {
        const { id, totalCostCents: amountCents } = await draftOf(developer)
        return cost(developer, ['POST', `/campaigns/${id}/fund`, { amountCents }], randomUUID())
      },
    ],
    ['joining', 1, 1, () => cost(tester, ['POST', `/testers/campaigns/${campaign.id}/join`, { deviceInfo: device }])],
    [
      'joining with a key',
      2,
      2,
      () => cost(another, ['POST', `/testers/campaigns/${campaign.id}/join`, { deviceInfo: device }], randomUUID()),
    ],
    [
      'reading a test',
      1,
      1,
      async () => {
        const { body } = await tester.call<{ id: string }[]>('GET', '/testers/my-campaigns')
        testId = body[0]!.id
        return cost(tester, ['GET', `/testers/campaign-testers/${testId}`])
      },
    ],
    ['listing the own tests', 2, 2, () => cost(tester, ['GET', '/testers/my-campaigns'])],
    ['listing the tests of a campaign', 1, 1, () => cost(developer, ['GET', `/campaigns/${campaign.id}/testers`])],
    ['reading a campaign', 1, 1, () => cost(tester, ['GET', `/campaigns/${campaign.id}`])],
    ['listing campaigns', 1, 1, () => cost(tester, ['GET', '/campaigns/available'])],
    [
      'checking in',
      3,
      3,
      () => cost(tester, ['POST', `/testers/campaign-testers/${testId}/check-ins`, { note: 'The search forgets.' }]),
    ],
    [
      'submitting a proof',
      4,
      7,
      async () => {
        await t.advance(24)
        return cost(tester, ['POST', `/testers/campaign-testers/${testId}/proof`, { proof }])
      },
    ],
    ['verifying a proof', 5, 8, () => cost(developer, ['POST', `/campaign-testers/${testId}/verify`], randomUUID())],
    ['withdrawing', 5, 16, () => cost(tester, ['POST', '/testers/withdraw', { amountCents: 1000 }], randomUUID())],
  ]

test.each(cases)('%s takes %i round trips with %i statements', async (_name, roundTrips, statements, act) => {
  const { trips, ...counted } = await act()
  // The statements are included so that a failure shows them.
  expect({ ...counted, trips: trips.map(trip => trip.map(text => text.slice(0, 60))) }).toMatchObject({
    roundTrips,
    statements,
  })
})
