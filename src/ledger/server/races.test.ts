/**
 * A hundred requests at once, half of them to a second server: exactly one wins where only one can, nobody sees a server error, and
 * the books balance.
 */
import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Campaign } from '../../campaigns/contract.ts'
import type { Method } from '../../kit/endpoint.ts'
import { clock } from '../../kit/clock.ts'
import { signAccessToken } from '../../kit/server/session.ts'
import {
  device,
  draftOf,
  frozen,
  fundedBy,
  joinedBy,
  liveCampaign,
  paidTester,
  password,
  type Person,
  proof,
} from '../../testing/app.ts'
import { begunCharge } from '../../testing/begunCharge.ts'
import { brokenChecks, inParallel, tally } from '../../testing/observed.ts'
import { signedUp } from '../../testing/prologue.ts'
import { type Answer, twoServers } from '../../testing/twoServers.ts'
import type { Balance } from '../contract.ts'
import { askAgain, carryOut, payRefundPart } from './calls.ts'
import { payOut, settleOverdue } from './payouts.ts'

const { t, toTheOther: sendToTheOther } = twoServers()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
const secondAdmin = signedUp(t, 'ADMIN')
let crowd: Someone[] = []
beforeAll(async () => {
  // Inserted rather than signed up, because hashing a hundred passwords takes longer than all the races.
  crowd = (
    await t.look<{ id: string }>(
      `with people as (
          insert into users (id, email, name, role, password_hash, created_at)
            select gen_random_uuid(), 'racer' || n || '@example.test', 'Racer ' || n, 'TESTER', 'none', now()
            from generate_series(1, $1::int) n returning id
        )
        select id from people`,
      [hundred],
    )
  ).map(({ id }) => ({ user: { id, role: 'TESTER' } }))
})
afterEach(async () => expect(await brokenChecks()).toEqual([]))

const hundred = 100
type Someone = { user: Pick<Person['user'], 'id' | 'role'> }
type Sent = { who: Someone; method?: Method; path: string; body?: unknown; key?: string }

const tokenOf = ({ user }: Someone) => signAccessToken({ id: user.id, role: user.role, sessionId: randomUUID() })

const toThisOne = async ({ who, method = 'POST', path, body, key }: Sent): Promise<Answer> => {
  const more = { ...(body !== undefined && { body }), ...(key !== undefined && { key }) }
  const { status, body: answered } = await t.call<unknown>(method, path, { token: await tokenOf(who), ...more })
  return { status, body: answered }
}
const toTheOther = async ({ who, ...sent }: Sent): Promise<Answer> =>
  sendToTheOther({ ...sent, token: await tokenOf(who) })

/** Sends a hundred requests that rotate through `requests`, alternating between the two servers. */
const raced = (requests: readonly ((index: number) => Sent)[]): Promise<Answer[]> =>
  inParallel(hundred, index => {
    const sent = requests[index % requests.length]!(index)
    return Math.trunc(index / requests.length) % 2 === 0 ? toThisOne(sent) : toTheOther(sent)
  })
const codes = (answers: readonly Answer[], status: number) => [
  ...new Set(answers.filter(answer => answer.status === status).map(({ body }) => (body as { code?: string }).code)),
]

const count = async (rows: string, values: unknown[] = []) =>
  (await t.look<{ n: number }>(`select count(*)::int as n from ${rows}`, values))[0]!.n
const statusOf = async (campaignId: string) =>
  (await t.look<{ status: string }>('select status from campaigns where id = $1', [campaignId]))[0]!.status
/** What the accounts of a campaign or a person hold. */
const held = async (ownerId: string) =>
  (
    await t.look<{ cents: number }>(
      'select coalesce(sum(balance_cents), 0)::int as cents from accounts where owner_id = $1',
      [ownerId],
    )
  )[0]!.cents

const terms = { testersRequired: 1, payPerTesterCents: 1000, durationDays: 1 }
/** A submitted proof, without waiting for the test's days to pass. */
const submitted = async (inCampaign = terms) => {
  const campaign = await liveCampaign(developer, admin, inCampaign)
  const tester = await t.signUp('TESTER')
  const { id } = await joinedBy(tester, campaign.id)
  await t.look(
    `update participations set status = 'SUBMITTED', proof_text = $2, proof_submitted_at = joined_at where id = $1`,
    [id, `${proof} ${id}`],
  )
  return { id, tester, campaignId: campaign.id }
}
const rejection = { code: 'OTHER', reason: 'The proof speaks of another app than ours, with other screens.' }
const note = 'The pictures show each of the screens.'

test.each([1, 3])('a hundred testers ask for the last %i seats', async seats => {
  const { id } = await liveCampaign(developer, admin, { ...terms, testersRequired: seats })
  const join = (index: number) => ({
    who: crowd[index]!,
    path: `/testers/campaigns/${id}/join`,
    body: { deviceInfo: device },
  })
  const answers = await raced([join])
  expect(tally(answers)).toEqual({ 201: seats, 409: hundred - seats })
  expect(codes(answers, 409)).toEqual(['CAMPAIGN_FULL'])
  expect(await count('participations where campaign_id = $1', [id])).toBe(seats)
})

describe('a hundred withdrawals of the whole balance', () => {
  test.each([
    ['without a key', () => ({})],
    ['with a key each', () => ({ key: randomUUID() })],
  ])('%s: one is made, and paid once', async (_how, keyed) => {
    const tester = await paidTester(t, developer, admin, 5000)
    const answers = await raced([
      () => ({ who: tester, path: '/testers/withdraw', body: { amountCents: 5000 }, ...keyed() }),
    ])
    expect(tally(answers)).toEqual({ 201: 1, 422: hundred - 1 })
    expect(codes(answers, 422)).toEqual(['INSUFFICIENT_BALANCE'])
    expect((await tester.call<Balance>('GET', '/testers/balance')).body).toMatchObject({
      balanceCents: 0,
      onTheWayCents: 5000,
    })
    const { id } = answers.find(({ status }) => status === 201)!.body as { id: string }
    // Runs its job ten times, on both servers; a run that fails is retried.
    await inParallel(10, () => payOut.run({ withdrawalId: id }).catch(() => undefined))
    await Promise.all([t.advance(1), toTheOther({ who: admin, path: '/test-clock', body: { advanceHours: 0 } })])
    expect(await t.look('select status from withdrawals where id = $1', [id])).toMatchObject([{ status: 'COMPLETED' }])
    expect(await count(`sandbox_movements where request_id = $1`, [id])).toBe(1)
    expect(await held(tester.user.id)).toBe(0)
  })
})

/** Each call moves money, and can succeed only once. */
const moves: Record<string, () => Promise<Sent>> = {
  fund: async () => {
    const { id, totalCostCents: amountCents } = await draftOf(developer)
    return { who: developer, path: `/campaigns/${id}/fund`, body: { amountCents } }
  },
  'close a seat': async () => ({
    who: developer,
    path: `/campaigns/${(await liveCampaign(developer, admin)).id}/close-seat`,
  }),
  cancel: async () => ({ who: developer, path: `/campaigns/${(await fundedBy(developer)).id}/cancel` }),
  withdraw: async () => ({
    who: await paidTester(t, developer, admin, 5000),
    path: '/testers/withdraw',
    body: { amountCents: 2000 },
  }),
  verify: async () => ({ who: developer, path: `/campaign-testers/${(await submitted()).id}/verify` }),
  'verify all': async () => ({
    who: developer,
    path: '/campaign-testers/verify-all',
    body: { ids: [(await submitted()).id, (await submitted()).id] },
  }),
  'pay on an appeal': async () => {
    const person = await t.signUp('TESTER')
    const { id } = await frozen(t, person, (await liveCampaign(developer, admin)).id)
    await person.call('POST', `/testers/campaign-testers/${id}/appeal`, {
      reason: 'The second picture shows the search.',
    })
    return { who: admin, path: `/admin/campaign-testers/${id}/decide-appeal`, body: { decision: 'VERIFY', note } }
  },
}

test.each(Object.keys(moves))('%s: a hundred with one key move as much as one, with one answer', async name => {
  const moved = async (times: number) => {
    const sent = await moves[name]!()
    const key = randomUUID()
    const before = await count('transfers')
    const answers = await inParallel(times, index => (index % 2 ? toTheOther : toThisOne)({ ...sent, key }))
    expect(answers[0]!.status).toBeLessThan(300)
    expect(new Set(answers.map(answer => JSON.stringify(answer))).size).toBe(1)
    return (await count('transfers')) - before
  }
  const once = await moved(1)
  expect(once).toBeGreaterThan(0)
  expect(await moved(hundred)).toBe(once)
})

describe('of a hundred decisions', () => {
  test('by two admins to approve or reject a campaign, one counts', async () => {
    const { id } = await fundedBy(developer)
    const answers = await raced([
      () => ({ who: admin, path: `/admin/campaigns/${id}/approve` }),
      () => ({ who: secondAdmin, path: `/admin/campaigns/${id}/reject`, body: { reason: 'It needs a description.' } }),
    ])
    expect(tally(answers)).toEqual({ 200: 1, 409: hundred - 1 })
    const { status } = answers.find(answer => answer.status === 200)!.body as Campaign
    expect(await statusOf(id)).toBe(status)
    expect(await count(`audit_log where subject_id = $1`, [id])).toBe(1)
  })

  test('to verify or reject a proof, one counts, and pay moves only with a verification', async () => {
    for (let round = 0; round < 3; round++) {
      const { id, tester } = await submitted()
      const answers = await raced([
        () => ({ who: developer, path: `/campaign-testers/${id}/verify` }),
        () => ({ who: admin, path: `/campaign-testers/${id}/reject`, body: rejection }),
      ])
      expect(tally(answers)).toEqual({ 200: 1, 409: hundred - 1 })
      const [row] = await t.look<{ status: string }>('select status from participations where id = $1', [id])
      expect(await held(tester.user.id)).toBe(row!.status === 'VERIFIED' ? 1000 : 0)
    }
  })

  test('to verify a test or cancel its campaign, the tester is paid once', async () => {
    for (let round = 0; round < 3; round++) {
      const { id, tester, campaignId } = await submitted({ ...terms, testersRequired: 2 })
      const answers = await raced([
        () => ({ who: developer, path: `/campaign-testers/${id}/verify` }),
        () => ({ who: admin, path: `/campaigns/${campaignId}/cancel` }),
      ])
      const { 200: won = 0, 409: lost = 0, ...others } = tally(answers)
      expect(others).toEqual({})
      // If the cancellation came first, the test was paid by it.
      expect([1, 2]).toContain(won)
      expect(won + lost).toBe(hundred)
      expect(await held(tester.user.id)).toBe(1000)
      expect(await statusOf(campaignId)).toBe('CANCELLED')
      await t.advance(1)
      expect(await held(campaignId)).toBe(0)
    }
  })
})

test.each([
  ['release and confirm', ['release', 'confirm']],
  ['release, confirm and refuse', ['release', 'confirm', 'refuse']],
])('two admins %s one payout a hundred times: it is paid once or refused once', async (_what, actions) => {
  await t.look('update settings set payout_approval_cents = 1000')
  const tester = await paidTester(t, developer, admin, 5000)
  const { body: withdrawal } = await tester.call<{ id: string }>('POST', '/testers/withdraw', { amountCents: 5000 })
  const decisions = actions.flatMap(action =>
    [admin, secondAdmin].map(who => () => ({
      who,
      path: `/admin/payouts/${withdrawal.id}/${action}`,
      ...(action === 'refuse' && { body: { reason: 'The account was reported as stolen.' } }),
    })),
  )
  const answers = await raced(decisions)
  const { 200: _done, 409: _late, ...others } = tally(answers)
  expect(others).toEqual({})
  const won = (action: string) =>
    answers.filter(
      (answer, index) => answer.status === 200 && actions[Math.trunc((index % decisions.length) / 2)] === action,
    ).length
  expect([won('release'), won('confirm'), won('refuse')].every(times => times <= 1)).toBe(true)
  expect(won('confirm') + won('refuse')).toBeLessThanOrEqual(1)
  // A decision that came too early is sent again.
  await raced(decisions)
  const audited = await count(`audit_log where subject_id = $1 and action in ('payout.confirm', 'payout.refuse')`, [
    tester.user.id,
  ])
  expect(audited).toBe(1)
  await t.advance(1)
  const [row] = await t.look<{ status: string }>('select status from withdrawals where id = $1', [withdrawal.id])
  const paid = row!.status === 'COMPLETED'
  expect(await count('sandbox_movements where request_id = $1', [withdrawal.id])).toBe(paid ? 1 : 0)
  expect(await held(tester.user.id)).toBe(paid ? 0 : 5000)
  await t.look('update settings set payout_approval_cents = null')
})

describe('the end of an account', () => {
  /** Only a few passwords are hashed at a time, and a request is turned away if too many others wait. */
  const deletions = (who: Person) => (index: number) =>
    index < 20
      ? { who, method: 'DELETE' as const, path: '/users/me', body: { password } }
      : { who, path: '/users/me/transactions', method: 'GET' as const }

  test.each(['', 'slow+', 'lost+', 'later+', 'decline+'])(
    'of a developer with the payment method “%s…”, while a draft is funded, edited and cancelled',
    async value => {
      const owner = await t.signUp('DEVELOPER', { email: `${value}${randomUUID()}@example.test` })
      const { id } = await draftOf(owner)
      const answers = await raced([
        () => ({ who: owner, path: `/campaigns/${id}/fund`, body: { amountCents: 3450 } }),
        () => ({ who: owner, method: 'PATCH', path: `/campaigns/${id}`, body: { title: 'Another title' } }),
        index =>
          index < 50
            ? { who: owner, method: 'GET', path: `/campaigns/${id}` }
            : { who: owner, path: `/campaigns/${id}/cancel` },
        deletions(owner),
      ])
      const {
        200: _,
        204: left = 0,
        401: _ended,
        402: _declined,
        403: _gone,
        404: _unseen,
        409: _late,
        429: _often,
        ...others
      } = tally(answers)
      expect(others).toEqual({})
      expect(left).toBeLessThanOrEqual(1)
      // Money on its way arrives, and what the campaign no longer wants goes back.
      await t.advance(1)
      await t.advance(24)
      const [sums] = await t.look<{ paid: number; back: number }>(
        `select (select coalesce(sum(amount_cents), 0)::int from payments where campaign_id = $1 and status = 'COMPLETED') as paid,
          (select coalesce(sum(amount_cents), 0)::int from refunds where campaign_id = $1 and status = 'COMPLETED') as back`,
        [id],
      )
      const wanted = (await statusOf(id)) === 'PENDING_APPROVAL' ? 3450 : 0
      expect(await held(id)).toBe(wanted)
      expect(sums!.paid - sums!.back).toBe(wanted)
      expect(await count(`charges where campaign_id = $1 and status = 'PENDING'`, [id])).toBe(0)
    },
  )

  test('of a tester, while the whole balance is withdrawn: only the one that comes first happens', async () => {
    const tester = await paidTester(t, developer, admin, 2000)
    const withdrawal = () => ({ who: tester, path: '/testers/withdraw', body: { amountCents: 2000 } })
    const answers = await raced([withdrawal, deletions(tester), withdrawal, withdrawal, withdrawal])
    const counts = tally(answers)
    const [withdrawn, left] = [counts[201] ?? 0, counts[204] ?? 0]
    expect(withdrawn + left).toBe(1)
    for (const status of Object.keys(counts))
      expect(['200', '201', '204', '401', '403', '404', '409', '422']).toContain(status)
    await t.advance(1)
    expect(await count(`withdrawals where tester_id = $1 and status = 'COMPLETED'`, [tester.user.id])).toBe(withdrawn)
  })
})

describe('a hundred attempts to carry out one call each book it or find it booked', () => {
  const onBothClocks = async (): Promise<void> => {
    await Promise.all([t.advance(0), toTheOther({ who: admin, path: '/test-clock', body: { advanceHours: 0 } })])
  }
  /** All that may settle the same call: the request that began it, the job, the sweep, and the jobs of both servers. */
  const ways = (subjectId: string) => [
    async () => void (await carryOut(subjectId)),
    () => askAgain.run({ subjectId }),
    () => settleOverdue.run({}),
    () => onBothClocks(),
  ]
  const allWays = (subjectId: string) =>
    inParallel(hundred, index =>
      (index % 10 === 0 ? ways(subjectId)[2 + ((index / 10) % 2)]! : ways(subjectId)[index % 2]!)(),
    )

  test('a charge, whose campaign is paid once', async () => {
    const { id } = await draftOf(developer)
    const { subjectId } = await begunCharge(developer, id, 3450)
    clock.setOffsetMs(clock.offsetMs() + 2 * 3_600_000)
    await allWays(subjectId)
    expect(await statusOf(id)).toBe('PENDING_APPROVAL')
    expect(await t.look(`select status, amount_cents from payments where campaign_id = $1`, [id])).toEqual([
      { status: 'COMPLETED', amount_cents: 3450 },
    ])
    expect(await count('sandbox_movements where request_id = $1', [subjectId])).toBe(1)
    expect(await held(id)).toBe(3450)
  })

  test('a charge whose answers are lost, which is there all the same', async () => {
    const unlucky = await t.signUp('DEVELOPER', { email: 'lost+unlucky@example.test' })
    const { id } = await draftOf(unlucky)
    const { subjectId } = await begunCharge(unlucky, id, 3450)
    await inParallel(hundred, () => carryOut(subjectId).catch(() => undefined))
    await carryOut(subjectId)
    expect(await count('payments where campaign_id = $1', [id])).toBe(1)
    expect(await count('sandbox_movements where request_id = $1', [subjectId])).toBe(1)
    expect(await held(id)).toBe(3450)
  })

  test('a refund, which the developer gets once', async () => {
    const { id } = await fundedBy(developer)
    await developer.call('POST', `/campaigns/${id}/cancel`)
    const parts = await t.look<{ id: string }>(
      'select p.id from refund_parts p join refunds r on r.id = p.refund_id where r.campaign_id = $1',
      [id],
    )
    const [{ id: partId }] = parts as [{ id: string }]
    await inParallel(hundred, index => (index % 10 === 0 ? onBothClocks() : payRefundPart.run({ partId })))
    expect(await t.look('select status from refund_parts where id = $1', [partId])).toEqual([{ status: 'COMPLETED' }])
    expect(await count('sandbox_movements where request_id = $1', [partId])).toBe(1)
  })
})
