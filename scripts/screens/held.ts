/** What the demo lacks: payouts that wait for two admins, refunds that are refused for good, and wrong books. */
import { randomUUID } from 'node:crypto'
import { appendFile } from 'node:fs/promises'
import pg from 'pg'
import type { Session } from '../../src/accounts/contract.ts'
import { lineOf } from '../../src/ledger/server/movements.ts'
import { send, signIn } from './people.ts'

const onDatabase = async <Row>(url: string, query: string): Promise<Row[]> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row & pg.QueryResultRow>(query)).rows
  } finally {
    await client.end()
  }
}

/** The amount from which payouts need two admins: two testers of the demo have more than that at any hour. */
const limitCents = 1000

const richest = `select u.email, a.balance_cents::int as cents from users u join accounts a on a.owner_id = u.id
  where a.kind = 'TESTER_BALANCE' and a.balance_cents > ${limitCents} and u.email not like 'sofia%'
  order by a.balance_cents desc limit 2`

type Place = { address: string; url: string; admin: Session; password: string }

/** Two payouts above the limit: one to release, and one that another admin, who also wants the limit off, has released. */
export const holdPayouts = async ({ address, url, admin, password }: Place): Promise<void> => {
  const email = 'colleague@example.com'
  await send(address, 'POST', '/auth/register', { body: { name: 'Ines Duarte', role: 'DEVELOPER', email, password } })
  await onDatabase(url, `update users set role = 'ADMIN' where email = '${email}'`)
  const colleague = await signIn(address, email, password)
  await send(address, 'PATCH', '/admin/settings', {
    token: admin.accessToken,
    body: { payoutApprovalCents: limitCents },
  })
  const testers = await onDatabase<{ email: string; cents: number }>(url, richest)
  if (testers.length < 2) throw new Error('the demo has no two testers to pay more than $10')
  const asked: string[] = []
  for (const tester of testers) {
    const { accessToken: token } = await signIn(address, tester.email, password)
    const { id } = await send<{ id: string }>(address, 'POST', '/testers/withdraw', {
      token,
      body: { amountCents: Math.min(tester.cents, 2000) },
    })
    asked.push(id)
  }
  await send(address, 'POST', `/admin/payouts/${asked[0]}/release`, { token: colleague.accessToken })
  await send(address, 'PATCH', '/admin/settings', { token: colleague.accessToken, body: { payoutApprovalCents: null } })
}

/**
 * Three refunds that the provider refuses for good: one still open, one that a colleague has paid by other means, and one that
 * was paid twice. Jobs are paused until then, so that none of the refunds is paid before.
 */
export const refuseRefunds = async ({
  address,
  url,
  admin,
  password,
  owner,
}: Place & { owner: string }): Promise<void> => {
  const { accessToken: token } = admin
  const { accessToken: asOwner } = await signIn(address, owner, password)
  const { accessToken: asColleague } = await signIn(address, 'colleague@example.com', password)
  const reason = 'The payment provider answers nothing.'
  await send(address, 'POST', '/admin/operations/pause-jobs', { token, body: { reason } })
  const parts: string[] = []
  for (const title of ['Tide Tables', 'Night Bus', 'Ferry Times']) {
    const part = await refusedRefund({ address, url, token: asOwner }, title)
    parts.push(part.id)
    if (parts.length === 1) continue
    const body = { amountCents: part.amountCents, reference: 'SEPA 2026-11-23 0815-4711', note: 'Asked for by phone.' }
    await send(address, 'POST', `/admin/stuck-refunds/${part.id}/pay`, { token: asColleague, body })
    if (parts.length === 3) await send(address, 'POST', `/admin/stuck-refunds/${part.id}/confirm`, { token })
  }
  await payAfterAll(url, parts[2]!)
  await send(address, 'POST', '/admin/operations/resume-jobs', { token })
}

type Owner = { address: string; url: string; token: string }
type Made = { id: string; amountCents: number }

const refusedRefund = async ({ address, url, token }: Owner, title: string): Promise<Made> => {
  const { id, totalCostCents: amountCents } = await send<{ id: string; totalCostCents: number }>(
    address,
    'POST',
    '/campaigns',
    { token, body: { ...terms, title } },
  )
  await send(address, 'POST', `/campaigns/${id}/fund`, { token, body: { amountCents } })
  await send(address, 'POST', `/campaigns/${id}/cancel`, { token })
  const [part] = await onDatabase<Made>(
    url,
    `select p.id, p.amount_cents::int as "amountCents", refuse_refund_part(p.id, '${why}', now() - interval '5 days')
      from refund_parts p join refunds r on r.id = p.refund_id where r.campaign_id = '${id}'`,
  )
  await onDatabase(
    url,
    `with again as (
      insert into provider_calls (id, provider, kind, subject_id, attempt, key, status, reason, sent_at, created_at, settled_at)
        select gen_random_uuid(), provider, 'REFUND', subject_id, n, key || ':' || n, 'REFUSED', reason, past, past, past
        from provider_calls, generate_series(2, 20) n, lateral (select now() - interval '6 hours' * (20 - n) as past) at
        where subject_id = '${part!.id}' and attempt = 1
    )
    update refund_parts set stuck_since = now() - interval '1 hour' where id = '${part!.id}'`,
  )
  return part!
}

const terms = {
  description: 'Use it for two weeks, on the way to work and back.',
  platform: 'android',
  distributionLink: 'https://play.google.com/store/apps/details?id=org.example.app',
  testersRequired: 12,
  payPerTesterCents: 1000,
  durationDays: 14,
}

const why = 'The refund to the payment method failed (lost or stolen card).'

/** Adds the payment to the sandbox's books as well. */
const payAfterAll = async (url: string, id: string): Promise<void> => {
  const [{ path, of, amountCents, at }] = (await onDatabase<{
    path: string
    of: string
    amountCents: number
    at: Date
  }>(
    url,
    `select path, payment_id as of, amount_cents::int as "amountCents", now() as at from sandbox_file, refund_parts p where p.id = '${id}'`,
  )) as [{ path: string; of: string; amountCents: number; at: Date }]
  await appendFile(path, lineOf({ key: id, id, kind: 'REFUND', amountCents, of, declined: null, at: at.toISOString() }))
  await onDatabase(
    url,
    `insert into sandbox_movements (request_id, kind, amount_cents, counterparty, at)
      select id, 'REFUND', amount_cents, counterparty, now() from refund_parts where id = '${id}'`,
  )
  await onDatabase(url, `select book_late_refund(gen_random_uuid(), '${id}', '${id}', 're_late', now())`)
}

/** Stops withdrawals, as a check does that has found something. */
export const findBreach = async (url: string): Promise<void> => {
  const found = { campaign: 'Pocket Herbarium', balance_cents: 18_400, by_its_transfers: 18_150 }
  await onDatabase(
    url,
    `insert into money_breaches (id, check_name, found_at, row_count, off_cents, examples)
      values ('${randomUUID()}', 'ledger-balances', now() - interval '20 minutes', 1, '{"a": 250}', '${JSON.stringify([found])}')`,
  )
}
