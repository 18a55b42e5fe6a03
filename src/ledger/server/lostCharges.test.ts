/**
 * After a restore, only the provider knows of some movements. These functions book them: book_lost_charge, book_lost_dispute,
 * return_lost_refund, pay_lost_return.
 */
import { describe, expect, test } from 'vitest'
import { fundedBy } from '../../testing/app.ts'
import { brokenChecks } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { takenBackIn } from '../../testing/takenBack.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')

const id = '01900000-0000-7000-8000-00000000000c'
const book = `book_lost_charge('${id}', $1, 3450, $2, 'stripe', 'pi_lost', '2031-01-05T10:00:00Z', now())`
const feesBooked = `select d.kind as debit, c.kind as credit, amount_cents::int as cents
  from transfers join accounts d on d.id = debit_account_id join accounts c on c.id = credit_account_id
  where business_key = 'provider-fee:${id}'`

describe('a charge that nobody here knows of', () => {
  test('is recorded with its reference and a key for giving it back, and its fee is booked', async () => {
    const campaign = await fundedBy(developer)
    await takenBackIn(t, async ({ one, rows }) => {
      expect(await one(book, [campaign.id, 131])).toBe(true)
      expect(
        await rows(
          `select kind, of_id as campaign, amount_cents::int as cents, at, provider, fee_cents::int as fee, reference,
            refund_key as key, booked_at as booked from lost_movements where id = $1`,
          [id],
        ),
      ).toEqual([
        {
          kind: 'CHARGE',
          campaign: campaign.id,
          cents: 3450,
          at: new Date('2031-01-05T10:00:00Z'),
          provider: 'stripe',
          fee: 131,
          reference: 'pi_lost',
          key: `lost:${id}`,
          booked: null,
        },
      ])
      expect(await rows(feesBooked)).toEqual([{ debit: 'PROVIDER_FEES', credit: 'PROVIDER_CASH', cents: 131 }])
    })
  })

  test('without a fee moves nothing', async () => {
    const campaign = await fundedBy(developer)
    await takenBackIn(t, async ({ one, rows }) => {
      expect(await one(book, [campaign.id, 0])).toBe(true)
      expect(await rows(feesBooked)).toEqual([])
    })
  })

  test('is booked once', async () => {
    const campaign = await fundedBy(developer)
    await takenBackIn(t, async ({ one, rows }) => {
      await one(book, [campaign.id, 131])
      expect(await one(book, [campaign.id, 500])).toBe(false)
      expect(await rows(feesBooked)).toHaveLength(1)
    })
  })

  test('is left alone when it is known after all', async () => {
    const campaign = await fundedBy(developer)
    const [{ charge }] = (await t.look<{ charge: string }>(`select id as charge from charges where campaign_id = $1`, [
      campaign.id,
    ])) as [{ charge: string }]
    await takenBackIn(t, async ({ one, rows }) => {
      expect(await one(book.replace(id, charge), [campaign.id, 131])).toBe(false)
      expect(await rows('select id from lost_movements where id = $1', [charge])).toEqual([])
    })
    expect(await brokenChecks()).toEqual([])
  })
})

const other = '01900000-0000-7000-8000-00000000000d'

type News = {
  charge?: string
  cents: number
  status: 'OPEN' | 'WON' | 'LOST'
  refunded?: number
  moved?: number
  fees?: number[]
}
/** `moved`: how often the bank has moved the money so far. */
const told = (reference: string, { charge = id, cents, status, refunded = 0, moved = 1, fees = [] }: News) => {
  const movements = Array.from({ length: moved }, (_, at) => at + 1)
  return `book_lost_dispute(gen_random_uuid(), 'stripe', '${reference}', '${charge}', ${cents}, 'Fraudulent.', '${status}', ${refunded},
    '{${movements.join()}}', '{${movements.map((_, at) => fees[at] ?? 0).join()}}', now(), now())`
}
const losses = `select d.reference, covered_cents::int as covered, coalesce(sum(cents), 0)::int as lost
  from lost_disputes d left join lost_dispute_bookings b on b.dispute_id = d.id and b.kind = 'LOSS'
  group by d.reference, covered_cents order by d.reference`

describe('when a bank takes it back', () => {
  test('several disputes of one charge together take only what has not gone back, whatever banks took of another', async () => {
    const campaign = await fundedBy(developer)
    await takenBackIn(t, async ({ one, rows }) => {
      await one(book, [campaign.id, 0])
      await one(book.replace(id, other).replace('pi_lost', 'pi_other'), [campaign.id, 0])
      await one(told('of-other', { charge: other, cents: 3000, status: 'LOST' }))
      await one(told('part-1', { cents: 2000, status: 'LOST', refunded: 250 }))
      await one(told('part-2', { cents: 2000, status: 'LOST', refunded: 250 }))
      expect(await rows(losses)).toEqual([
        { reference: 'of-other', covered: 3000, lost: 0 },
        { reference: 'part-1', covered: 2000, lost: 0 },
        // 3450, minus the 250 that went back and the 2000 of the first dispute.
        { reference: 'part-2', covered: 1200, lost: 800 },
      ])
    })
  })

  test('a lost dispute stays lost until it is won, even if news says that it is open', async () => {
    const campaign = await fundedBy(developer)
    await takenBackIn(t, async ({ one, rows }) => {
      await one(book, [campaign.id, 0])
      expect(await one(told('lost', { cents: 3450, status: 'LOST' }))).toBe('LOST')
      expect(await one(told('lost', { cents: 3450, status: 'OPEN', moved: 2 }))).toBe('LOST')
      expect(await one(told('lost', { cents: 3450, status: 'WON', moved: 2 }))).toBe('LOST')
      expect(await rows(losses)).toMatchObject([{ covered: 3450 }])
      expect(await one(told('lost', { cents: 3450, status: 'WON', moved: 3 }))).toBe('WON')
      expect(await rows(losses)).toMatchObject([{ covered: 0 }])
    })
  })

  test('each movement’s fee is booked once, in either direction, and none without a fee', async () => {
    const campaign = await fundedBy(developer)
    await takenBackIn(t, async ({ one, rows }) => {
      await one(book, [campaign.id, 0])
      await one(told('fees', { cents: 3450, status: 'OPEN', fees: [1500] }))
      await one(told('fees', { cents: 3450, status: 'WON', moved: 3, fees: [1500, -500, 0] }))
      await one(told('fees', { cents: 3450, status: 'WON', moved: 3, fees: [1400, -500, 0] }))
      const booked = await rows(
        `select d.kind || ' to ' || c.kind as way, amount_cents::int as cents from transfers
          join accounts d on d.id = debit_account_id join accounts c on c.id = credit_account_id
          where business_key like 'dispute-fee:%' order by transfers.id`,
      )
      expect(booked).toEqual([
        { way: 'PROVIDER_FEES to PROVIDER_CASH', cents: 1500 },
        { way: 'PROVIDER_CASH to PROVIDER_FEES', cents: 500 },
      ])
    })
  })

  test('news about an unknown charge has no effect', () =>
    takenBackIn(t, async ({ one }) => {
      expect(await one(told('nobody', { cents: 100, status: 'LOST' }))).toBe('NOT_FOUND')
    }))
})

const first = '01900000-0000-7000-8000-0000000000e1'
const second = '01900000-0000-7000-8000-0000000000e2'
const lostRefund = (refund: string, of: string, cents: number) =>
  `insert into lost_movements (id, kind, of_id, amount_cents, at) values ('${refund}', 'REFUND', '${of}', ${cents}, now())`
const comesBack = (refund: string, reference: string) => `return_lost_refund('${refund}', '${reference}', now())`

describe('when a refund from before a restore comes back', () => {
  test('a refund of a charge that nobody here knows is made again under another key', async () => {
    const campaign = await fundedBy(developer)
    await takenBackIn(t, async ({ one, rows }) => {
      await one(book, [campaign.id, 0])
      await rows(`update lost_movements set booked_at = now() where id = '${id}'`)
      await rows(lostRefund(first, id, 3450))
      expect(await one(comesBack(first, 're_1'))).toBe(true)
      expect(await one(comesBack(first, 're_1'))).toBe(false)
      expect(
        await rows(
          `select refund_key as key, booked_at as booked, returned_at is not null as back from lost_movements where id = '${id}'`,
        ),
      ).toEqual([{ key: `lost:${id}:re_1`, booked: null, back: true }])
    })
  })

  /** What is owed again as refunds come back one after the other, if this much was taken off the campaign's refund. */
  const owedAgain = async (coveredCents: number, refunds: Record<string, number>) => {
    const campaign = await fundedBy(developer)
    await developer.call('POST', `/campaigns/${campaign.id}/cancel`)
    let owed: { cents: number; key: string }[] = []
    await takenBackIn(t, async ({ one, rows }) => {
      const payment = await one<string>('(select id from payments where campaign_id = $1)', [campaign.id])
      await rows(`update refund_parts set covered_cents = $1 where payment_id = $2`, [coveredCents, payment])
      for (const [refund, cents] of Object.entries(refunds)) await rows(lostRefund(refund, payment, cents))
      for (const refund of Object.keys(refunds)) await one(comesBack(refund, 're_1'))
      owed = await rows('select amount_cents::int as cents, refund_key as key from lost_returns order by id')
    })
    return owed
  }

  test('it is owed again to the extent that it had been deducted', async () => {
    expect(await owedAgain(500, { [first]: 500 })).toEqual([{ cents: 500, key: `lost:${first}:re_1` }])
    expect(await owedAgain(500, { [first]: 300, [second]: 450 })).toEqual([
      { cents: 50, key: `lost:${first}:re_1` },
      { cents: 450, key: `lost:${second}:re_1` },
    ])
    expect(await owedAgain(0, { [first]: 500 })).toEqual([])
  })

  test('when one is paid again it is a lost refund again, and the others are still owed', async () => {
    const campaign = await fundedBy(developer)
    await takenBackIn(t, async ({ one, rows }) => {
      const payment = await one<string>('(select id from payments where campaign_id = $1)', [campaign.id])
      for (const refund of [first, second]) {
        await rows(`insert into lost_returns (id, payment_id, amount_cents, at, returned_at, refund_key)
          values ('${refund}', '${payment}', 500, '2031-01-05T10:00:00Z', now(), 'lost:${refund}:re_1')`)
      }
      expect(await one(`pay_lost_return('${first}', 're_2')`)).toBe(true)
      expect(await one(`pay_lost_return('${first}', 're_2')`)).toBe(false)
      expect(await rows('select id from lost_returns')).toEqual([{ id: second }])
      expect(
        await rows(
          `select kind, of_id as of, amount_cents::int as cents, at, provider, reference from lost_movements where id = '${first}'`,
        ),
      ).toEqual([
        {
          kind: 'REFUND',
          of: payment,
          cents: 500,
          at: new Date('2031-01-05T10:00:00Z'),
          provider: 'stripe',
          reference: 're_2',
        },
      ])
    })
  })
})
