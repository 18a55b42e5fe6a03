/** The functions that move money for many at once give each their own share in their own place, whoever else is in the batch. */
import { randomUUIDv7 } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Campaign } from '../../campaigns/contract.ts'
import { fundedBy, joinedBy, liveCampaign, type Person, proof } from '../../testing/app.ts'
import { disputesIn } from '../../testing/disputes.ts'
import { connectBeside } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { transact } from '../../kit/server/db.ts'
import { takenBackIn } from '../../testing/takenBack.ts'
import { verifyUnreviewed } from './ledger.ts'
import { until } from '../../testing/until.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')
/** A new developer for each test, since some owe for a lost dispute, and then cannot pay for anything new. */
let developer: Person
beforeEach(async () => {
  developer = await t.signUp('DEVELOPER')
})
const { news } = disputesIn(t, admin)

const nobody = '00000000-0000-7000-8000-00000000000a'

const held = `select balance_cents::int as cents from accounts where owner_id = $1 order by balance_cents`

describe('refund_surpluses', () => {
  test('gives each campaign its own pay and fee back', async () => {
    const [first, second] = [await liveCampaign(developer, admin), await liveCampaign(developer, admin)]
    const refunds = [randomUUIDv7(), randomUUIDv7()]
    await takenBackIn(t, async ({ rows }) => {
      await rows(
        `select refund_surpluses(array[$1, $2]::uuid[], array[$3, $4]::uuid[], array[3000, 2000], array[440, 450], now())`,
        [...refunds, first.id, second.id],
      )
      expect(
        await rows('select id, campaign_id as campaign, amount_cents::int as cents from refunds order by amount_cents'),
      ).toEqual([
        { id: refunds[0], campaign: first.id, cents: 10 },
        { id: refunds[1], campaign: second.id, cents: 1000 },
      ])
      expect(
        await rows(
          'select id, funded_cents::int as pay, fee_cents::int as fee from campaigns where id = any($1) order by funded_cents',
          [[first.id, second.id]],
        ),
      ).toEqual([
        { id: second.id, pay: 2000, fee: 450 },
        { id: first.id, pay: 3000, fee: 440 },
      ])
      expect(await rows(held, [first.id])).toEqual([{ cents: 440 }, { cents: 3000 }])
      expect(await rows(held, [second.id])).toEqual([{ cents: 450 }, { cents: 2000 }])
    })
  })

  test('leaves out what a bank took of a payment, but not what it may still take', async () => {
    const { id } = await liveCampaign(developer, admin)
    await news(id, 'OPEN', id, 1000)
    await news(id, 'LOST', id, 1000)
    await takenBackIn(t, async ({ rows }) => {
      await rows('select refund_surplus($1, $2, 0, 0, now())', [randomUUIDv7(), id])
      expect(await rows('select amount_cents::int as cents from refunds where campaign_id = $1', [id])).toEqual([
        { cents: 2450 },
      ])
      expect(
        await rows(
          'select part.amount_cents::int as cents from refund_parts part join refunds r on r.id = refund_id where campaign_id = $1',
          [id],
        ),
      ).toEqual([{ cents: 2450 }])
    })
  })
})

test('refund_surpluses: what a bank took of the newest payment is not given back from it', async () => {
  const { id } = await fundedBy(developer)
  await admin.call('POST', `/admin/campaigns/${id}/reject`, { reason: 'Say what the testers are to do.' })
  const { outstandingCents } = (
    await developer.call<Campaign>('PATCH', `/campaigns/${id}`, { payPerTesterCents: 1500 })
  ).body
  expect(outstandingCents).toBe(1725)
  expect((await developer.call('POST', `/campaigns/${id}/fund`, { amountCents: outstandingCents })).status).toBe(200)
  await takenBackIn(t, async ({ one, rows }) => {
    const [older, newer] = await rows<{ id: string }>('select id from payments where campaign_id = $1 order by seq', [
      id,
    ])
    const lost = `change_dispute(gen_random_uuid(), 'test', 'newest', $1, 1725, 'fraudulent', 'LOST', null, now(), null, now())`
    expect(await one(lost, [newer!.id])).toBe('LOST')
    await rows('select refund_surplus(gen_random_uuid(), $1, 0, 0, now())', [id])
    expect(
      await rows('select payment_id as id, amount_cents::int as cents from refund_parts where payment_id = any($1)', [
        [older!.id, newer!.id],
      ]),
    ).toEqual([{ id: older!.id, cents: 3450 }])
  })
})

test('refund_all_unused: with the last seats the rounding of the fee goes back, too', async () => {
  // 15 % of 3 × 1003 is 451: three shares of 150, and one cent.
  const { id, totalCostCents } = await liveCampaign(developer, admin, { payPerTesterCents: 1003 })
  expect(totalCostCents).toBe(3009 + 451)
  await takenBackIn(t, async ({ rows }) => {
    const seats = [id, id, id]
    await rows('select close_seats($1::uuid[], array[null, null, null]::uuid[], $2::uuid[], now())', [
      seats,
      seats.map(() => randomUUIDv7()),
    ])
    expect(await rows(held, [id])).toEqual([{ cents: 0 }, { cents: 0 }])
  })
})

test('left_to_refund: refunds and disputes of others are not deducted', async () => {
  const [own, refunded, disputed] = [
    await liveCampaign(developer, admin),
    await liveCampaign(developer, admin),
    await liveCampaign(developer, admin),
  ]
  await developer.call('POST', `/campaigns/${refunded.id}/close-seat`)
  await news(disputed.id, 'LOST', disputed.id, 1000)
  await news(own.id, 'OPEN', own.id, 500)
  const left = await t.look('select left_to_refund(id)::int as cents from unnest($1::uuid[]) id', [
    [own.id, refunded.id, disputed.id],
  ])
  expect(left).toEqual([{ cents: 3450 }, { cents: 2300 }, { cents: 2450 }])
})

test('pay_testers: each is paid from the campaign of their place, with their own line, in that order', async () => {
  const campaigns = [await liveCampaign(developer, admin), await liveCampaign(developer, admin)].map(({ id }) => id)
  const testers = [await t.signUp('TESTER'), await t.signUp('TESTER'), await t.signUp('TESTER')].map(
    ({ user }) => user.id,
  )
  await takenBackIn(t, async ({ rows }) => {
    await rows(
      `select pay_testers(array['b', 'none', 'a'], array[$1, $1, $2]::uuid[], $3::uuid[], array[700, 0, 900],
        array['Seven', 'Nothing', 'Nine'], now())`,
      [campaigns[1], campaigns[0], testers],
    )
    expect(
      await rows(
        `select user_id as tester, type, status, amount_cents::int as cents, description, campaign_id as campaign
          from transactions where user_id = any($1) order by seq`,
        [testers],
      ),
    ).toEqual([
      {
        tester: testers[0],
        type: 'CREDIT',
        status: 'COMPLETED',
        cents: 700,
        description: 'Seven',
        campaign: campaigns[1],
      },
      {
        tester: testers[2],
        type: 'CREDIT',
        status: 'COMPLETED',
        cents: 900,
        description: 'Nine',
        campaign: campaigns[0],
      },
    ])
    expect(
      await rows(
        `select business_key as key, amount_cents::int as cents, campaign_id as campaign, d.owner_id as payer, c.owner_id as tester
          from transfers join accounts d on d.id = debit_account_id join accounts c on c.id = credit_account_id
          where business_key in ('a', 'b', 'none') order by transfers.id`,
      ),
    ).toEqual([
      { key: 'b', cents: 700, campaign: campaigns[1], payer: campaigns[1], tester: testers[0] },
      { key: 'a', cents: 900, campaign: campaigns[0], payer: campaigns[0], tester: testers[2] },
    ])
  })
})

describe('a transfer', () => {
  const revenue = `account_of('PLATFORM_REVENUE', null)`
  const owed = `account_of('REFUNDS_OWED', null)`

  test('post_transfer: carries its campaign', async () => {
    const { id } = await liveCampaign(developer, admin)
    await takenBackIn(t, async ({ rows }) => {
      await rows(`select post_transfer('one', ${revenue}, ${owed}, 5, $1, now())`, [id])
      expect(
        await rows(`select campaign_id as id, amount_cents::int as cents from transfers where business_key = 'one'`),
      ).toEqual([{ id, cents: 5 }])
    })
  })

  test('of zero is skipped, even under a used key, next to others that are posted again', async () => {
    await takenBackIn(t, async ({ rows, refused }) => {
      await rows(
        `select post_transfers(array['x', 'y'], array[${revenue}, ${revenue}], array[${owed}, ${owed}], array[5, 6], null, now())`,
      )
      const again = `post_transfers(array['x', 'y'], array[${revenue}, ${revenue}], array[${owed}, ${owed}], array[$1::bigint, 6], null, now())`
      expect(await refused(again, [0])).toBe('nothing was wrong')
      expect(await refused(again, [7])).toBe('transfer x was posted before with other terms')
      expect(
        await rows(`select amount_cents::int as cents from transfers where business_key in ('x', 'y') order by id`),
      ).toEqual([{ cents: 5 }, { cents: 6 }])
    })
  })

  test('accounts_of: gives each owner’s account in its place, and makes one for an owner who is named twice', async () => {
    await takenBackIn(t, async ({ one, rows }) => {
      const [first = '', second = ''] = [randomUUIDv7(), randomUUIDv7()].toSorted()
      const ids = await one<string[]>(`accounts_of('TESTER_BALANCE', $1::uuid[])`, [[second, first, second]])
      expect(ids).toEqual([ids[0], ids[1], ids[0]])
      expect(
        await rows('select id, owner_id as owner from accounts where owner_id = any($1) order by owner', [
          [first, second],
        ]),
      ).toEqual([
        { id: ids[1], owner: first },
        { id: ids[0], owner: second },
      ])
    })
  })
})

describe('verify_participations', () => {
  const submittedIn = async (id: string, count: number) => {
    const tests: string[] = []
    for (let place = 0; place < count; place++) tests.push((await joinedBy(await t.signUp('TESTER'), id)).id)
    await t.look(
      `update participations set status = 'SUBMITTED', proof_text = $2, proof_submitted_at = now() where id = any($1)`,
      [tests, proof],
    )
    return tests.toSorted()
  }

  test('returns the tests in a fixed order, whatever order the caller uses', async () => {
    const { id } = await liveCampaign(developer, admin)
    const tests = await submittedIn(id, 3)
    await takenBackIn(t, async ({ one }) => {
      const verify = 'verify_participations($1::uuid[], $2, now())'
      expect(await one(verify, [tests.toReversed(), developer.user.id])).toEqual(tests)
    })
  })

  test('locks the campaign before its tests, so that it waits for a cancellation instead of blocking it', async () => {
    const { id } = await liveCampaign(developer, admin)
    const [seat] = await submittedIn(id, 1)
    const [holder, verifying] = [await connectBeside(t), await connectBeside(t)]
    try {
      await holder.query('begin')
      await holder.query('select from campaigns where id = $1 for update', [id])
      const { rows } = await verifying.query<{ pid: number }>('select pg_backend_pid() as pid')
      const verified = verifying.query('select verify_participations(array[$1]::uuid[], $2, now())', [
        seat,
        developer.user.id,
      ])
      const waits = `select from pg_stat_activity where pid = $1 and wait_event_type = 'Lock'`
      await until(async () => (await holder.query(waits, [rows[0]!.pid])).rowCount !== 0)
      await holder.query('select from participations where id = $1 for update nowait', [seat])
      await holder.query('rollback')
      await verified
    } finally {
      await Promise.all([holder.end(), verifying.end()])
    }
  })
})

test('a test that is not due after all is our error, and rolls back the others', async () => {
  const { id } = await liveCampaign(developer, admin)
  const { id: seat } = await joinedBy(await t.signUp('TESTER'), id)
  await expect(transact(tx => verifyUnreviewed(tx, [seat]))).rejects.toThrow(`refused although due: ${seat}`)
})

test('pay_goodwill: only for an undecided appeal', async () => {
  const { id } = await liveCampaign(developer, admin)
  const { id: seat } = await joinedBy(await t.signUp('TESTER'), id)
  await takenBackIn(t, async ({ one }) => {
    const pay = 'pay_goodwill($1, gen_random_uuid(), now())'
    expect(await one(pay, [seat])).toBe('WRONG_STATE')
    expect(await one(pay, [nobody])).toBe('NOT_FOUND')
  })
})
