/** News of disputes arrives in any order, and at the same time as people act on the campaign. */
import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { clock } from '../../kit/clock.ts'
import { transact } from '../../kit/server/db.ts'
import type { CampaignTester } from '../../participations/contract.ts'
import { device, type Person, type Reply } from '../../testing/app.ts'
import { disputesIn } from '../../testing/disputes.ts'
import { brokenChecks, tally } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { overtaken } from '../../testing/races.ts'
import type { Balance, Transaction } from '../contract.ts'
import type { Dispute } from '../disputesContract.ts'
import type { DisputeOutcome } from '../terms.ts'
import { type DisputeFee, bookDisputeFees } from './disputes.queries.ts'
import { disputeChanged } from './disputes.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')
afterEach(async () => expect(await brokenChecks()).toEqual([]))

const { begun, campaignOf, news, settled, withProof } = disputesIn(t, admin)
const reason = 'This shows another app, and none of the days was spent with ours at all.'

const linesOf = async (person: Person) =>
  (await person.call<{ data: Transaction[] }>('GET', '/users/me/transactions')).body.data
    .map(({ type, status, amountCents }) => `${type} ${status} ${amountCents}`)
    .toSorted()
const balanceOf = async (tester: Person) => (await tester.call<Balance>('GET', '/testers/balance')).body.balanceCents
const join = (tester: Person, id: string, waitlist = false) =>
  tester.call<CampaignTester & { message: string }>('POST', `/testers/campaigns/${id}/join`, {
    deviceInfo: device,
    waitlist,
  })

test('news of a dispute means the same in any order, and however often it comes', async () => {
  const orders: ('OPEN' | DisputeOutcome)[][] = [
    ['LOST', 'OPEN'],
    ['OPEN', 'LOST', 'OPEN', 'LOST'],
    ['LOST', 'LOST', 'WON'],
  ]
  for (const order of orders) {
    const { id } = await begun()
    for (const status of order) await news(id, status)
    expect(
      await t.look(
        `select status, (select disputed_since is null from campaigns where id = $1) as thawed,
      (select sum(amount_cents)::int from transfers where business_key = 'dispute-lost:' || d.id) as lost
      from disputes d where campaign_id = $1`,
        [id],
      ),
    ).toEqual([{ status: 'LOST', thawed: true, lost: 3450 }])
    await settled()
  }
})

test('news older than a later movement of the money changes nothing', async () => {
  const told = (id: string, ...all: [status: 'OPEN' | DisputeOutcome, movements: number][]) =>
    all.reduce(
      (last, [status, movements]) => last.then(() => news(id, status, id, undefined, null, movements)),
      Promise.resolve<unknown>(undefined),
    )
  const seen = (id: string) =>
    t.look(
      `select status, movements, (select sum(case when business_key like 'dispute-lost:%' then amount_cents else -amount_cents end)::int
        from transfers where campaign_id = $1 and business_key like 'dispute-%') as taken
      from disputes where campaign_id = $1`,
      [id],
    )
  const { id } = await begun()
  await told(id, ['OPEN', 1], ['WON', 2], ['OPEN', 3], ['WON', 2])
  expect(await seen(id)).toEqual([{ status: 'OPEN', movements: 3, taken: null }])
  await told(id, ['LOST', 3], ['WON', 2])
  expect(await seen(id)).toEqual([{ status: 'LOST', movements: 3, taken: 3450 }])
  const { id: other } = await begun()
  await told(other, ['LOST', 1], ['WON', 2], ['OPEN', 3], ['LOST', 1])
  expect(await seen(other)).toEqual([{ status: 'OPEN', movements: 3, taken: 0 }])
  await told(other, ['WON', 4])
  await settled()
})

test('a campaign with two disputes is frozen until both are over', async () => {
  const { developer, id } = await begun()
  await news(id, 'OPEN', `${id}-1`, 1000)
  await news(id, 'OPEN', `${id}-2`, 500)
  await news(id, 'WON', `${id}-1`, 1000)
  await developer.call('POST', `/campaigns/${id}/cancel`)
  await settled()
  expect(await campaignOf(developer, id)).toMatchObject({ fundedCents: 3000 })
  await news(id, 'LOST', `${id}-2`, 500)
  await settled()
  await settled()
  expect(await linesOf(developer)).toContain('CREDIT COMPLETED 2950')
})

test('the list of disputes is read page by page, newest first, and then ends', async () => {
  const { id } = await begun()
  for (const number of [1, 2]) await news(id, 'WON', `${id}-${number}`, 100)
  const whole = (await admin.call<Dispute[]>('GET', '/admin/disputes?limit=100')).body
  const seen: string[] = []
  for (let path: string | undefined = '/admin/disputes?limit=1'; path !== undefined;) {
    const { body, headers }: Reply<Dispute[]> = await admin.call<Dispute[]>('GET', path)
    seen.push(...body.map(each => each.id))
    path = /^<([^>]+)>; rel="next"$/.exec(String(headers['link']))?.[1]
  }
  expect(seen.length).toBeGreaterThan(2)
  expect(seen).toEqual(whole.map(each => each.id))
  await settled()
})

test('the evidence deadline is the last one the provider named; news without a time leaves it', async () => {
  const { id } = await begun()
  const dueAfter = async (status: 'OPEN' | DisputeOutcome, named: string | null) => {
    await news(id, status, id, undefined, named)
    const { body } = await admin.call<Dispute[]>('GET', '/admin/disputes?limit=100')
    return body.find(({ campaign }) => campaign.id === id)?.evidenceDueAt
  }
  expect(await dueAfter('OPEN', null)).toBeNull()
  expect(await dueAfter('OPEN', '2031-01-05T00:00:00.000Z')).toBe('2031-01-05T00:00:00.000Z')
  expect(await dueAfter('OPEN', null)).toBe('2031-01-05T00:00:00.000Z')
  expect(await dueAfter('OPEN', '2031-01-09T00:00:00.000Z')).toBe('2031-01-09T00:00:00.000Z')
  expect(await dueAfter('WON', null)).toBe('2031-01-09T00:00:00.000Z')
  await settled()
})

test('a provider’s fee for a dispute, or its return, is booked once for each movement', async () => {
  const { id } = await begun()
  await news(id, 'OPEN')
  const book = (...fees: DisputeFee[]) =>
    transact(tx => bookDisputeFees(tx, { provider: 'test', reference: id }, fees, clock.now()))
  await book({ movement: 'kept', cents: 1500 }, { movement: 'free', cents: 0 })
  await book({ movement: 'kept', cents: 1500 }, { movement: 'back', cents: -400 })
  const booked = await t.look(
    `select d.kind || ' to ' || c.kind as way, amount_cents::int as cents from transfers t
      join accounts d on d.id = t.debit_account_id join accounts c on c.id = t.credit_account_id
      where campaign_id = $1 and business_key like 'dispute-fee:%' order by t.id`,
    [id],
  )
  expect(booked).toEqual([
    { way: 'PROVIDER_FEES to PROVIDER_CASH', cents: 1500 },
    { way: 'PROVIDER_CASH to PROVIDER_FEES', cents: 400 },
  ])
  expect(await t.look('select provider_fee_cents::int as fee from disputes where campaign_id = $1', [id])).toEqual([
    { fee: 1100 },
  ])
  await news(id, 'WON')
  await settled()
})

test('news of a payment that is not known yet fails, so that it is retried', async () => {
  const unknown = transact(tx =>
    disputeChanged(tx, {
      provider: 'test',
      reference: 'x',
      paymentId: randomUUID(),
      amountCents: 1,
      reason: 'x',
      status: 'OPEN',
      at: clock.now(),
    }),
  )
  await expect(unknown).rejects.toThrow('not known')
})

describe('in a race', () => {
  const row = (id: string) => ({ rows: 'select from campaigns where id = $1', values: [id] })

  test.each([
    ['a seat', 'OPEN'],
    ['a seat', 'LOST'],
    ['the bench', 'OPEN'],
    ['the bench', 'LOST'],
  ] as const)('of a join and a dispute, a tester who wants %s after it is %s is refused', async (what, status) => {
    const { id } = await begun({ testersRequired: 1 })
    const isFull = what === 'the bench'
    if (isFull) await join(await t.signUp('TESTER'), id)
    const late = await t.signUp('TESTER')
    const [, joined] = await overtaken(
      t,
      row(id),
      () => news(id, status),
      () => join(late, id, isFull),
    )
    expect(joined.status).toBe(409)
    const places = `select from participations where tester_id = $1 union all select from bench_entries where tester_id = $1`
    expect(await t.look(places, [late.user.id])).toEqual([])
  })

  test('of a cancellation and a dispute, either refunds all or keeps all', async () => {
    const { developer, id } = await begun()
    const cancel = () => developer.call('POST', `/campaigns/${id}/cancel`)
    const [opened, cancelled] = await overtaken(t, row(id), () => news(id, 'OPEN'), cancel)
    expect([opened, cancelled.status]).toEqual(['OPENED', 200])
    expect(await t.look('select from refunds where campaign_id = $1', [id])).toEqual([])
  })

  test('of a verification and a lost dispute, the tester is paid', async () => {
    const { developer, id } = await begun()
    const { person, participationId } = await withProof(id)
    await news(id, 'OPEN')
    const verify = () => developer.call('POST', `/campaign-testers/${participationId}/verify`)
    const [, verified] = await overtaken(t, row(id), () => news(id, 'LOST'), verify)
    expect(verified.status).toBe(200)
    await settled()
    expect(await balanceOf(person)).toBe(1000)
  })

  test('of a rejection and a dispute, the rejection that comes second is refused', async () => {
    const { developer, id } = await begun()
    const { participationId } = await withProof(id)
    const reject = () =>
      developer.call('POST', `/campaign-testers/${participationId}/reject`, { code: 'OTHER', reason })
    const [, rejected] = await overtaken(t, row(id), () => news(id, 'OPEN'), reject)
    expect(rejected.status).toBe(409)
  })

  test('of the same news a hundred times, it counts once', async () => {
    const { id } = await begun()
    const answers = await Promise.all(Array.from({ length: 100 }, () => news(id, 'LOST')))
    expect(tally(answers.map(answer => ({ status: answer === 'LOST' ? 1 : 0 })))).toEqual({ 0: 99, 1: 1 })
    await settled()
  })
})
