/** What the demo has none of: payouts that wait for two admins, and books that were found to be wrong. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Session } from '../../src/accounts/contract.ts'
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

const richest = `select u.email from users u join accounts a on a.owner_id = u.id
  where a.kind = 'TESTER_BALANCE' and a.balance_cents >= 2000 and u.email not like 'sofia%'
  order by a.balance_cents desc limit 2`

type Place = { address: string; url: string; admin: Session; password: string }

/** Two payouts above the limit: one to release, and one that another admin has released. */
export const holdPayouts = async ({ address, url, admin, password }: Place): Promise<void> => {
  const email = 'colleague@example.com'
  await send(address, 'POST', '/auth/register', { body: { name: 'Ines Duarte', role: 'DEVELOPER', email, password } })
  await onDatabase(url, `update users set role = 'ADMIN' where email = '${email}'`)
  const colleague = await signIn(address, email, password)
  await send(address, 'PATCH', '/admin/settings', { token: admin.accessToken, body: { payoutApprovalCents: 1500 } })
  const testers = await onDatabase<{ email: string }>(url, richest)
  const asked: string[] = []
  for (const tester of testers) {
    const { accessToken: token } = await signIn(address, tester.email, password)
    const { id } = await send<{ id: string }>(address, 'POST', '/testers/withdraw', {
      token,
      body: { amountCents: 2000 },
    })
    asked.push(id)
  }
  await send(address, 'POST', `/admin/payouts/${asked[0]}/release`, { token: colleague.accessToken })
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
