/** A lost dispute is covered by the money of another payment of its campaign while a refund is on its way. */
import { afterEach, expect, test } from 'vitest'
import { clock } from '../../kit/clock.ts'
import { transact } from '../../kit/server/db.ts'
import { liveCampaign, type Person } from '../../testing/app.ts'
import { disputedRefundsIn } from '../../testing/disputedRefunds.ts'
import { linesOf } from '../../testing/disputes.ts'
import { brokenChecks } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { stuckPart } from '../../testing/stuckRefund.ts'
import { carryOut, refundReturned } from './calls.ts'
import { disputeChanged, settleDisputes } from './disputes.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')
afterEach(async () => expect(await brokenChecks()).toEqual([]))

const { lateOf, news, overOf, partsOf, settled } = disputedRefundsIn(t, admin)

/** The provider has just been asked for the parts of the campaign's refunds, largest first. */
const sentParts = async (id: string): Promise<string[]> => {
  const sent = await t.look<{ id: string }>(
    `with sent as (update provider_calls c set sent_at = now() from refund_parts p join refunds r on r.id = p.refund_id
        where r.campaign_id = $1 and c.subject_id = p.id and p.status = 'PENDING' returning p.id, p.amount_cents as cents)
      select id from sent order by cents desc`,
    [id],
  )
  return sent.map(part => part.id)
}

/** A running campaign with these free seats whose payment was renewed, while all refunds of the older payment are on their way. */
const renewed = async (seats = 3): Promise<{ developer: Person; id: string; partIds: string[] }> => {
  const developer = await t.signUp('DEVELOPER')
  const { id } = await liveCampaign(developer, admin)
  for (let closed = 3; closed > seats; closed -= 1) await developer.call('POST', `/campaigns/${id}/close-seat`)
  await sentParts(id)
  await t.look('update campaigns set escrow_due_at = $2 where id = $1', [id, clock.now()])
  await admin.call('POST', `/admin/escrow/${id}/renew`, { reason: 'The bank lets us hold it for 90 days only.' })
  const paid = await developer.call('POST', `/campaigns/${id}/renew`, { amountCents: seats * 1150 })
  expect(paid.status).toBe(200)
  return { developer, id, partIds: await sentParts(id) }
}

/** The provider refuses a part that it was asked for. */
const refused = async (partId: string): Promise<void> => {
  expect(await t.look(`select refuse_refund_part($1, 'The card is closed.', now()) as outcome`, [partId])).toEqual([
    { outcome: 'OK' },
  ])
}

/** What covers the loss, and what each account has of the campaign's money, where that is not zero. */
const sumsOf = async (id: string) => ({
  ...(
    await t.look<object>(
      `select covered_cents::int as covered, set_off_cents::int as "setOff" from disputes where campaign_id = $1`,
      [id],
    )
  )[0]!,
  ...Object.fromEntries(
    (
      await t.look<{ kind: string; cents: number }>(
        `select kind, sum(case a.id when credit_account_id then amount_cents else -amount_cents end)::int as cents
          from accounts a join transfers on a.id in (debit_account_id, credit_account_id)
          where campaign_id = $1 group by kind`,
        [id],
      )
    ).flatMap(({ kind, cents }) => (cents === 0 ? [] : [[kind, cents]])),
  ),
})

const lost = (id: string, movements = 1) => news(id, 'LOST', id, undefined, null, movements)
const wonAfterAll = (id: string, movements = 2) => news(id, 'WON', id, undefined, null, movements)
const byBank = { cents: 3450, status: 'COMPLETED', byBank: true }
const byProvider = { ...byBank, byBank: false }
const paid = ['DEBIT COMPLETED 3000', 'DEBIT COMPLETED 3000', 'FEE COMPLETED 450', 'FEE COMPLETED 450']
const back = 'CREDIT COMPLETED 3450'
const returned = 'DEBIT COMPLETED 3450'

test('a refund that the provider refuses after other money has covered the loss is set off, and that money is refunded', async () => {
  const { developer, id } = await renewed()
  await lost(id)
  await settleDisputes.run({})
  expect(await sumsOf(id)).toEqual({ covered: 3450, setOff: 0, PROVIDER_CASH: -3450, REFUNDS_IN_TRANSIT: 3450 })
  await stuckPart(t, id)
  await settled()
  await settled()
  expect(await sumsOf(id)).toEqual({ covered: 0, setOff: 3450 })
  expect(await partsOf(id)).toEqual([byBank, byProvider])
  expect(await linesOf(developer)).toEqual([back, back, back, ...paid, returned].toSorted())
})

test('a refund that comes back after other money has covered the loss is set off, and that money is refunded', async () => {
  const { developer, id, partIds } = await renewed()
  const partId = partIds[0]!
  await lost(id)
  await settleDisputes.run({})
  await carryOut(partId)
  expect(await sumsOf(id)).toEqual({ covered: 3450, setOff: 0 })
  expect(await linesOf(developer)).toEqual([back, back, ...paid])
  await settled()
  const [{ reference }] = (await t.look('select reference from provider_calls where subject_id = $1', [partId])) as [
    { reference: string },
  ]
  await t.look('delete from sandbox_movements where request_id = $1', [partId])
  await transact(tx => refundReturned(tx, partId, reference, 'The account is closed.'))
  await settled()
  await settled()
  expect(await sumsOf(id)).toEqual({ covered: 0, setOff: 3450 })
  expect(await partsOf(id)).toEqual([byBank, byProvider])
  expect(await linesOf(developer)).toEqual([back, back, back, ...paid, returned].toSorted())
})

test('what covered the loss of a payment and was refunded since is not refunded again if the dispute is won after all', async () => {
  const { developer, id } = await renewed()
  await lost(id)
  await settleDisputes.run({})
  await stuckPart(t, id)
  await settled()
  await wonAfterAll(id)
  await settled()
  await settled()
  expect(await sumsOf(id)).toEqual({ covered: 0, setOff: 0 })
  expect(await partsOf(id)).toEqual([byProvider, byProvider])
  expect(await linesOf(developer)).toEqual([back, back, back, ...paid, returned].toSorted())
  // Of both payments, everything was given back.
  await lost(id, 3)
  await settled()
  expect(await sumsOf(id)).toMatchObject({ covered: 0, setOff: 0, DISPUTES_RECEIVABLE: -3450 })
})

test('a refused refund that was paid after all is owed by the developer once other money has been refunded for it', async () => {
  const { id, partIds } = await renewed()
  const partId = partIds[0]!
  await lost(id)
  await settleDisputes.run({})
  await stuckPart(t, id)
  await settled()
  await lateOf(partId, 3450)
  expect(await overOf(id)).toEqual([{ cents: 3450, outcome: null }])
  expect(await sumsOf(id)).toMatchObject({ covered: 0, setOff: 3450, REFUNDS_OVERPAID: -3450 })
  // The bank returns what it took, so the provider's refund is the only one of that payment.
  await wonAfterAll(id)
  await settled()
  expect(await overOf(id)).toEqual([{ cents: 3450, outcome: 'CAME_BACK' }])
  expect(await sumsOf(id)).toEqual({ covered: 0, setOff: 0 })
})

test('refunds that are refused one after the other give back, each time, as much of the money that had covered the loss', async () => {
  const { developer, id, partIds } = await renewed(2)
  await lost(id)
  await settleDisputes.run({})
  // The newer payment covers 2300 of 3450.
  expect(await sumsOf(id)).toMatchObject({ covered: 2300, setOff: 0, DISPUTES_RECEIVABLE: -1150 })
  await refused(partIds[0]!)
  await settleDisputes.run({})
  expect(await sumsOf(id)).toMatchObject({ covered: 1150, setOff: 2300 })
  await refused(partIds[1]!)
  await settled()
  await settled()
  expect(await sumsOf(id)).toEqual({ covered: 0, setOff: 3450 })
  expect(await t.look('select sum(fee_cents)::int as fee from dispute_covers where campaign_id = $1', [id])).toEqual([
    { fee: 0 },
  ])
  expect(await linesOf(developer)).toEqual(
    'CREDIT 1150, CREDIT 2300, DEBIT 3000, FEE 450, CREDIT 2300, DEBIT 2000, FEE 300, DEBIT 1150, CREDIT 1150, DEBIT 1150, CREDIT 1150'
      .split(', ')
      .map(line => line.replace(' ', ' COMPLETED '))
      .toSorted(),
  )
})

test('what a refund pays of a loss covers another lost payment of the campaign', async () => {
  const { id, partIds } = await renewed()
  await lost(id)
  await settleDisputes.run({})
  const [newer] = await t.look<{ id: string }>(
    `select id from payments where campaign_id = $1 and status = 'COMPLETED' order by seq desc limit 1`,
    [id],
  )
  const other = { provider: 'test', reference: `${id}-newer`, paymentId: newer!.id, amountCents: 3450 }
  await transact(tx => disputeChanged(tx, { ...other, reason: 'fraudulent', status: 'LOST', at: clock.now() }))
  await settleDisputes.run({})
  expect(await sumsOf(id)).toMatchObject({ DISPUTES_RECEIVABLE: -3450 })
  await refused(partIds[0]!)
  await settled()
  // The bank has both payments, and nobody owes anything.
  expect(await partsOf(id)).toEqual([byBank])
  expect(
    await t.look('select covered_cents::int as cents from disputes where campaign_id = $1 order by seq', [id]),
  ).toEqual([{ cents: 0 }, { cents: 3450 }])
})
