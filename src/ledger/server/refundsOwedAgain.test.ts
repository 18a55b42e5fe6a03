/**
 * The bank and the provider both paid a refund: the excess is owed to us, and is not paid once more if the dispute is won after
 * all.
 */
import { afterEach, expect, test } from 'vitest'
import { transact } from '../../kit/server/db.ts'
import { disputedRefundsIn } from '../../testing/disputedRefunds.ts'
import { brokenChecks } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { paidAfterAll, refundedThere, stuckPart } from '../../testing/stuckRefund.ts'
import { refundReturned } from './calls.ts'
import { refundPaid } from './stuckRefunds.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')
afterEach(async () => expect(await brokenChecks()).toEqual([]))

const { cancelled, givenBack, givenBackLast, lateOf, lineOf, news, overOf, partlyByBank, partsOf, paymentOf, settled } =
  disputedRefundsIn(t, admin)

test('a refund that both the bank and the provider have paid is owed by the developer until the dispute is won after all', async () => {
  const id = await cancelled()
  const partId = await stuckPart(t, id)
  await news(id, 'LOST')
  await settled()
  await paidAfterAll(t, partId)
  const twice = async () =>
    (await t.look<{ outcome: string | null }>('select outcome from over_refunds where part_id = $1', [partId]))[0]
  expect(await twice()).toEqual({ outcome: null })
  await news(id, 'WON', id, undefined, null, 1)
  expect(await twice()).toEqual({ outcome: 'CAME_BACK' })
  await settled()
  expect(await partsOf(id)).toEqual([{ cents: 3450, status: 'COMPLETED', byBank: false }])
  expect(await lineOf(id)).toBe('COMPLETED')
})

test('if the provider pays a refund in full after the bank paid a part, that part is an overpayment', async () => {
  const { id, partId } = await partlyByBank()
  await lateOf(partId, 3450)
  expect(await t.look('select amount_cents::int as cents from over_refunds where part_id = $1', [partId])).toEqual([
    { cents: 1200 },
  ])
  expect(await lineOf(id)).toBe('COMPLETED')
})

test('a refund that the provider has paid in full is not paid again when the bank’s share of it is won after all', async () => {
  const { id, partId } = await partlyByBank()
  await lateOf(partId, 3450)
  await news(id, 'WON', id, 1200, null, 1)
  expect(await brokenChecks()).toEqual([])
  await settled()
  expect([await givenBack(id), await lineOf(id)]).toEqual([[3450], 'COMPLETED'])
  expect(await partsOf(id)).toEqual([{ cents: 3450, status: 'COMPLETED', byBank: false }])
  expect(await overOf(id)).toEqual([{ cents: 1200, outcome: 'CAME_BACK' }])
  // The win is reported again, and then the dispute is lost again.
  await news(id, 'WON', id, 1200, null, 1)
  await news(id, 'LOST', id, 1200, null, 2)
  await settled()
  expect(await partsOf(id)).toEqual([{ cents: 3450, status: 'COMPLETED', byBank: false }])
  await t.look('delete from sandbox_movements where request_id = $1', [partId])
  await transact(tx => refundReturned(tx, partId, `late-${partId}`, 'The account is closed.'))
  await settled()
  expect(await partsOf(id)).toEqual([
    { cents: 1200, status: 'COMPLETED', byBank: true },
    { cents: 2250, status: 'PENDING', byBank: false },
  ])
})

test('two banks’ shares of a refund that the provider has paid in full are netted one by one, in either order', async () => {
  const inOrder = async (...order: { name: string; cents: number }[]) => {
    const id = await cancelled()
    const partId = await stuckPart(t, id)
    await news(id, 'LOST', `${id}-first`, 1200)
    await settled()
    await news(id, 'LOST', `${id}-second`, 2250)
    await settled()
    await lateOf(partId, 3450)
    expect(await overOf(id)).toEqual([{ cents: 3450, outcome: null }])
    for (const { name, cents } of order) {
      await news(id, 'WON', `${id}-${name}`, cents, null, 1)
      await settled()
      expect(await brokenChecks()).toEqual([])
      expect(await givenBack(id)).toEqual([3450])
    }
    expect(await partsOf(id)).toEqual([{ cents: 3450, status: 'COMPLETED', byBank: false }])
  }
  await inOrder({ name: 'first', cents: 1200 }, { name: 'second', cents: 2250 })
  await inOrder({ name: 'second', cents: 2250 }, { name: 'first', cents: 1200 })
})

/** Sets what the sandbox's books say it has paid under the id of this part. */
const paidThere = (partId: string, amountCents: number) =>
  t.look('update sandbox_movements set amount_cents = $2 where request_id = $1', [partId, amountCents])

/** Adds a second attempt, refused as well. */
const refusedOf = (partId: string, amountCents: number) =>
  t.look(
    `insert into provider_calls (id, provider, kind, subject_id, attempt, key, status, reason, sent_at, created_at, settled_at, amount_cents)
      select gen_random_uuid(), provider, 'REFUND', subject_id, 21, $1::uuid || ':21', 'REFUSED', 'No.', now(), now(), now(), $2
      from provider_calls where subject_id = $1::uuid and attempt = 1`,
    [partId, amountCents],
  )

test('if the provider’s overpayment is smaller than what is owed again, the rest is paid', async () => {
  const id = await cancelled()
  const partId = await stuckPart(t, id)
  await news(id, 'LOST', `${id}-first`, 2250)
  await settled()
  await refusedOf(partId, 1200)
  await news(id, 'LOST', `${id}-second`, 1200)
  await settled()
  const of = (await paymentOf(id)).id
  await refundedThere(t, { id: partId, of, amountCents: 1200 })
  await transact(tx => refundPaid(tx, { partId, key: `${partId}:21`, reference: 'second' }))
  expect(await overOf(id)).toEqual([{ cents: 1200, outcome: null }])
  await news(id, 'WON', `${id}-first`, 2250, null, 1)
  await settled()
  await t.advance(25)
  expect(await givenBack(id)).toEqual([1200, 1050])
  expect(await partsOf(id)).toEqual([
    { cents: 1200, status: 'COMPLETED', byBank: true },
    { cents: 1050, status: 'COMPLETED', byBank: false },
    { cents: 1200, status: 'COMPLETED', byBank: false },
  ])
})

test('if one of two paid attempts comes back, only the part that it alone had paid is owed again', async () => {
  const { id, partId } = await partlyByBank()
  await admin.call('POST', `/admin/stuck-refunds/${partId}/retry`)
  await t.advance(1)
  await transact(tx => refundPaid(tx, { partId, key: partId, reference: `late-${partId}` }))
  await news(id, 'WON', id, 1200, null, 1)
  await settled()
  expect(await partsOf(id)).toEqual([{ cents: 3450, status: 'COMPLETED', byBank: false }])
  await paidThere(partId, 5700)
  expect(await brokenChecks()).toEqual([])
  await transact(tx => refundReturned(tx, partId, `late-${partId}`, 'The account is closed.'))
  await paidThere(partId, 2250)
  expect(await partsOf(id)).toEqual([
    { cents: 1200, status: 'PENDING', byBank: false },
    { cents: 2250, status: 'COMPLETED', byBank: false },
  ])
  expect(await brokenChecks()).toEqual([])
  await t.advance(6)
  expect([await givenBackLast(id), await lineOf(id)]).toEqual([1200, 'COMPLETED'])
})

test('a late paid attempt for less than is owed by now settles that amount', async () => {
  const { id, partId } = await partlyByBank()
  await refusedOf(partId, 2250)
  await lateOf(partId, 3450)
  await news(id, 'WON', id, 1200, null, 1)
  await transact(tx => refundReturned(tx, partId, `late-${partId}`, 'The account is closed.'))
  await paidThere(partId, 2250)
  await transact(tx => refundPaid(tx, { partId, key: `${partId}:21`, reference: 'second' }))
  expect(await partsOf(id)).toEqual([
    { cents: 1200, status: 'PENDING', byBank: false },
    { cents: 2250, status: 'COMPLETED', byBank: false },
  ])
  await t.advance(6)
  expect([await givenBackLast(id), await lineOf(id)]).toEqual([1200, 'COMPLETED'])
})

const stuckRefunds = async () =>
  (await admin.call<{ id: string; next: string }[]>('GET', '/admin/stuck-refunds?limit=100')).body

test('if a refund was paid by other means and by the provider, the bank’s share that is owed again waits for an admin', async () => {
  const { id, partId } = await partlyByBank()
  await admin.call('POST', `/admin/stuck-refunds/${partId}/pay`, { amountCents: 2250, reference: 'SEPA 0815' })
  await lateOf(partId, 3450)
  await news(id, 'WON', id, 1200, null, 1)
  await t.advance(25)
  expect(await givenBack(id)).toEqual([3450])
  expect(await partsOf(id)).toEqual([
    { cents: 1200, status: 'PENDING', byBank: false },
    { cents: 2250, status: 'COMPLETED', byBank: false },
  ])
  const owed = await t.look<{ id: string }>(
    `select p.id from refund_parts p join refunds r on r.id = p.refund_id where r.campaign_id = $1 and p.status = 'PENDING'`,
    [id],
  )
  expect((await stuckRefunds()).map(stuck => stuck.id)).toEqual(expect.arrayContaining([partId, owed[0]!.id]))
})

/** The bank's share of a refund is owed again; the first attempt had asked for the whole refund. */
const owedAgain = async () => {
  const { id, partId } = await partlyByBank()
  await news(id, 'WON', id, 1200, null, 1)
  const [share] = await t.look<{ id: string; refund: string }>(
    `select p.id, refund_id as refund from refund_parts p join refunds r on r.id = p.refund_id
      where r.campaign_id = $1 and p.id <> $2`,
    [id, partId],
  )
  return { id, partId, share: share! }
}

test.each([
  ['before the provider is asked for the bank’s share', false],
  ['when the provider is about to be asked for the bank’s share', true],
])('a refund paid in full by the provider, as told after a win, %s, is not paid again', async (_, isBegun) => {
  const { id, partId, share } = await owedAgain()
  if (isBegun) await t.look('select begin_refunds(array[$1::uuid], now())', [share.refund])
  await lateOf(partId, 3450)
  expect(await brokenChecks()).toEqual([])
  await t.advance(25)
  expect([await givenBack(id), await lineOf(id)]).toEqual([[3450], 'COMPLETED'])
  expect(await partsOf(id)).toEqual([{ cents: 3450, status: 'COMPLETED', byBank: false }])
  expect(await overOf(id)).toEqual([{ cents: 1200, outcome: 'CAME_BACK' }])
})

test('a share that was sent to the provider separately waits for an admin, and a late answer about it is booked', async () => {
  const { id, partId, share } = await owedAgain()
  await t.look('select begin_refunds(array[$1::uuid], now())', [share.refund])
  await t.look('update provider_calls set amount_cents = 1200, sent_at = now() where subject_id = $1', [share.id])
  await t.look(`select refuse_refund_part($1, 'No.', now())`, [share.id])
  await lateOf(partId, 3450)
  const stuck = async () => (await stuckRefunds()).map(each => each.id)
  expect(await stuck()).toEqual(expect.arrayContaining([partId, share.id]))
  // Lost and won once more.
  await news(id, 'LOST', id, 1200, null, 2)
  await settled()
  expect(await stuck()).not.toContain(share.id)
  await news(id, 'WON', id, 1200, null, 3)
  await t.advance(25)
  expect(await givenBack(id)).toEqual([3450])
  expect(await stuck()).toEqual(expect.arrayContaining([partId, share.id]))
  await lateOf(share.id, 1200)
  expect([await lineOf(id), await overOf(id)]).toEqual(['COMPLETED', [{ cents: 1200, outcome: null }]])
})

/**
 * The provider has paid what the bank had paid, an admin has settled that with the developer, and then the bank's share is won
 * after all.
 */
const settledAndWon = async () => {
  const id = await cancelled()
  const partId = await stuckPart(t, id)
  await news(id, 'LOST')
  await settled()
  await lateOf(partId, 3450)
  await admin.call('POST', `/admin/stuck-refunds/${partId}/settle`, { note: 'They gave it back.' })
  await news(id, 'WON', id, undefined, null, 1)
  await settled()
  return { id, partId }
}

test('a refund that is owed again after an admin settled its overpayment waits for an admin, who can have it paid', async () => {
  const { id, partId } = await settledAndWon()
  await t.advance(25)
  expect([await givenBack(id), await lineOf(id)]).toEqual([[3450], 'PENDING'])
  expect((await stuckRefunds()).find(stuck => stuck.id === partId)?.next).toBe(
    'The payment provider has paid more of this refund than was owed then. Find out who has that money before you pay it.',
  )
  await admin.call('POST', `/admin/stuck-refunds/${partId}/retry`)
  await t.advance(1)
  await paidThere(partId, 6900)
  expect([await givenBack(id), await lineOf(id)]).toEqual([[3450, 3450], 'COMPLETED'])
})

test('if an earlier attempt at a refund that is owed again comes back, that is booked once, and the refund stays owed', async () => {
  const { id, partId } = await settledAndWon()
  for (let time = 1; time <= 2; time++)
    await transact(tx => refundReturned(tx, partId, `late-${partId}`, 'The account is closed.'))
  await t.look('delete from sandbox_movements where request_id = $1', [partId])
  expect(await overOf(id)).toEqual([{ cents: 3450, outcome: 'CAME_BACK' }])
  expect([await partsOf(id), await lineOf(id)]).toEqual([
    [{ cents: 3450, status: 'PENDING', byBank: false }],
    'PENDING',
  ])
})

test('if a partly overpaid refund comes back in full, the part that was due is owed again', async () => {
  const { id, partId } = await partlyByBank()
  await lateOf(partId, 3450)
  await t.look('delete from sandbox_movements where request_id = $1', [partId])
  const comeBack = () => transact(tx => refundReturned(tx, partId, `late-${partId}`, 'The account is closed.'))
  await comeBack()
  await comeBack()
  expect(
    await t.look(
      `select split_part(business_key, ':', 1) as key, amount_cents::int as cents from transfers
        where campaign_id = $1 and business_key like any (array['refund-twice-back:%', 'refund-returned:%']) order by id`,
      [id],
    ),
  ).toEqual([
    { key: 'refund-twice-back', cents: 1200 },
    { key: 'refund-returned', cents: 2250 },
  ])
  expect(await partsOf(id)).toEqual([
    { cents: 1200, status: 'COMPLETED', byBank: true },
    { cents: 2250, status: 'PENDING', byBank: false },
  ])
  expect(await lineOf(id)).toBe('PENDING')
  await admin.call('POST', `/admin/stuck-refunds/${partId}/retry`)
  await t.advance(1)
  expect([await givenBackLast(id), await lineOf(id)]).toEqual([2250, 'COMPLETED'])
})

test('when two attempts were paid and the smaller one comes back, the overpayment shrinks by its amount', async () => {
  const { id, partId } = await partlyByBank()
  await admin.call('POST', `/admin/stuck-refunds/${partId}/retry`)
  await t.advance(1)
  await transact(tx => refundPaid(tx, { partId, key: partId, reference: `late-${partId}` }))
  expect(await overOf(id)).toEqual([{ cents: 3450, outcome: null }])
  await t.look(`update provider_calls set reference = 'second' where key = $1`, [`${partId}:21`])
  await transact(tx => refundReturned(tx, partId, 'second', 'The account is closed.'))
  expect(await overOf(id)).toEqual([
    { cents: 1200, outcome: null },
    { cents: 2250, outcome: 'CAME_BACK' },
  ])
  await t.look('update sandbox_movements set amount_cents = 3450 where request_id = $1', [partId])
  expect(await lineOf(id)).toBe('COMPLETED')
})
