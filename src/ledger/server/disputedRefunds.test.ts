/** Refunds that were begun before a dispute of the payment that they come from: what the bank may give back is given back once. */
import { afterEach, expect, test } from 'vitest'
import { disputesIn } from '../../testing/disputes.ts'
import { brokenChecks } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { sandboxMovements } from './sandboxFile.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')
afterEach(async () => expect(await brokenChecks()).toEqual([]))

const { begun, news, paymentOf, settled } = disputesIn(t, admin)

/** What the provider has given back of the first payment for a campaign, in cents. */
const givenBack = async (id: string) => {
  const { id: charge } = await paymentOf(id)
  const all = [...(await (await sandboxMovements()).all()).values()]
  return all.filter(({ kind, of }) => kind === 'REFUND' && of === charge).map(({ amountCents }) => amountCents)
}

/** Its refund is begun, and the provider is about to be asked for it. */
const cancelled = async (): Promise<string> => {
  const { developer, id } = await begun()
  await developer.call('POST', `/campaigns/${id}/cancel`)
  return id
}

test('a refund that the provider was not asked for yet waits for the dispute, and is paid once it is won', async () => {
  const id = await cancelled()
  await news(id, 'OPEN')
  await t.advance(25)
  expect(await givenBack(id)).toEqual([])
  await news(id, 'WON')
  await settled()
  expect(await givenBack(id)).toEqual([3450])
})

test('a refund that the provider was not asked for yet is not paid of what the bank took', async () => {
  const id = await cancelled()
  await news(id, 'LOST')
  await t.advance(25)
  expect(await givenBack(id)).toEqual([])
})

test('two banks’ parts of one payment count together: a refund beyond what they left is not paid', async () => {
  const { developer, id } = await begun()
  await developer.call('POST', `/campaigns/${id}/close-seat`)
  // 1150 of 3450 are to go back, and 2400 are taken: neither of the two parts alone is too much.
  for (const part of ['1', '2']) await news(id, 'LOST', `${id}-${part}`, 1200)
  await t.advance(25)
  expect(await givenBack(id)).toEqual([])
  await news(id, 'WON', `${id}-2`, 1200, null, 1)
  await settled()
  // All of it: 1200 are the other bank's, and the campaign is over.
  expect(await givenBack(id)).toEqual([1150, 1100])
})

test('a refund does not wait for disputes of other payments', async () => {
  const [open, lost, id] = await Promise.all([begun(), begun(), cancelled()])
  await news(open.id, 'OPEN')
  await news(lost.id, 'LOST')
  await settled()
  expect(await givenBack(id)).toEqual([3450])
  await news(open.id, 'WON')
  await settled()
})
