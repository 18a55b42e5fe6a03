/** Whatever people do, in whatever order and at once, and whatever the clock does: the books balance. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Method } from '../../kit/endpoint.ts'
import { campaignInput, device, type Person, proof, type Reply, startTestApp, type TestApp } from '../../testing/app.ts'
import { inParallel, brokenChecks } from '../../testing/observed.ts'
import type { Campaign, CampaignAction } from '../../campaigns/contract.ts'
import type { CampaignTester, ParticipationAction } from '../../participations/contract.ts'

let t: TestApp
let admin: Person
let developers: Person[]
let testers: Person[]
beforeAll(async () => {
  t = await startTestApp()
  admin = await t.signUp('ADMIN')
  developers = await inParallel(2, () => t.signUp('DEVELOPER'))
  testers = await inParallel(4, () => t.signUp('TESTER'))
})
afterAll(() => t.stop())

/** Something that somebody may do now. */
type Move = { name: string; by: Person; method: Method; path: string; body?: unknown }

const pays = [100, 101, 333, 999, 1500]
const reason = 'The proof shows another app than the one that was to be tested.'

/** Who decides what with a number, so that a sequence of numbers is a history. */
const campaignMove = (by: Person, { id, outstandingCents }: Campaign, action: CampaignAction, n: number): Move => {
  const post = (path: string, body?: unknown): Move => ({ name: action, by, method: 'POST', path, body })
  const moves: Record<CampaignAction, () => Move> = {
    update: () => ({
      ...post(`/campaigns/${id}`, { testersRequired: 1 + (n % 4), payPerTesterCents: pays[n % 5], title: `Edit ${n}` }),
      method: 'PATCH',
    }),
    fund: () => post(`/campaigns/${id}/fund`, { amountCents: outstandingCents }),
    submit: () => post(`/campaigns/${id}/submit`),
    approve: () => post(`/admin/campaigns/${id}/approve`),
    reject: () => post(`/admin/campaigns/${id}/reject`, { reason: 'Not like this.' }),
    start: () => post(`/campaigns/${id}/start`),
    pause: () => post(`/campaigns/${id}/pause`),
    cancel: () => post(`/campaigns/${id}/cancel`),
    join: () => post(`/testers/campaigns/${id}/join`, { deviceInfo: device }),
  }
  return moves[action]()
}

const participationBodies: Partial<Record<ParticipationAction, unknown>> = {
  checkIn: {},
  submitProof: { proof },
  requestChanges: { note: 'More of it.' },
  reject: { code: 'OTHER', reason },
}
const participationPaths: Record<ParticipationAction, (id: string) => string> = {
  checkIn: id => `/testers/campaign-testers/${id}/check-ins`,
  submitProof: id => `/testers/campaign-testers/${id}/proof`,
  leave: id => `/testers/campaign-testers/${id}/leave`,
  verify: id => `/campaign-testers/${id}/verify`,
  requestChanges: id => `/campaign-testers/${id}/request-changes`,
  reject: id => `/campaign-testers/${id}/reject`,
}
const participationMove = (by: Person, { id }: CampaignTester, action: ParticipationAction): Move => ({
  name: action,
  by,
  method: 'POST',
  path: participationPaths[action](id),
  body: participationBodies[action],
})

/** Ends come rarely, or no history would get far. */
const rare = new Set(['cancel', 'leave', 'pause'])

const movesOf = async (by: Person, n: number): Promise<Move[]> => {
  const campaigns = (await by.call<Campaign[]>('GET', '/campaigns?limit=6')).body
  const moves = campaigns.flatMap(campaign => campaign.actions.map(action => campaignMove(by, campaign, action, n)))
  const lists =
    by.user.role === 'TESTER'
      ? ['/testers/my-campaigns?limit=6']
      : campaigns.map(({ id }) => `/campaigns/${id}/testers`)
  for (const path of lists) {
    const { body } = await by.call<CampaignTester[]>('GET', path)
    moves.push(...body.flatMap(row => row.actions.map(action => participationMove(by, row, action))))
  }
  if (by.user.role === 'DEVELOPER') {
    const body = {
      ...campaignInput,
      testersRequired: 1 + (n % 4),
      payPerTesterCents: pays[n % 5],
      durationDays: 1 + (n % 3),
    }
    moves.push({ name: 'create', by, method: 'POST', path: '/campaigns', body: { ...body, dailyCheckIn: n % 2 === 0 } })
  }
  if (by.user.role === 'TESTER') {
    const paymentMethod = n % 2 === 0 ? 'decline@example.test' : null
    if (n % 7 === 0) moves.push({ name: 'method', by, method: 'PATCH', path: '/users/me', body: { paymentMethod } })
    moves.push({
      name: 'withdraw',
      by,
      method: 'POST',
      path: '/testers/withdraw',
      body: { amountCents: 1000 + (n % 900) },
    })
  }
  return moves.filter(({ name }) => !rare.has(name) || n % 5 === 0)
}

/** How often each move was accepted, over all histories. */
const done = new Map<string, number>()

const make = async ({ name, by, method, path, body }: Move): Promise<Reply<unknown>> => {
  const reply = await by.call(method, path, body)
  if (reply.status < 300) done.set(name, (done.get(name) ?? 0) + 1)
  return reply
}

const people = () => [...developers, admin, ...testers]

/** Up to three people look at what they may do, and then do it at the same time. */
const step = fc.array(fc.record({ who: fc.nat(6), pick: fc.nat(1000) }), { minLength: 1, maxLength: 3 })
const history = fc.array(
  fc.oneof({ weight: 4, arbitrary: step }, { weight: 1, arbitrary: fc.constantFrom(1, 24, 25, 49, 73) }),
  {
    minLength: 40,
    maxLength: 40,
    size: 'max',
  },
)

const live = async (steps: (number | { who: number; pick: number }[])[]) => {
  for (const now of steps) {
    if (typeof now === 'number') {
      await t.advance(now)
      continue
    }
    const moves = await Promise.all(
      now.map(({ who, pick }) => movesOf(people()[who]!, pick).then(may => may[pick % may.length])),
    )
    const replies = await Promise.all(moves.filter(move => move !== undefined).map(make))
    for (const { status, body } of replies) {
      if (status >= 500) throw new Error(`a ${status}: ${JSON.stringify(body)}`)
    }
  }
}

/** What came in from the provider, less what went out, is what is inside: no cent is made or lost. */
const moneyInside = async () =>
  (
    await t.look<{ inside: number; from_provider: number }>(`
    select (select coalesce(sum(balance_cents), 0) from accounts)::int
        + (select coalesce(sum(case when c.owner_id is null then t.amount_cents else 0 end), 0)
           - coalesce(sum(case when d.owner_id is null then t.amount_cents else 0 end), 0)
          from transfers t join accounts d on d.id = t.debit_account_id join accounts c on c.id = t.credit_account_id
          where 'PROVIDER_CASH' not in (c.kind, d.kind))::int
        + (select coalesce(sum(case when c.kind in ('PLATFORM_REVENUE', 'PAYOUTS_IN_TRANSIT', 'REFUNDS_IN_TRANSIT') then t.amount_cents else 0 end), 0)
           - coalesce(sum(case when d.kind in ('PLATFORM_REVENUE', 'PAYOUTS_IN_TRANSIT', 'REFUNDS_IN_TRANSIT') then t.amount_cents else 0 end), 0)
          from transfers t join accounts d on d.id = t.debit_account_id join accounts c on c.id = t.credit_account_id
          where 'PROVIDER_CASH' in (c.kind, d.kind))::int as inside,
      (select coalesce(sum(case when kind = 'CHARGE' then amount_cents else -amount_cents end), 0)
        from sandbox_movements where decline_reason is null)::int as from_provider`)
  )[0]!

test('any history of two developers, an admin and four testers keeps every invariant and every cent', async () => {
  await fc.assert(
    fc.asyncProperty(history, async steps => {
      await live(steps)
      expect(await brokenChecks()).toEqual([])
      const { inside, from_provider: fromProvider } = await moneyInside()
      expect(inside).toBe(fromProvider)
    }),
    // A history builds on the ones before it, so a shorter one would say nothing.
    { numRuns: 30, seed: 20261121, endOnFailure: true },
  )
  // It would prove nothing if nothing much had happened.
  const rarely = [
    'create',
    'fund',
    'approve',
    'start',
    'join',
    'checkIn',
    'submitProof',
    'verify',
    'withdraw',
    'cancel',
    'reject',
    'leave',
    'update',
    'submit',
    'pause',
    'requestChanges',
    'method',
  ]
  expect(rarely.filter(name => (done.get(name) ?? 0) === 0)).toEqual([])
}, 240_000)

test('the books balance', async () => expect(await brokenChecks()).toEqual([]))
