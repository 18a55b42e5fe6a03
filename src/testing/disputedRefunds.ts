/** Refunds of a payment that is disputed, as tests need them. */
import { transact } from '../kit/server/db.ts'
import { sandboxMovements } from '../ledger/server/sandboxFile.ts'
import { refundPaid } from '../ledger/server/stuckRefunds.ts'
import type { Person, TestApp } from './app.ts'
import { disputesIn } from './disputes.ts'
import { refundedThere, stuckPart } from './stuckRefund.ts'

/** `t` and `admin` as of `testApp` and `signedUp`, which are there once the tests run. */
export const disputedRefundsIn = (t: TestApp, admin: Person) => {
  const disputes = disputesIn(t, admin)
  const { begun, news, paymentOf, settled } = disputes

  /** What the provider has given back of the first payment for a campaign, in cents. */
  const givenBack = async (id: string) => {
    const { id: charge } = await paymentOf(id)
    const all = [...(await (await sandboxMovements()).all()).values()]
    return all.filter(({ kind, of }) => kind === 'REFUND' && of === charge).map(({ amountCents }) => amountCents)
  }

  const partsOf = (id: string) =>
    t.look(
      `select p.amount_cents::int as cents, p.status, dispute_id is not null as "byBank" from refund_parts p
        join refunds r on r.id = p.refund_id where r.campaign_id = $1 order by 3 desc, 1`,
      [id],
    )

  /** Of the refund on the developer’s statement. */
  const lineOf = async (id: string) =>
    (
      await t.look<{ status: string }>(`select status from transactions where campaign_id = $1 and type = 'CREDIT'`, [
        id,
      ])
    )[0]?.status

  /** The last that the provider has given back of the first payment. */
  const givenBackLast = async (id: string) => (await givenBack(id)).at(-1)

  /** The provider has paid its first attempt after all, which had asked for so much, and tells. */
  const lateOf = async (partId: string, amountCents: number): Promise<void> => {
    const { of } = (
      await t.look<{ of: string }>('select payment_id as of from refund_parts where id = $1', [partId])
    )[0]!
    await refundedThere(t, { id: partId, of, amountCents })
    await transact(tx => refundPaid(tx, { partId, key: partId, reference: `late-${partId}` }))
  }

  /** Its refund is begun, and the provider is about to be asked for it. */
  const cancelled = async (): Promise<string> => {
    const { developer, id } = await begun()
    await developer.call('POST', `/campaigns/${id}/cancel`)
    return id
  }

  /** The overpaid amounts of a campaign’s refunds, those that are still owed to us first. */
  const overOf = (id: string) =>
    t.look(
      `select o.amount_cents::int as cents, outcome from over_refunds o join refund_parts p on p.id = o.part_id
        join refunds r on r.id = p.refund_id where r.campaign_id = $1 order by outcome nulls first, 1`,
      [id],
    )

  /** Stuck, and the bank has taken 1200 of its 3450 cents back since: 2250 are owed. */
  const partlyByBank = async (): Promise<{ id: string; partId: string }> => {
    const id = await cancelled()
    const partId = await stuckPart(t, id)
    await news(id, 'LOST', id, 1200)
    await settled()
    return { id, partId }
  }

  return { ...disputes, givenBack, givenBackLast, partsOf, lineOf, lateOf, cancelled, overOf, partlyByBank }
}
