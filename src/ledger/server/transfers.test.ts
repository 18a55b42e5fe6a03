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
    const accounts = `account_of('PROVIDER_CASH', null), account_of('CAMPAIGN_ESCROW', '${campaign.id}')`
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
