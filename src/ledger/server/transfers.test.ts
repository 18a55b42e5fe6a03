import { describe, expect, test } from 'vitest'
import { draftOf, liveCampaign } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { inParallel, brokenChecks } from '../../testing/observed.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')

describe('the ledger', () => {
  test.each([
    'update transfers set amount_cents = 1',
    'delete from transfers',
    'truncate transfers',
    'truncate transfers cascade',
    'update audit_log set at = at',
    'delete from audit_log',
    'truncate audit_log',
  ])('refuses to %s', async statement => {
    await expect(t.look(statement)).rejects.toThrow('append-only')
  })

  test('posts a transfer once for each business key, and refuses the same key with other terms', async () => {
    const campaign = await liveCampaign(developer, admin)
    const accounts = `account_of('PAYMENTS_IN_TRANSIT', null), account_of('CAMPAIGN_ESCROW', '${campaign.id}')`
    const balance = async () =>
      (
        await t.look<{ balance_cents: number }>(
          `select balance_cents from accounts where kind = 'CAMPAIGN_ESCROW' and owner_id = $1`,
          [campaign.id],
        )
      )[0]!
    const [{ key }] = (await t.look<{ key: string }>(
      `select business_key as key from transfers where campaign_id = $1 and business_key like 'fund-pay:%'`,
      [campaign.id],
    )) as [{ key: string }]
    await inParallel(8, () => t.look(`select post_transfer($1, ${accounts}, 3000, $2, now())`, [key, campaign.id]))
    expect(await balance()).toEqual({ balance_cents: 3000 })
    await expect(t.look(`select post_transfer($1, ${accounts}, 3001, $2, now())`, [key, campaign.id])).rejects.toThrow(
      'with other terms',
    )
  })

  test('opens an account of each kind once for each owner, and returns them in the requested order', async () => {
    const { id } = await draftOf(developer)
    const escrow = `account_of('CAMPAIGN_ESCROW', '${id}')::int`
    const [first] = await t.look<{ escrow: number }>(`select ${escrow} as escrow`)
    // The first owner has only an account of another kind, and the second owner has none.
    const [found] = await t.look<{ fees: number[]; escrows: number[] }>(
      `select accounts_of('CAMPAIGN_FEE', array[$1, $2, $1]::uuid[])::int[] as fees,
        accounts_of('CAMPAIGN_ESCROW', array[$2, $1]::uuid[])::int[] as escrows`,
      [id, '00000000-0000-7000-8000-00000000000a'],
    )
    expect(found!.fees).toHaveLength(3)
    expect(found!.fees[2]).toBe(found!.fees[0])
    expect(new Set(found!.fees).size).toBe(2)
    expect(found!.escrows[1]).toBe(first!.escrow)
  })

  test('knows the balance of a tester who has had no money yet', async () => {
    expect(await t.look('select balance_of_tester(gen_random_uuid())::int as cents')).toEqual([{ cents: 0 }])
  })

  test('names the campaign in each transfer of its money, from the charge on', async () => {
    const { id } = await liveCampaign(developer, admin)
    await developer.call('POST', `/campaigns/${id}/cancel`)
    await t.advance(1)
    const moved = await t.look<{ key: string; campaignId: string | null }>(
      `select split_part(business_key, ':', 1) as key, campaign_id as "campaignId" from transfers
        where business_key like any (select '%:' || c.id || '%' from charges c where c.campaign_id = $1
          union select '%:' || r.id || '%' from refunds r where r.campaign_id = $1
          union select '%:' || p.id || '%' from refund_parts p join refunds r on r.id = p.refund_id where r.campaign_id = $1)`,
      [id],
    )
    expect(new Set(moved.map(({ key }) => key)).size).toBeGreaterThan(5)
    expect(moved.filter(({ campaignId }) => campaignId !== id)).toEqual([])
  })

  test('lets no balance of a person or a campaign fall below zero', async () => {
    const { id } = await draftOf(developer)
    await expect(
      t.look(
        `select post_transfer('overdraft', account_of('CAMPAIGN_ESCROW', $1), account_of('PROVIDER_CASH', null), 1, $1, now())`,
        [id],
      ),
    ).rejects.toThrow('accounts_balance_cents_check')
  })
})

test('the books balance', async () => expect(await brokenChecks()).toEqual([]))
