/** What is booked of a charge that only the provider knows after a restore, by the function that books it: book_lost_charge. */
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
  test('is noted with its reference and a key to give it back under, and its fee is booked', async () => {
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

  test('that cost nothing moves nothing', async () => {
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
