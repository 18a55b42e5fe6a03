/** A refund goes back to the payments that it came from, whatever the servers' clocks say, and arrives once. */
import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { fundedBy, password, type Person } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { brokenChecks, inParallel } from '../../testing/observed.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import type { PaymentSummary, Refund, Transaction } from '../contract.ts'
import { payRefundPart } from './calls.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')
afterEach(async () => expect(await brokenChecks()).toEqual([]))

const firstMethod = ({ user }: Person) => user.email
const secondMethod = 'second@example.test'

/** Makes it a draft again, for this many testers. */
const reworked = async (developer: Person, id: string, testersRequired: number) => {
  await admin.call('POST', `/admin/campaigns/${id}/reject`, { reason: 'Another number of testers, please.' })
  return (await developer.call<Campaign>('PATCH', `/campaigns/${id}`, { testersRequired })).body
}

/** Three testers paid for with the account's own method, and three more with a second one: $34.50 each. */
const paidTwice = async () => {
  const developer = await t.signUp('DEVELOPER')
  const { id } = await fundedBy(developer)
  const { outstandingCents } = await reworked(developer, id, 6)
  await developer.call('PATCH', '/users/me', { paymentMethod: secondMethod, currentPassword: password })
  await developer.call('POST', `/campaigns/${id}/fund`, { amountCents: outstandingCents })
  return { developer, id, cancel: () => developer.call('POST', `/campaigns/${id}/cancel`) }
}

const creditsOf = async (developer: Person) =>
  (await developer.call<{ data: Transaction[] }>('GET', '/users/me/transactions?type=CREDIT&limit=100')).body.data
const noteOf = async (developer: Person, refundId: string | null | undefined) =>
  (await developer.call<Refund>('GET', `/users/me/refunds/${refundId}`)).body
const partsOf = (note: Refund) => note.parts.map(({ paymentMethod, amountCents }) => [paymentMethod, amountCents])
/** What the provider gave back for a campaign, and to which payment method. */
const givenBack = async (campaignId: string) =>
  (
    await t.look<{ counterparty: string; amount_cents: number }>(
      `select m.counterparty, m.amount_cents from sandbox_movements m join refund_parts p on p.id = m.request_id
        join refunds r on r.id = p.refund_id where r.campaign_id = $1 order by 2, 1`,
      [campaignId],
    )
  ).map((row): [string, number] => [row.counterparty, row.amount_cents])

describe('a refund', () => {
  test('goes to the payment method that was charged, whatever the profile says by then', async () => {
    const developer = await t.signUp('DEVELOPER')
    await developer.call('PATCH', '/users/me', { paymentMethod: 'charged@example.test', currentPassword: password })
    const { id } = await fundedBy(developer)
    await developer.call('PATCH', '/users/me', { paymentMethod: 'newer@example.test', currentPassword: password })
    await developer.call('POST', `/campaigns/${id}/cancel`)
    await t.advance(1)
    expect(await givenBack(id)).toEqual([['charged@example.test', 3450]])
  })

  test('goes to the method that was charged before it, although another was charged since, and its credit note says so', async () => {
    const developer = await t.signUp('DEVELOPER')
    const { id } = await fundedBy(developer)
    await reworked(developer, id, 2)
    await developer.call('PATCH', '/users/me', { paymentMethod: secondMethod, currentPassword: password })
    const { body } = await developer.call<Campaign>('PATCH', `/campaigns/${id}`, { testersRequired: 6 })
    await developer.call('POST', `/campaigns/${id}/fund`, { amountCents: body.outstandingCents })
    await t.advance(1)
    const [line] = await creditsOf(developer)
    // One seat of three at $10, with its fee.
    const note = await noteOf(developer, line?.refundId)
    expect(note).toMatchObject({ testersPayCents: 1000, feeCents: 150, totalCents: 1150 })
    expect(partsOf(note)).toEqual([[firstMethod(developer), 1150]])
    expect(await givenBack(id)).toEqual([[firstMethod(developer), 1150]])
  })

  test('of two payments is divided between them, and is one line of the statement', async () => {
    const { developer, id, cancel } = await paidTwice()
    await cancel()
    const lines = await creditsOf(developer)
    expect(lines).toMatchObject([{ status: 'PENDING', amountCents: 6900, description: 'Refund' }])
    expect(partsOf(await noteOf(developer, lines[0]?.refundId))).toEqual([
      [secondMethod, 3450],
      [firstMethod(developer), 3450],
    ])
    await t.advance(1)
    expect(await creditsOf(developer)).toEqual([{ ...lines[0], status: 'COMPLETED' }])
    expect(new Map(await givenBack(id))).toEqual(
      new Map([
        [firstMethod(developer), 3450],
        [secondMethod, 3450],
      ]),
    )
  })

  test('takes from the newest payment first, and never more than is left of each', async () => {
    const { developer, id, cancel } = await paidTwice()
    await reworked(developer, id, 5)
    const [first] = await creditsOf(developer)
    expect(partsOf(await noteOf(developer, first?.refundId))).toEqual([[secondMethod, 1150]])
    await cancel()
    const [second] = await creditsOf(developer)
    expect(partsOf(await noteOf(developer, second?.refundId))).toEqual([
      [secondMethod, 2300],
      [firstMethod(developer), 3450],
    ])
    await t.advance(1)
    expect((await creditsOf(developer)).map(line => line.status)).toEqual(['COMPLETED', 'COMPLETED'])
  })

  test('finds the newest payment by the order of taking, not by the clock of the server that took it', async () => {
    const developer = await t.signUp('DEVELOPER')
    const { id } = await fundedBy(developer)
    const { outstandingCents } = await reworked(developer, id, 6)
    // Another server, whose clock is a day behind, takes the second payment.
    const charge = '00000000-0000-7000-8000-000000000001'
    const earlier = `now() - interval '1 day'`
    await t.look(`select begin_charge('${charge}', 'key', $1, $2, $3, 'sandbox', $4, ${earlier})`, [
      id,
      developer.user.id,
      outstandingCents,
      secondMethod,
    ])
    await t.look(`insert into sandbox_movements values ('${charge}', 'CHARGE', $1, $2, null, ${earlier})`, [
      outstandingCents,
      secondMethod,
    ])
    expect(
      await t.look(`select settle_charge('${charge}', 'PAID', null, 0, gen_random_uuid(), ${earlier}) as outcome`),
    ).toEqual([{ outcome: 'OK' }])
    await reworked(developer, id, 5)
    const [line] = await creditsOf(developer)
    expect(partsOf(await noteOf(developer, line?.refundId))).toEqual([[secondMethod, 1150]])
  })

  test('that predates its payment by the clock is paid like any other', async () => {
    const developer = await t.signUp('DEVELOPER')
    const { id } = await fundedBy(developer)
    await t.look(
      'select cancel_campaign($1, $2, created_at - interval $$2 seconds$$) from payments where campaign_id = $1',
      [id, randomUUID()],
    )
    // The job was lost here, and the safety net pays.
    await t.advance(25)
    expect(await givenBack(id)).toEqual([[firstMethod(developer), 3450]])
    expect((await creditsOf(developer)).map(line => line.status)).toEqual(['COMPLETED'])
  })
})

describe('each part of a refund', () => {
  const partIds = async (campaignId: string) =>
    (
      await t.look<{ id: string }>(
        'select p.id from refund_parts p join refunds r on r.id = p.refund_id where r.campaign_id = $1',
        [campaignId],
      )
    ).map(row => row.id)

  test('is settled by itself: while one is missing, the refund is on its way and the books balance', async () => {
    const { developer, id, cancel } = await paidTwice()
    await cancel()
    const [one] = await partIds(id)
    await payRefundPart.run({ partId: one! })
    expect(await brokenChecks()).toEqual([])
    const [line] = await creditsOf(developer)
    expect(line).toMatchObject({ status: 'PENDING', amountCents: 6900 })
    const half = await noteOf(developer, line?.refundId)
    expect(half).toMatchObject({ status: 'PENDING', settledAt: null })
    expect(half.parts.filter(part => part.settledAt !== null)).toHaveLength(1)
    const { body } = await developer.call<PaymentSummary>('GET', '/users/me/payments/summary')
    expect(body).toMatchObject({ refundedCents: 0, onTheWayBackCents: 6900 })
    await t.advance(1)
    expect(await noteOf(developer, line?.refundId)).toMatchObject({ status: 'COMPLETED' })
  })

  test('arrives once, with all of them carried out several times at once', async () => {
    const { developer, id, cancel } = await paidTwice()
    await cancel()
    const ids = await partIds(id)
    await inParallel(10, index => payRefundPart.run({ partId: ids[index % 2]! }))
    await t.advance(1)
    expect(await givenBack(id)).toHaveLength(2)
    expect((await creditsOf(developer)).map(line => line.status)).toEqual(['COMPLETED'])
    const out = `select from transfers where business_key in ('refund-out:' || $1, 'refund-out:' || $2)`
    expect(await t.look(out, ids)).toHaveLength(2)
  })

  test('whose job was lost is made up for after a day', async () => {
    const { developer, id, cancel } = await paidTwice()
    await cancel()
    const [one] = await partIds(id)
    await payRefundPart.run({ partId: one! })
    await t.look(`delete from pgboss.job where name like 'ledger.pay-refund%'`)
    await t.advance(25)
    expect(await givenBack(id)).toHaveLength(2)
    expect((await creditsOf(developer)).map(line => line.status)).toEqual(['COMPLETED'])
  })

  test('keeps its method until it has arrived, and forgets it with the account', async () => {
    const { developer, id, cancel } = await paidTwice()
    await cancel()
    const [one] = await partIds(id)
    await payRefundPart.run({ partId: one! })
    const leave = () => developer.call('DELETE', '/users/me', { password })
    expect((await leave()).status).toBe(409)
    const other = await t.signUp('DEVELOPER')
    const { id: othersId } = await fundedBy(other)
    await t.advance(1)
    expect(await givenBack(id)).toHaveLength(2)
    expect((await leave()).status).toBe(204)
    const [{ kept } = { kept: null }] = await t.look<{ kept: string[] }>(
      `select array_agg(distinct counterparty) as kept from (
        select counterparty from payments where campaign_id = $1
        union all select p.counterparty from refund_parts p join refunds r on r.id = p.refund_id where r.campaign_id = $1
        union all select m.counterparty from sandbox_movements m where m.request_id in (
          select id from payments where campaign_id = $1
          union all select p.id from refund_parts p join refunds r on r.id = p.refund_id where r.campaign_id = $1)) all_of_it`,
      [id],
    )
    expect(kept).toEqual(['Deleted'])
    expect(
      await t.look(
        'select m.counterparty from sandbox_movements m join charges h on h.id = m.request_id where h.campaign_id = $1',
        [othersId],
      ),
    ).toEqual([{ counterparty: firstMethod(other) }])
  })
})
