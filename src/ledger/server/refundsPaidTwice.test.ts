/** Refunds that we stopped retrying, or that were paid by other means, and that the payment provider has paid after all. */
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fundedBy, password } from '../../testing/app.ts'
import { disputesIn } from '../../testing/disputes.ts'
import { brokenChecks, inParallel, tally } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { refundedThere, stuckRefundsIn } from '../../testing/stuckRefund.ts'
import { clock } from '../../kit/clock.ts'
import { autocommit, transact } from '../../kit/server/db.ts'
import type { Needs } from '../../dashboards/contract.ts'
import { compareWithProvider } from './books.ts'
import { bookedWith } from './comparing.queries.ts'
import { sendCall } from './calls.queries.ts'
import { refundReturned } from './calls.ts'
import { coverRefundPart } from './payouts.queries.ts'
import { sandboxMovements } from './sandboxFile.ts'
import { refundPaid } from './stuckRefunds.ts'

const t = testApp()
const ann = signedUp(t, 'ADMIN', { name: 'Ann' })
const bob = signedUp(t, 'ADMIN', { name: 'Bob' })
const { paymentOf } = disputesIn(t, ann)

const { act, callsOf, lineOf, movedOf, paidTwice, pay, setLimit, shown, statusOf, stuck, told, transfer } =
  stuckRefundsIn(t, ann)
beforeEach(() => setLimit(null))
afterEach(async () => {
  expect(await brokenChecks()).toEqual([])
  expect((await compareWithProvider({ inFull: true })).offCents).toBe(0)
})

describe('when the provider reports that it has paid a refused attempt after all', () => {
  const late = (id: string, attempt = 7) => ({
    partId: id,
    key: `${id}:${attempt}`,
    reference: `late-${id}-${attempt}`,
  })
  const tell = (id: string, attempt?: number) => transact(tx => refundPaid(tx, late(id, attempt)))

  test('a refund that is still owed is settled by that, and a record that waits for a second admin lapses', async () => {
    await setLimit(1500)
    const { developer, campaignId, id } = await stuck()
    await pay(ann, id)
    await paidThere(id, (await paymentOf(campaignId)).id)
    await tell(id)
    await tell(id)
    expect((await movedOf(campaignId)).slice(1)).toEqual([
      { way: 'REFUNDS_IN_TRANSIT to REFUNDS_OWED', phase: 'VOID', cents: 3450 },
      { way: 'REFUNDS_OWED to PROVIDER_CASH', phase: 'SINGLE', cents: 3450 },
    ])
    expect([await statusOf(id), (await lineOf(developer)).status]).toEqual(['COMPLETED', 'COMPLETED'])
    expect((await act(bob, id, 'confirm')).status).toBe(409)
    expect(await shown(ann, id)).toBeUndefined()
  })

  test('a developer who deletes their account takes along what admins noted, and notifications that name them', async () => {
    await setLimit(1500)
    const { developer, campaignId, id } = await stuck()
    await pay(ann, id, { ...transfer, note: 'Dee called.' })
    await act(bob, id, 'confirm')
    await paidThere(id, (await paymentOf(campaignId)).id)
    await tell(id)
    await act(bob, id, 'settle', { note: 'Dee gave it back.' })
    const notes = () =>
      t.look(
        `select note from outside_refunds where part_id = $1 union all select note from over_refunds where part_id = $1`,
        [id],
      )
    const notifications = async () =>
      (await t.look(`select from notifications where about_kind = 'STUCK_REFUND' and about_id = $1`, [id])).length
    expect(await notes()).toEqual([{ note: 'Dee called.' }, { note: 'Dee gave it back.' }])
    expect(await notifications()).toBeGreaterThan(1)
    expect((await developer.call('DELETE', '/users/me', { password })).status).toBe(204)
    expect(await notes()).toEqual([{ note: null }, { note: null }])
    expect(await notifications()).toBe(0)
  })

  test('a refund paid by other means is paid twice: admins are told, the developer owes it, and an admin settles it', async () => {
    const { campaignId, id } = await stuck()
    await pay(ann, id)
    await paidThere(id, (await paymentOf(campaignId)).id)
    await tell(id)
    await tell(id)
    expect((await movedOf(campaignId)).at(-1)).toEqual({
      way: 'REFUNDS_OVERPAID to PROVIDER_CASH',
      phase: 'SINGLE',
      cents: 3450,
    })
    expect(await brokenChecks()).toEqual([])
    expect((await compareWithProvider({ inFull: true })).offCents).toBe(0)
    expect((await told(bob))[0]).toMatchObject({
      subject: 'Paid twice: a refund of $34.50',
      text: expect.stringContaining('Dee has been paid twice'),
    })
    expect(await shown(bob, id)).toMatchObject({
      state: 'PAID_TWICE',
      amountCents: 3450,
      outside: { reference: transfer.reference },
      actions: ['settle'],
      next: expect.stringContaining('the developer has $34.50 twice'),
    })
    const { needs } = (await ann.call<Needs>('GET', '/dashboard/needs')).body
    expect(needs.filter(({ kind }) => kind === 'REFUNDS_PAID_TWICE')).toMatchObject([{ count: 1 }])
    expect(await paidTwice()).toMatchObject({ count: 1, amountCents: 3450 })
    const ours: unknown[] = []
    for await (const page of bookedWith(autocommit, 'sandbox')) ours.push(...page.filter(each => each.id === id))
    expect(ours).toMatchObject([{ cents: -3450, pendingCents: 0 }])
    const settled = await inParallel(6, index =>
      act(index % 2 === 0 ? ann : bob, id, 'settle', { note: 'Given back.' }),
    )
    expect(tally(settled)).toEqual({ 200: 1, 409: 5 })
    expect((await movedOf(campaignId)).at(-1)).toMatchObject({ way: 'PAID_OUTSIDE to REFUNDS_OVERPAID', cents: 3450 })
    expect(await shown(ann, id)).toBeUndefined()
    expect(await paidTwice()).toMatchObject({ count: 0, amountCents: 0, oldestAt: null })
    const again = `select settle_over_refund(id, $2, 'Once more.', now()) as outcome from over_refunds where part_id = $1`
    expect(await t.look(again, [id, ann.user.id])).toEqual([{ outcome: 'WRONG_STATE' }])
  })

  test.each([
    ['before it is settled', false, 'PROVIDER_CASH to REFUNDS_OVERPAID'],
    ['after it was settled', true, 'PROVIDER_CASH to PAID_OUTSIDE'],
  ])(
    'money that was paid twice and comes back %s is with the provider again, and the refund stays paid',
    async (_, settles, way) => {
      const { campaignId, id } = await stuck()
      await pay(ann, id)
      const { id: paymentId } = await paymentOf(campaignId)
      await paidThere(id, paymentId)
      await tell(id)
      if (settles) await act(ann, id, 'settle', { note: 'They keep it.' })
      await cameBackThere(id, paymentId)
      const comeBack = () => transact(tx => refundReturned(tx, id, late(id).reference, 'Sent back.'))
      await comeBack()
      await comeBack()
      expect((await movedOf(campaignId)).at(-1)).toEqual({ way, phase: 'SINGLE', cents: 3450 })
      expect([await statusOf(id), await shown(ann, id)]).toEqual(['COMPLETED', undefined])
      await t.advance(7)
      expect(await callsOf(id)).toHaveLength(20)
    },
  )

  test('a refund that keeps coming back and being reported as paid is owed each time it comes back', async () => {
    const { campaignId, id } = await stuck()
    const comeBack = () => transact(tx => refundReturned(tx, id, late(id).reference, 'Sent back.'))
    for (let time = 1; time <= 3; time++) {
      await tell(id)
      expect(await statusOf(id)).toBe('COMPLETED')
      await comeBack()
      expect(await statusOf(id)).toBe('PENDING')
    }
    const returned = `select amount_cents::int as cents from transfers where campaign_id = $1 and business_key like 'refund-returned:%'`
    expect(await t.look(returned, [campaignId])).toEqual([{ cents: 3450 }, { cents: 3450 }, { cents: 3450 }])
  })

  test('a refund partly paid before a restore was requested for the rest only, so it is no overpayment', async () => {
    const developer = await t.signUp('DEVELOPER')
    const { id: campaignId } = await fundedBy(developer)
    const { id: paymentId } = await paymentOf(campaignId)
    const earlier = randomUUID()
    await t.look(
      `insert into lost_movements (id, kind, of_id, amount_cents, at) values ($1, 'REFUND', $2, 450, now())`,
      [earlier, paymentId],
    )
    await refundedThere(t, { id: earlier, of: paymentId, amountCents: 450 })
    await developer.call('POST', `/campaigns/${campaignId}/cancel`)
    const { id } = (await t.look<{ id: string }>('select id from refund_parts where payment_id = $1', [paymentId]))[0]!
    // What the job does.
    await coverRefundPart(autocommit, id, paymentId)
    expect(await sendCall(autocommit, id, clock.now())).toMatchObject({ amountCents: 3450, earlierCents: 450 })
    await t.look(`select refuse_refund_part($1, 'No.', now())`, [id])
    await (
      await sandboxMovements()
    ).record({
      key: id,
      id,
      kind: 'REFUND',
      amountCents: 3450,
      earlierCents: 450,
      of: paymentId,
      declined: null,
      at: clock.now(),
    })
    await t.look(
      `insert into sandbox_movements (request_id, kind, amount_cents, counterparty, at)
        select id, 'REFUND', amount_cents, counterparty, now() from refund_parts where id = $1`,
      [id],
    )
    await transact(tx => refundPaid(tx, { partId: id, key: id, reference: `late-${id}` }))
    expect(await statusOf(id)).toBe('COMPLETED')
    expect(await movedOf(campaignId)).toEqual([{ way: 'REFUNDS_OWED to PROVIDER_CASH', phase: 'SINGLE', cents: 3450 }])
    expect(await t.look('select id from over_refunds where part_id = $1', [id])).toEqual([])
  })

  test('the report waits while a later attempt is on its way', async () => {
    const { id } = await stuck()
    await act(ann, id, 'retry')
    const [part] = await t.look<{ refund: string }>('select refund_id as refund from refund_parts where id = $1', [id])
    await t.look('select begin_refunds(array[$1::uuid], now())', [part!.refund])
    await expect(tell(id)).rejects.toThrow('a later attempt')
    await t.advance(1)
    expect(await statusOf(id)).toBe('COMPLETED')
  })

  test('the report has no effect for an attempt that is known to be paid, or that nobody made', async () => {
    const { id } = await stuck()
    await tell(id, 99)
    expect(await statusOf(id)).toBe('PENDING')
    await act(ann, id, 'retry')
    await t.advance(1)
    await tell(id, 21)
    expect((await callsOf(id))[0]).toMatchObject({ status: 'DONE' })
    expect(await shown(ann, id)).toBeUndefined()
  })
})

const paidThere = (id: string, of: string, amountCents = 3450) => refundedThere(t, { id, of, amountCents })

const cameBackThere = async (id: string, paymentId: string) => {
  const movements = await sandboxMovements()
  await movements.record({
    key: `back:${id}`,
    id: randomUUID(),
    kind: 'RETURN',
    amountCents: 3450,
    of: paymentId,
    declined: null,
    at: clock.now(),
  })
  await t.look('delete from sandbox_movements where request_id = $1', [id])
}
