/** A developer's papers show how much pay and how much fee a bank took back and returned, and agree with the ledger. */
import { beforeAll, expect, test } from 'vitest'
import type { Person } from '../../testing/app.ts'
import { disputesIn } from '../../testing/disputes.ts'
import { goToNextMonth } from '../../testing/months.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import type { Transaction } from '../contract.ts'
import type { PaymentSums, Statement, YearSummary } from '../papersContract.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')
const { begun, campaignOf, news, settled, withProof } = disputesIn(t, admin)
beforeAll(() => goToNextMonth(t))

/** The sums of the month and of the year, which are the same here. */
const sumsOf = async (developer: Person): Promise<PaymentSums> => {
  const { body: month } = await developer.call<Statement>('GET', '/users/me/statement')
  const { body: year } = await developer.call<YearSummary>('GET', '/users/me/year-summary')
  const { campaign: _campaign, ...ofCampaign } = year.paidFor[0]!
  expect(month.payments).toEqual(year.payments)
  expect(ofCampaign).toEqual(year.payments)
  return ofCampaign
}

test('the cover of a lost dispute is split into pay and fee, and so is its return when the dispute is won after all', async () => {
  const { developer, id } = await begun()
  await withProof(id)
  await news(id, 'LOST', id, undefined, null, 1)
  await settled()
  // Two of the three seats, and their fee.
  expect(await campaignOf(developer, id)).toMatchObject({ fundedCents: 1000, feeCents: 150 })
  const lost = { testersPayCents: 3000, feeCents: 450, refundedPayCents: 2000, refundedFeeCents: 300 }
  expect(await sumsOf(developer)).toEqual(lost)

  await news(id, 'WON', id, undefined, null, 2)
  expect(await sumsOf(developer)).toEqual({ ...lost, testersPayCents: 5000, feeCents: 750 })
  await settled()
  // Everything is refunded by now.
  expect(await sumsOf(developer)).toEqual({
    testersPayCents: 5000,
    feeCents: 750,
    refundedPayCents: 4000,
    refundedFeeCents: 600,
  })
  // Neither line links to a receipt or credit note, because there is none.
  const { data } = (await developer.call<{ data: Transaction[] }>('GET', '/users/me/transactions')).body
  const ofBank = data.filter(({ description }) => description.includes('by your bank'))
  expect(ofBank.map(({ paymentId, refundId }) => [paymentId, refundId])).toEqual([
    [null, null],
    [null, null],
  ])
})
