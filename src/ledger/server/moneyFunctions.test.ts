/**
 * What the database functions promise to every caller, even where no request of the product can get: with an unknown id, in a state
 * that a rule has already refused, or for many at once of which only one is meant.
 */
import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Campaign } from '../../campaigns/contract.ts'
import { campaignInput, draftOf, fundedBy, joinedBy, liveCampaign } from '../../testing/app.ts'
import { disputesIn } from '../../testing/disputes.ts'
import { brokenChecks } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { oneIn } from '../../testing/readings.ts'
import { takenBackIn } from '../../testing/takenBack.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
const { news } = disputesIn(t, admin)

const nobody = '00000000-0000-7000-8000-00000000000a'
const one = oneIn(t)
const campaignOf = async (id: string) => (await developer.call<Campaign>('GET', `/campaigns/${id}`)).body
const refundsOf = (id: string) =>
  t.look<{ id: string; cents: number }>(
    'select id, amount_cents::int as cents from refunds where campaign_id = $1 order by id',
    [id],
  )

describe('nothing changes if the object does not exist or is not in the right state', () => {
  const live: { id: string; test: string } = { id: '', test: '' }
  beforeAll(async () => {
    live.id = (await liveCampaign(developer, admin)).id
    live.test = (await joinedBy(await t.signUp('TESTER'), live.id)).id
  })

  test.each([
    ['cancel_campaign($1, gen_random_uuid(), now())', 'NOT_FOUND'],
    ['close_free_seat($1, gen_random_uuid(), now())', 'NOT_FOUND'],
    [`close_unpaid($1, '{ACTIVE}', 'DROPPED', 'LEFT', false, gen_random_uuid(), now())`, 'NOT_FOUND'],
    ['close_waiting_seat($1, false, gen_random_uuid(), now())', 'NOT_FOUND'],
    [`decide_appeal($1, 'UPHELD', null, gen_random_uuid(), gen_random_uuid(), now())`, 'NOT_FOUND'],
    ['verify_participation($1, null, now())', 'NOT_FOUND'],
    [`reject_participation($1, gen_random_uuid(), 'OTHER', 'Not of our app.', 72, now())`, 'NOT_FOUND'],
    ['settle_withdrawal($1, null, now())', 'NOT_FOUND'],
    [`return_withdrawal($1, 'It came back.', now())`, 'NOT_FOUND'],
    ['settle_refund_part($1, now())', 'NOT_FOUND'],
    [`refuse_refund_part($1, 'Refused.', now())`, 'NOT_FOUND'],
    [`return_refund_part($1, 're_1', 'It came back.', now())`, 'NOT_FOUND'],
    [`settle_charge($1, 'PAID', null, 0, gen_random_uuid(), now())`, 'NOT_FOUND'],
    [`win_lost_dispute('test', $1::text, 2, now(), now())`, false],
    ["request_withdrawal(gen_random_uuid(), $1, 1000, interval '0', now())", 'NOT_FOUND'],
    [`begin_charge(gen_random_uuid(), 'k', $1, '${nobody}', 3450, 'sandbox', '-', now())`, 'NOT_FOUND'],
  ])('%s: %s', async (call, answer) => {
    expect(await one(call, [nobody])).toBe(answer)
  })

  test('a live campaign’s terms cannot be changed, and its test has no appeal to decide and no list to wait for', async () => {
    expect(await one(`close_waiting_seat($1, true, gen_random_uuid(), now())`, [live.test])).toBe('WRONG_STATE')
    expect(
      await one(`close_unpaid($1, '{SUBMITTED}', 'DROPPED', 'LEFT', false, gen_random_uuid(), now())`, [live.test]),
    ).toBe('WRONG_STATE')
    for (const outcome of ['UPHELD', 'VERIFIED'])
      expect(
        await one(`decide_appeal($1, $2, null, gen_random_uuid(), gen_random_uuid(), now())`, [live.test, outcome]),
      ).toBe('WRONG_STATE')
    expect(
      await one(
        `change_campaign_terms($1, 'android', 1, 1000, 1, 150, false, '{}', '{}', null, null, 'Other', 'Other', 'https://a.b/c',
          'OPEN_LINK', null, '{}', gen_random_uuid(), now())`,
        [live.id],
      ),
    ).toBe('WRONG_STATE')
    expect(await campaignOf(live.id)).toMatchObject({ title: campaignInput.title, status: 'LIVE', fundedCents: 3000 })
  })

  test('a draft has no seat to close, and cannot be paid twice', async () => {
    const { id } = await draftOf(developer)
    expect(await one('close_free_seat($1, gen_random_uuid(), now())', [id])).toBe('WRONG_STATE')
    const charge = `begin_charge(gen_random_uuid(), $4, $1, $2, $3, 'test', '-', now())`
    const { id: owner } = developer.user
    expect(await one(charge, [id, owner, 3449, 'a'])).toBe('WRONG_AMOUNT')
    expect(await one(charge, [id, owner, 3450, 'b'])).toBe('OK')
    expect(await one(charge, [id, owner, 3450, 'c'])).toBe('WAITING')
    expect(
      await t.look('select distinct campaign_id as id from transfers where business_key like $1', [
        'charge-%:' + (await chargeOf(id)),
      ]),
    ).toEqual([{ id }])
    expect(
      await one("begin_charge(gen_random_uuid(), $3, $1, $2, 3450, 'test', '-', now())", [live.id, owner, 'd']),
    ).toBe('WRONG_STATE')
    expect(await one(`settle_charge($1, 'EXPIRED', null, 0, gen_random_uuid(), now())`, [await chargeOf(id)])).toBe(
      'OK',
    )
  })
})

const chargeOf = async (id: string) =>
  (await t.look<{ id: string }>('select id from charges where campaign_id = $1', [id]))[0]!.id

describe('money that has been in escrow too long', () => {
  test('is renewed by exactly what this campaign has in escrow, whatever others have', async () => {
    const other = await liveCampaign(developer, admin, { testersRequired: 5, payPerTesterCents: 777 })
    const { id } = await liveCampaign(developer, admin)
    await t.look('update campaigns set renewal_asked_at = now() where id = $1', [id])
    const charge = `begin_charge(gen_random_uuid(), $4, $1, $2, $3, 'test', '-', now())`
    expect(await one(charge, [id, developer.user.id, other.fundedCents + other.feeCents, 'e'])).toBe('WRONG_AMOUNT')
    expect(await one(charge, [id, developer.user.id, 3450, 'f'])).toBe('OK')
    expect(
      await t.look(
        `select pay_cents::int as pay, fee_cents::int as fee from charges where campaign_id = $1 and renews`,
        [id],
      ),
    ).toEqual([{ pay: 3000, fee: 450 }])
    const renewal = await t.look<{ id: string }>('select id from charges where campaign_id = $1 and renews', [id])
    await one(`settle_charge($1, 'EXPIRED', null, 0, gen_random_uuid(), now())`, [renewal[0]!.id])
    await t.look('update campaigns set renewal_asked_at = null where id = $1', [id])
  })

  test.each([
    ['LIVE', true, null, null, true],
    ['PAUSED', true, null, null, true],
    ['APPROVED', true, null, null, true],
    ['PENDING_APPROVAL', true, null, null, true],
    ['LIVE', false, null, null, false],
    ['COMPLETED', true, null, null, false],
    ['DRAFT', true, null, null, false],
    ['LIVE', true, 'now()', null, false],
    ['LIVE', true, null, 'now()', false],
    ['COMPLETED', false, 'now()', 'now()', false],
  ])('is_renewable: %s, asked: %s, disputed: %s, lost: %s gives %s', async (status, asked, disputed, lost, answer) => {
    const rows = await t.look<{ value: boolean }>(
      `select is_renewable(jsonb_populate_record(c, jsonb_build_object('status', $1::text,
        'renewal_asked_at', ${asked ? 'now()' : 'null'}, 'disputed_since', ${disputed ?? 'null'}, 'dispute_lost_at', ${lost ?? 'null'}))) as value
        from campaigns c limit 1`,
      [status],
    )
    expect(rows).toEqual([{ value: answer }])
  })
})

describe('refunds', () => {
  test('left_to_refund: counts only payments of this campaign, minus what was refunded, and never falls below zero', async () => {
    const { id } = await liveCampaign(developer, admin)
    await liveCampaign(developer, admin)
    expect(await one<string>('left_to_refund($1)::int', [id])).toBe(3450)
    await developer.call('POST', `/campaigns/${id}/close-seat`)
    expect(await one<string>('left_to_refund($1)::int', [id])).toBe(2300)
    expect(await one<string>('left_to_refund($1)::int', [nobody])).toBe(0)
    const draft = await draftOf(developer)
    await developer.call('PATCH', '/users/me', {
      currentPassword: 'correct horse',
      paymentMethod: 'decline@example.com',
    })
    await developer.call('POST', `/campaigns/${draft.id}/fund`, { amountCents: draft.totalCostCents })
    await developer.call('PATCH', '/users/me', { currentPassword: 'correct horse', paymentMethod: null })
    // A declined payment leaves nothing to refund.
    expect(await one<string>('left_to_refund($1)::int', [draft.id])).toBe(0)
  })

  test('change_campaign_terms: all terms are replaced, and the surplus goes back at once', async () => {
    const { id } = await fundedBy(developer)
    await admin.call('POST', `/admin/campaigns/${id}/reject`, { reason: 'Say what the testers are to do.' })
    const edited = await developer.call('PATCH', `/campaigns/${id}`, { title: 'Another title', testersRequired: 2 })
    expect(edited.body).toMatchObject({
      title: 'Another title',
      status: 'DRAFT',
      testersRequired: 2,
      fundedCents: 2000,
      feeCents: 300,
    })
    expect((await refundsOf(id)).map(({ cents }) => cents)).toEqual([1150])
    expect(
      await t.look('select quoted_fee_cents::int as fee, rejection_reason as reason from campaigns where id = $1', [
        id,
      ]),
    ).toEqual([{ fee: 300, reason: null }])
  })

  test('close_seats: closing several seats of one campaign makes one refund, with the first of the ids', async () => {
    const { id } = await liveCampaign(developer, admin)
    const refunds = [randomUUIDv7(), randomUUIDv7()]
    await t.look('select close_seats(array[$1, $1]::uuid[], array[null, null]::uuid[], array[$3, $2]::uuid[], now())', [
      id,
      ...refunds,
    ])
    expect(await refundsOf(id)).toEqual([{ id: refunds[1], cents: 2300 }])
    expect(await campaignOf(id)).toMatchObject({ closedSeats: 2, fundedCents: 1000, feeCents: 150 })
  })

  test('complete_campaigns: of two campaigns only the one that is due ends, with the refund id in its place', async () => {
    const [due, later] = [await liveCampaign(developer, admin), await liveCampaign(developer, admin)]
    await t.look(`update campaigns set end_date = now() - interval '1 hour' where id = $1`, [due.id])
    await t.look(`update campaigns set end_date = now() + interval '90 days' where id = $1`, [later.id])
    const refunds = [randomUUIDv7(), randomUUIDv7()]
    expect(
      await one('complete_campaigns(array[$1, $2]::uuid[], array[$3, $4]::uuid[], now())', [
        later.id,
        due.id,
        ...refunds,
      ]),
    ).toEqual([due.id])
    expect(await refundsOf(due.id)).toEqual([{ id: refunds[1], cents: 3450 }])
    expect(await refundsOf(later.id)).toEqual([])
    expect(await campaignOf(later.id)).toMatchObject({ status: 'LIVE', fundedCents: 3000 })
  })

  test('begin_refunds: a refused part is sent again under another key, and none while a bank may take its payment back', async () => {
    const { id } = await liveCampaign(developer, admin)
    await developer.call('POST', `/campaigns/${id}/close-seat`)
    const [refund] = await refundsOf(id)
    const begin = () => t.look('select begin_refunds(array[$1]::uuid[], now())', [refund!.id])
    const calls = () =>
      t.look<{ attempt: number; status: string }>(
        `select attempt::int, p.status from provider_calls p join refund_parts r on r.id = p.subject_id where r.refund_id = $1
          order by attempt`,
        [refund!.id],
      )
    await begin()
    expect(await calls()).toEqual([{ attempt: 1, status: 'PENDING' }])
    const [part] = await t.look<{ id: string }>('select id from refund_parts where refund_id = $1', [refund!.id])
    expect(await one(`refuse_refund_part($1, 'Refused.', now())`, [part!.id])).toBe('OK')
    expect(await one(`refuse_refund_part($1, 'Refused.', now())`, [part!.id])).toBe('WRONG_STATE')
    await news(id, 'OPEN')
    await begin()
    expect(await calls()).toEqual([{ attempt: 1, status: 'REFUSED' }])
    await news(id, 'WON')
    await begin()
    await begin()
    expect(await calls()).toEqual([
      { attempt: 1, status: 'REFUSED' },
      { attempt: 2, status: 'PENDING' },
    ])
  })
})

describe('disputes', () => {
  test('change_dispute: later news of an open one moves its deadline for evidence', async () => {
    const { id } = await liveCampaign(developer, admin)
    const due = async () =>
      (
        await t.look<{ due: Date | string }>('select evidence_due_at as due from disputes where campaign_id = $1', [id])
      )[0]!.due
    await news(id, 'OPEN', id, undefined, '2027-01-02T00:00:00.000Z')
    await news(id, 'OPEN', id, undefined, '2027-01-09T00:00:00.000Z')
    expect(new Date(await due()).toISOString()).toBe('2027-01-09T00:00:00.000Z')
    await news(id, 'OPEN', id, undefined, null)
    expect(new Date(await due()).toISOString()).toBe('2027-01-09T00:00:00.000Z')
    await news(id, 'WON')
    await news(id, 'OPEN', id, undefined, '2027-02-09T00:00:00.000Z')
    expect(new Date(await due()).toISOString()).toBe('2027-01-09T00:00:00.000Z')
  })

  test('book_dispute_fees: each movement’s fee once, also a cent, and what is given back comes off', async () => {
    const { id } = await liveCampaign(developer, admin)
    await news(id, 'OPEN')
    const book = (movements: string[], fees: number[]) =>
      t.look(`select book_dispute_fees('test', $1, $2, $3, now())`, [id, movements, fees])
    const kept = async () =>
      (
        await t.look<{ cents: number }>('select provider_fee_cents::int as cents from disputes where reference = $1', [
          id,
        ])
      )[0]!.cents
    await book(['txn_1', 'txn_2'], [1, 0])
    expect(await kept()).toBe(1)
    await book(['txn_2', 'txn_1', 'txn_3'], [0, 1, 1500])
    expect(await kept()).toBe(1501)
    await book(['txn_4'], [-1500])
    expect(await kept()).toBe(1)
    expect(
      await t.look(
        `select f.kind as from, o.kind as to, amount_cents::int as cents from transfers t join accounts f on f.id = t.debit_account_id
          join accounts o on o.id = t.credit_account_id where business_key like $1 order by t.id`,
        ['dispute-fee:%:txn%'],
      ),
    ).toHaveLength(3)
    await news(id, 'WON')
  })

  test('cover_disputes: even a fee alone covers what a bank took', async () => {
    const { id } = await liveCampaign(developer, admin)
    await news(id, 'LOST', id, 200)
    // The campaign owes this fee, so it stays.
    await takenBackIn(t, async ({ rows }) => {
      expect(await rows('select pay::int, fee::int from cover_disputes($1, 0, 150, now())', [id])).toEqual([
        { pay: 0, fee: 150 },
      ])
      expect(
        await rows('select fee_cents::int as fee, funded_cents::int as pay from campaigns where id = $1', [id]),
      ).toEqual([{ fee: 300, pay: 3000 }])
    })
  })
})

afterAll(async () => expect(await brokenChecks()).toEqual([]))
