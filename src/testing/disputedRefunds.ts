/** Refunds of a disputed payment, for tests. */
import { transact } from '../kit/server/db.ts'
import { sandboxMovements } from '../ledger/server/sandboxFile.ts'
import { refundPaid } from '../ledger/server/stuckRefunds.ts'
import type { Person, TestApp } from './app.ts'
import { disputesIn } from './disputes.ts'
import { refundedThere, stuckPart } from './stuckRefund.ts'

/** `t` and `admin` come from `testApp` and `signedUp`, and can be used only once the tests run. */
export const disputedRefundsIn = (t: TestApp, admin: Person) => {
  const disputes = disputesIn(t, admin)
  const { begun, news, paymentOf, settled } = disputes

  /** The refunds that the provider has paid of a campaign's first payment, in cents. */
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

  /** The status of the refund on the developer’s statement. */
  const lineOf = async (id: string) =>
    (
      await t.look<{ status: string }>(`select status from transactions where campaign_id = $1 and type = 'CREDIT'`, [
        id,
      ])
    )[0]?.status

  /** The last refund that the provider has paid of the first payment. */
  const givenBackLast = async (id: string) => (await givenBack(id)).at(-1)

  /** The provider reports that it has paid the first attempt after all, which was for this amount. */
  const lateOf = async (partId: string, amountCents: number): Promise<void> => {
    const { of } = (
      await t.look<{ of: string }>('select payment_id as of from refund_parts where id = $1', [partId])
    )[0]!
    await refundedThere(t, { id: partId, of, amountCents })
    await transact(tx => refundPaid(tx, { partId, key: partId, reference: `late-${partId}` }))
  }

  /** A cancelled campaign: its refund is begun, and the provider is about to be asked for it. */
  const cancelled = async (): Promise<string> => {
    const { developer, id } = await begun()
    await developer.call('POST', `/campaigns/${id}/cancel`)
    return id
  }

  /** The overpaid amounts of a campaign’s refunds, starting with those still owed to us. */
  const overOf = (id: string) =>
    t.look(
      `select o.amount_cents::int as cents, outcome from over_refunds o join refund_parts p on p.id = o.part_id
        join refunds r on r.id = p.refund_id where r.campaign_id = $1 order by outcome nulls first, 1`,
      [id],
    )

  /** A stuck refund of 3450 cents, of which the bank has taken back 1200 since: 2250 are owed. */
  const partlyByBank = async (): Promise<{ id: string; partId: string }> => {
    const id = await cancelled()
    const partId = await stuckPart(t, id)
    await news(id, 'LOST', id, 1200)
    await settled()
    return { id, partId }
  }

  return { ...disputes, givenBack, givenBackLast, partsOf, lineOf, lateOf, cancelled, overOf, partlyByBank }
}
