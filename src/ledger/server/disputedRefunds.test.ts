/** Refunds that were begun before their payment was disputed: what the bank may give back is given back only once. */
import { afterEach, expect, test } from 'vitest'
import { password } from '../../testing/app.ts'
import { disputedRefundsIn } from '../../testing/disputedRefunds.ts'
import { brokenChecks } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { stuckPart } from '../../testing/stuckRefund.ts'
import { settleDisputes } from './disputes.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')
afterEach(async () => expect(await brokenChecks()).toEqual([]))

const { begun, cancelled, givenBack, lineOf, news, partsOf, settled } = disputedRefundsIn(t, admin)

const disputeOf = async (id: string) =>
  (
    await t.look<{ coveredCents: number; setOffCents: number }>(
      `select covered_cents::int as "coveredCents", set_off_cents::int as "setOffCents" from disputes where campaign_id = $1`,
      [id],
    )
  )[0]

test('a refund that was not sent to the provider yet waits for the dispute, and is paid once it is won', async () => {
  const id = await cancelled()
  await news(id, 'OPEN')
  await t.advance(25)
  expect(await givenBack(id)).toEqual([])
  await news(id, 'WON')
  await settled()
  expect(await givenBack(id)).toEqual([3450])
})

test('a refund that the bank has paid instead is set off, and nobody owes anything any more', async () => {
  const id = await cancelled()
  await news(id, 'LOST')
  await t.advance(25)
  expect(await givenBack(id)).toEqual([])
  expect(await disputeOf(id)).toEqual({ coveredCents: 0, setOffCents: 3450 })
  expect(await partsOf(id)).toEqual([{ cents: 3450, status: 'COMPLETED', byBank: true }])
  expect(await lineOf(id)).toBe('COMPLETED')
})

test('if a refund exceeds what the bank took, the rest is paid', async () => {
  const id = await cancelled()
  await news(id, 'LOST', id, 1200)
  await settled()
  await t.advance(25)
  expect(await givenBack(id)).toEqual([2250])
  expect(await partsOf(id)).toEqual([
    { cents: 1200, status: 'COMPLETED', byBank: true },
    { cents: 2250, status: 'COMPLETED', byBank: false },
  ])
})

test('a refund that was set off is owed again and paid when the dispute is won after all, even a second time', async () => {
  const id = await cancelled()
  await news(id, 'LOST', id, 1200)
  await news(id, 'LOST', `${id}-2`, 2250)
  await settled()
  expect(await givenBack(id)).toEqual([])
  expect(await lineOf(id)).toBe('COMPLETED')
  await news(id, 'WON', id, 1200, null, 1)
  expect(await lineOf(id)).toBe('PENDING')
  await news(id, 'LOST', id, 1200, null, 2)
  await settled()
  expect(await lineOf(id)).toBe('COMPLETED')
  await news(id, 'WON', id, 1200, null, 3)
  await settled()
  expect(await givenBack(id)).toEqual([1200])
  expect(await lineOf(id)).toBe('COMPLETED')
})

test('a refund that is owed again can be set off against another dispute, and become owed once more', async () => {
  const id = await cancelled()
  await news(id, 'LOST')
  await settleDisputes.run({})
  await news(id, 'WON', id, 3450, null, 1)
  await news(id, 'LOST', `${id}-2`)
  await settleDisputes.run({})
  expect(await partsOf(id)).toEqual([{ cents: 3450, status: 'COMPLETED', byBank: true }])
  expect(await brokenChecks()).toEqual([])
  await news(id, 'WON', `${id}-2`, 3450, null, 1)
  await settled()
  expect(await givenBack(id)).toEqual([3450])
})

test('a stuck refund is set off, and leaves the list of refunds that an admin has to pay', async () => {
  const id = await cancelled()
  await stuckPart(t, id)
  await news(id, 'LOST')
  await settled()
  expect(await partsOf(id)).toEqual([{ cents: 3450, status: 'COMPLETED', byBank: true }])
  const stuck = await admin.call<{ campaign: { id: string } }[]>('GET', '/admin/stuck-refunds?limit=100')
  expect(stuck.body.filter(({ campaign }) => campaign.id === id)).toEqual([])
})

test('a refund that was sent to the provider is set off only once the provider has refused it', async () => {
  const id = await cancelled()
  await t.look(
    `update provider_calls set sent_at = now() where subject_id in (select p.id from refund_parts p
      join refunds r on r.id = p.refund_id where r.campaign_id = $1)`,
    [id],
  )
  await news(id, 'LOST')
  await settleDisputes.run({})
  expect(await disputeOf(id)).toEqual({ coveredCents: 0, setOffCents: 0 })
  await stuckPart(t, id)
  await settleDisputes.run({})
  expect(await disputeOf(id)).toEqual({ coveredCents: 0, setOffCents: 3450 })
})

test('a refund that is set off is not covered as well: the campaign’s seats cover only the rest of what the bank took', async () => {
  const { developer, id } = await begun()
  await developer.call('POST', `/campaigns/${id}/close-seat`)
  await news(id, 'LOST')
  await settled()
  expect(await disputeOf(id)).toEqual({ coveredCents: 2300, setOffCents: 1150 })
})

test('a developer who was refunded by their bank can delete their account', async () => {
  const { developer, id } = await begun()
  await developer.call('POST', `/campaigns/${id}/cancel`)
  await news(id, 'LOST')
  const deletion = () => developer.call('DELETE', '/users/me', { password, confirmation: 'DELETE' })
  expect((await deletion()).status).toBe(409)
  await settled()
  expect((await deletion()).status).toBe(204)
})

test('what two banks took of one payment counts together: only the rest of a refund is paid', async () => {
  const { developer, id } = await begun()
  await developer.call('POST', `/campaigns/${id}/close-seat`)
  // Of 3450, 1150 is to be refunded and the banks take 2400: neither part alone is too much, but both are.
  for (const part of ['1', '2']) await news(id, 'LOST', `${id}-${part}`, 1200)
  await settled()
  await t.advance(25)
  expect(await givenBack(id)).toEqual([1050])
  await news(id, 'WON', `${id}-2`, 1200, null, 1)
  await settled()
  // Now everything is back: the other bank has 1200, and the campaign is over.
  expect(await givenBack(id)).toEqual([1050, 1200])
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
