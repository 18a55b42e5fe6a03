/** What tests read of the books: expressions and statements, with the id of the subject as $1. */
import type { TestApp } from './app.ts'

/** Returns the value of an expression. */
export const oneIn =
  (t: Pick<TestApp, 'look'>) =>
  async <Value>(expression: string, values: unknown[] = []): Promise<Value> =>
    (await t.look<{ value: Value }>(`select ${expression} as value`, values))[0]!.value

export const balance = 'balance_of_tester($1)::int'

/** The balance of a campaign's account. */
export const held = (kind: 'CAMPAIGN_ESCROW' | 'CAMPAIGN_FEE') =>
  `(select balance_cents::int from accounts where kind = '${kind}' and owner_id = $1)`

/** The balance of an account without an owner. */
export const platform = (kind: string) =>
  `(select coalesce(sum(case when credit_account_id = a.id then amount_cents else -amount_cents end), 0)::int
    from accounts a join transfers on a.id in (debit_account_id, credit_account_id) where a.kind = '${kind}' and a.owner_id is null)`

/** The lines of a user's statement. */
export const lines = `select type, status, amount_cents::int as cents, description from transactions where user_id = $1 order by seq`

/** The transfers whose keys contain this id. */
export const moves = `select split_part(business_key, ':', 1) as key, phase, d.kind as from, c.kind as to, amount_cents::int as cents
  from transfers join accounts d on d.id = debit_account_id join accounts c on c.id = credit_account_id
  where business_key like '%' || $1 || '%' order by transfers.id`
