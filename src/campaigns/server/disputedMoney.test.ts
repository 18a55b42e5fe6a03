/** While a dispute keeps refunds waiting, a campaign's page shows the ledger's amounts: what is held is not shown as paid out. */
import { describe, expect, test } from 'vitest'
import { draftOf, password } from '../../testing/app.ts'
import { disputesIn } from '../../testing/disputes.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import type { Campaign } from '../contract.ts'
import { earnedByTesters, feeEarned, heldOf, refundableOf } from '../seats.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')
const { begun, campaignOf, news, settled, withProof } = disputesIn(t, admin)

/** What the money card shows. */
const shown = (campaign: Campaign) => ({
  held: heldOf(campaign),
  paidOut: earnedByTesters(campaign),
  fee: feeEarned(campaign),
  refundable: refundableOf(campaign),
})

const inLedger = async (id: string) => {
  const [row] = await t.look<{ held: number; paidOut: number; fee: number }>(
    `select (select sum(balance_cents)::int from accounts where kind in ('CAMPAIGN_ESCROW', 'CAMPAIGN_FEE') and owner_id = $1) as held,
      (select coalesce(sum(amount_cents), 0)::int from transfers join accounts a on a.id = credit_account_id
        where campaign_id = $1 and a.kind = 'TESTER_BALANCE') as "paidOut",
      (select coalesce(sum(amount_cents), 0)::int from transfers join accounts a on a.id = credit_account_id
        where campaign_id = $1 and a.kind = 'PLATFORM_REVENUE') as fee`,
    [id],
  )
  return row
}

describe('while the dispute is open', () => {
  test('a cancelled campaign that nobody tested has paid out nothing, for its owner and for admins', async () => {
    const { developer, id } = await begun()
    await news(id, 'OPEN')
    expect((await developer.call('POST', `/campaigns/${id}/cancel`)).status).toBe(200)
    for (const reader of [developer, admin])
      expect(shown(await campaignOf(reader, id))).toEqual({ held: 3450, paidOut: 0, fee: 0, refundable: 0 })
    expect(await inLedger(id)).toEqual({ held: 3450, paidOut: 0, fee: 0 })
  })

  test('a closed seat’s pay and fee stay held, and the last verified test earns its own share alone', async () => {
    const { developer, id } = await begun({ testersRequired: 2 })
    const { participationId } = await withProof(id)
    await news(id, 'OPEN')
    expect(refundableOf(await campaignOf(developer, id))).toBe(0)
    const closed = await developer.call<Campaign>('POST', `/campaigns/${id}/close-seat`)
    expect(shown(closed.body)).toEqual({ held: 2300, paidOut: 0, fee: 0, refundable: 0 })
    expect((await developer.call('POST', `/campaign-testers/${participationId}/verify`)).status).toBe(200)
    expect(shown(await campaignOf(developer, id))).toMatchObject({ ...(await inLedger(id)), held: 1150, paidOut: 1000 })
  })

  test('a draft whose only payment went back at once, because its developer owed money, holds nothing', async () => {
    const { developer, id } = await begun()
    await withProof(id)
    await developer.call('PATCH', '/users/me', { paymentMethod: 'slow@example.test', currentPassword: password })
    const draft = await draftOf(developer)
    await developer.call('POST', `/campaigns/${draft.id}/fund`, { amountCents: draft.totalCostCents })
    await news(id, 'LOST')
    await t.advance(1)
    await news(draft.id, 'OPEN')
    expect(await campaignOf(developer, draft.id)).toMatchObject({
      status: 'DRAFT',
      held: { payCents: 0, feeCents: 0 },
    })
  })
})

test('after it, until the refunds are made, the amounts are the ledger’s too', async () => {
  const { developer, id } = await begun()
  await news(id, 'OPEN')
  await developer.call('POST', `/campaigns/${id}/cancel`)
  await news(id, 'WON')
  expect(shown(await campaignOf(developer, id))).toMatchObject({ held: 3450, paidOut: 0, fee: 0 })
  await settled()
  expect(await campaignOf(developer, id)).toMatchObject({ held: null, fundedCents: 0 })
  expect(shown(await campaignOf(developer, id))).toMatchObject({ held: 0, paidOut: 0, fee: 0 })
})

test('testers do not see what is held', async () => {
  const { id } = await begun({ durationDays: 14 })
  await news(id, 'OPEN')
  expect(await campaignOf(await t.signUp('TESTER'), id)).toMatchObject({ held: null })
})
