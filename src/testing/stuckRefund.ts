import { clock } from '../kit/clock.ts'
import { transact } from '../kit/server/db.ts'
import { refusalsUntilStuck } from '../ledger/rules.ts'
import { sandboxMovements } from '../ledger/server/sandboxFile.ts'
import { refundPaid } from '../ledger/server/stuckRefunds.ts'
import type { TestApp } from './app.ts'

/** A refund of a campaign as the provider leaves it once it has refused it so often that nobody asks any more. Gives its part. */
export const stuckPart = async (
  t: Pick<TestApp, 'look'>,
  campaignId: string,
  reason = 'The payment method did not take the money back (lost or stolen card).',
): Promise<string> => {
  const [part] = await t.look<{ id: string; outcome: string }>(
    `select p.id, refuse_refund_part(p.id, $2, now()) as outcome from refund_parts p join refunds r on r.id = p.refund_id
      where r.campaign_id = $1 and p.status = 'PENDING'`,
    [campaignId, reason],
  )
  if (part?.outcome !== 'OK') throw new Error(`no refund of ${campaignId} is on its way`)
  await t.look(
    `insert into provider_calls (id, provider, kind, subject_id, attempt, key, status, reason, sent_at, created_at, settled_at)
      select gen_random_uuid(), provider, 'REFUND', subject_id, n, key || ':' || n, 'REFUSED', $2, now(), now(), now()
      from provider_calls, generate_series(2, $3::int) n where subject_id = $1 and attempt = 1`,
    [part.id, reason, refusalsUntilStuck],
  )
  await t.look('update refund_parts set stuck_since = now() where id = $1', [part.id])
  return part.id
}

/** In the sandbox's own books, as if it had paid a refund. */
export const refundedThere = async (
  t: Pick<TestApp, 'look'>,
  { id, of, amountCents }: { id: string; of: string; amountCents: number },
): Promise<void> => {
  const movements = await sandboxMovements()
  await movements.record({ key: `late:${id}`, id, kind: 'REFUND', amountCents, of, declined: null, at: clock.now() })
  await t.look(
    `insert into sandbox_movements (request_id, kind, amount_cents, counterparty, at)
      select id, 'REFUND', $2::bigint, counterparty, now() from refund_parts where id = $1`,
    [id, amountCents],
  )
}

/** The sandbox has paid the first attempt after all, and tells. */
export const paidAfterAll = async (t: Pick<TestApp, 'look'>, partId: string): Promise<void> => {
  const [part] = await t.look<{ of: string; amountCents: number }>(
    'select payment_id as of, amount_cents::int as "amountCents" from refund_parts where id = $1',
    [partId],
  )
  await refundedThere(t, { id: partId, ...part! })
  await transact(tx => refundPaid(tx, { partId, key: partId, reference: `late-${partId}` }))
}
