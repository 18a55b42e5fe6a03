/** Refunds that the payment provider refuses for good, for tests. */
import { clock } from '../kit/clock.ts'
import { transact } from '../kit/server/db.ts'
import type { Transaction } from '../ledger/contract.ts'
import { refusalsUntilStuck } from '../ledger/rules.ts'
import { sandboxMovements } from '../ledger/server/sandboxFile.ts'
import { refundPaid } from '../ledger/server/stuckRefunds.ts'
import type { StuckRefund } from '../ledger/stuckRefundsContract.ts'
import type { Notification } from '../notifications/contract.ts'
import type { Operations } from '../operations/contract.ts'
import { fundedBy, type Person, type TestApp } from './app.ts'

/** A campaign's refund after the provider has refused it so often that it is not asked any more. Returns the refund's part. */
export const stuckPart = async (
  t: Pick<TestApp, 'look'>,
  campaignId: string,
  reason = 'The refund to the payment method failed (lost or stolen card).',
): Promise<string> => {
  const [part] = await t.look<{ id: string; outcome: string }>(
    `select p.id, refuse_refund_part(p.id, $2, now()) as outcome from refund_parts p join refunds r on r.id = p.refund_id
      where r.campaign_id = $1 and p.status = 'PENDING'`,
    [campaignId, reason],
  )
  if (part?.outcome !== 'OK') throw new Error(`no refund of ${campaignId} is on its way`)
  await t.look(
    `update provider_calls c set amount_cents = p.amount_cents - coalesce(p.covered_cents, 0), sent_at = coalesce(sent_at, now())
      from refund_parts p where p.id = $1 and c.subject_id = p.id`,
    [part.id],
  )
  await t.look(
    `insert into provider_calls (id, provider, kind, subject_id, attempt, key, status, reason, sent_at, created_at, settled_at, amount_cents)
      select gen_random_uuid(), provider, 'REFUND', subject_id, n, key || ':' || n, 'REFUSED', $2, now(), now(), now(), amount_cents
      from provider_calls, generate_series(2, $3::int) n where subject_id = $1 and attempt = 1`,
    [part.id, reason, refusalsUntilStuck],
  )
  await t.look('update refund_parts set stuck_since = now() where id = $1', [part.id])
  return part.id
}

/** Adds a paid refund to the sandbox's own books. */
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

/** The sandbox reports that it has paid the first attempt after all. */
export const paidAfterAll = async (t: Pick<TestApp, 'look'>, partId: string): Promise<void> => {
  const [part] = await t.look<{ of: string; amountCents: number }>(
    'select payment_id as of, amount_cents::int as "amountCents" from refund_parts where id = $1',
    [partId],
  )
  await refundedThere(t, { id: partId, ...part! })
  await transact(tx => refundPaid(tx, { partId, key: partId, reference: `late-${partId}` }))
}

type Refused = { code?: string; message?: string; fields?: Record<string, string> }

/** `t` and `admin` come from `testApp` and `signedUp`, and can be used only once the tests run. */
export const stuckRefundsIn = (t: TestApp, admin: Person) => {
  const transfer = { amountCents: 3450, reference: 'SEPA 2026-11-23 0815' }
  const act = (by: Person, id: string, action: string, body?: object, key?: string) =>
    by.call<StuckRefund & Refused>('POST', `/admin/stuck-refunds/${id}/${action}`, body, key)
  const listOf = async (by: Person) => (await by.call<StuckRefund[]>('GET', '/admin/stuck-refunds?limit=100')).body

  return {
    act,
    listOf,
    transfer,
    pay: (by: Person, id: string, body: object = transfer, key?: string) => act(by, id, 'pay', body, key),
    setLimit: (cents: number | null) => t.look('update settings set payout_approval_cents = $1', [cents]),
    /** A stuck refund of a cancelled campaign. */
    stuck: async () => {
      const developer = await t.signUp('DEVELOPER', { name: 'Dee' })
      const { id: campaignId } = await fundedBy(developer)
      await developer.call('POST', `/campaigns/${campaignId}/cancel`)
      const id = await stuckPart(t, campaignId)
      return { developer, campaignId, id }
    },
    shown: async (by: Person, id: string) => (await listOf(by)).find(refund => refund.id === id),
    told: async (person: Person) =>
      (await person.call<Notification[]>('GET', '/users/me/notifications')).body.map(({ subject, text }) => ({
        subject,
        text,
      })),
    /** What the provider was asked for it, newest first. */
    callsOf: (id: string) =>
      t.look<{ key: string; status: string }>(
        'select key, status from provider_calls where subject_id = $1 order by attempt desc',
        [id],
      ),
    statusOf: async (id: string) =>
      (await t.look<{ status: string }>('select status from refund_parts where id = $1', [id]))[0]!.status,
    /** The refund on the developer's statement. */
    lineOf: async (developer: Person) =>
      (await developer.call<{ data: Transaction[] }>('GET', '/users/me/transactions?type=CREDIT')).body.data[0]!,
    paidTwice: async () =>
      (await admin.call<Operations>('GET', '/admin/operations')).body.money.find(
        ({ kind }) => kind === 'REFUNDS_PAID_TWICE',
      ),
    /** The transfers for a campaign, with the kinds of their accounts. */
    movedOf: (campaignId: string) =>
      t.look<{ way: string; phase: string; cents: number }>(
        `select d.kind || ' to ' || c.kind as way, phase, amount_cents::int as cents from transfers
          join accounts d on d.id = debit_account_id join accounts c on c.id = credit_account_id
          where campaign_id = $1 and business_key like any (array['refund-outside%', 'refund-late%', 'refund-twice%']) order by transfers.id`,
        [campaignId],
      ),
  }
}
