/** What the lowest functions of the ledger promise: transfers, pending transfers, and the balances of accounts that carry none. */
import { randomUUIDv7 } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { fundedBy, liveCampaign } from '../../testing/app.ts'
import { allFinal, brokenChecks, connectBeside } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { held, oneIn, platform } from '../../testing/readings.ts'
import { type Beside, takenBackIn } from '../../testing/takenBack.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')

const takenBack = (work: (beside: Beside) => Promise<void>) => takenBackIn(t, work)

describe('pending money', () => {
  test('resolve_pending: is resolved once, with exactly its own terms', async () => {
    const { id } = await fundedBy(developer)
    await takenBack(async ({ one, rows, refused }) => {
      const [transit, cash, escrow] = [
        await one<string>(`account_of('PAYMENTS_IN_TRANSIT', null)`),
        await one<string>(`account_of('PROVIDER_CASH', null)`),
        await one<string>(`account_of('CAMPAIGN_ESCROW', $1)`, [id]),
      ]
      await one(`post_pending('p', $1, $2, 700, $3, now())`, [cash, transit, id])
      const resolved = (
        key: string,
        phase: string,
        of: string,
        from: string,
        to: string,
        cents: number,
      ): [string, unknown[]] => [
        'resolve_pending($1, $2, $3, $4, $5, $6, $7, now())',
        [key, phase, of, from, to, cents, id],
      ]
      for (const wrong of [
        resolved('q', 'POST', 'nothing', transit, escrow, 700),
        resolved('q', 'POST', 'p', transit, escrow, 701),
        resolved('q', 'POST', 'p', escrow, transit, 700),
        resolved('q', 'VOID', 'p', transit, escrow, 700),
      ])
        expect(await refused(...wrong)).toContain('resolves no pending transfer of these terms')
      await one(...resolved('q', 'POST', 'p', transit, escrow, 700))
      expect(await one(held('CAMPAIGN_ESCROW'), [id])).toBe(3700)
      // Repeating the same resolution is fine; a different one is refused.
      await one(...resolved('q', 'POST', 'p', transit, escrow, 700))
      expect(await one(held('CAMPAIGN_ESCROW'), [id])).toBe(3700)
      expect(await refused(...resolved('r', 'VOID', 'p', transit, cash, 700))).toMatch(
        /transfers_pending|duplicate key/,
      )
      expect(await refused(...resolved('s', 'VOID', 'q', escrow, transit, 700))).toContain(
        'resolves no pending transfer',
      )
      expect(await rows(`select phase from transfers where business_key in ('p', 'q') order by id`)).toEqual([
        { phase: 'PENDING' },
        { phase: 'POST' },
      ])
      // An amount of zero moves no money, and leaves no transfer behind.
      await one(...resolved('z', 'POST', 'p', transit, escrow, 0))
      expect(await rows(`select from transfers where business_key = 'z'`)).toEqual([])
    })
  })

  test('post_transfer: the same key moves once, and is refused with other terms', async () => {
    const { id } = await fundedBy(developer)
    await takenBack(async ({ one, refused }) => {
      const post = `post_transfer('once', account_of('PAYMENTS_IN_TRANSIT', null), account_of($2, $1), $3::bigint, $1, now())`
      await one(post, [id, 'CAMPAIGN_ESCROW', 5])
      await one(post, [id, 'CAMPAIGN_ESCROW', 5])
      expect(await one(held('CAMPAIGN_ESCROW'), [id])).toBe(3005)
      expect(await refused(post, [id, 'CAMPAIGN_ESCROW', 6])).toContain('with other terms')
      expect(await refused(post, [id, 'CAMPAIGN_FEE', 5])).toContain('with other terms')
    })
  })
})

test('balance_after and mark_balance: marks change no balance at any moment', async () => {
  for (let paid = 0; paid < 2; paid++) await liveCampaign(developer, admin)
  await allFinal(t)
  await takenBack(async ({ one, rows, refused }) => {
    const cash = await one<string>(`account_of('PROVIDER_CASH', null)`)
    const ids = await rows<{ id: string }>(
      'select id from transfers where $1 in (debit_account_id, credit_account_id) order by id',
      [cash],
    )
    const told = async () => {
      const sums: number[] = []
      for (const { id } of ids) sums.push(await one<number>('balance_after($1, $2)::int', [cash, id]))
      return sums
    }
    const before = await told()
    expect(before.at(-1)).toBe(await one(platform('PROVIDER_CASH')))
    const [escrow] = await rows<{ id: string }>(`select id from accounts where kind = 'CAMPAIGN_ESCROW' limit 1`)
    expect(await refused('mark_balance($1, 2)', [escrow!.id])).toContain('carries its balance itself')
    expect(await one('mark_balance($1, 2)', [cash])).toBe(ids[1]!.id)
    expect(await one('mark_balance($1, 2)', [cash])).toBe(ids[3]!.id)
    expect(await one('mark_balance($1, 1000)', [cash])).toBe(null)
    expect(
      await rows(
        'select up_to as id, balance_cents::int as cents from account_marks where account_id = $1 order by up_to',
        [cash],
      ),
    ).toEqual([
      { id: ids[1]!.id, cents: before[1] },
      { id: ids[3]!.id, cents: before[3] },
    ])
    expect(await told()).toEqual(before)
  })
})

test('lock_accounts: locks these accounts against transfers, and no others', async () => {
  const [{ id: mine }, { id: other }] = [await liveCampaign(developer, admin), await liveCampaign(developer, admin)]
  const one = oneIn(t)
  const account = (campaign: string) => one<string>(`account_of('CAMPAIGN_ESCROW', $1)`, [campaign])
  const [locked, free] = [await account(mine), await account(other)]
  const [holder, beside] = await Promise.all([connectBeside(t), connectBeside(t)])
  const take = (id: string) => beside.query('select from accounts where id = $1 for no key update nowait', [id])
  try {
    await holder.query('begin')
    await holder.query('select lock_accounts(array[$1]::bigint[])', [locked])
    await expect(take(locked)).rejects.toThrow('could not obtain lock')
    expect((await take(free)).rowCount).toBe(1)
  } finally {
    await holder.query('rollback')
    await Promise.all([holder.end(), beside.end()])
  }
})

test('hold_free_balances: locks balances that nobody else has locked, and returns their testers, including those never paid', async () => {
  const [taken, free, never] = [randomUUIDv7(), randomUUIDv7(), randomUUIDv7()]
  for (const tester of [taken, free]) await t.look(`select account_of('TESTER_BALANCE', $1)`, [tester])
  const [holder, beside] = await Promise.all([connectBeside(t), connectBeside(t)])
  const take = (tester: string) =>
    beside.query('select from accounts where owner_id = $1 for no key update nowait', [tester])
  try {
    await beside.query('begin')
    await take(taken)
    await holder.query('begin')
    const { rows } = await holder.query<{ held: string[] }>('select hold_free_balances($1) as held', [
      [never, taken, free],
    ])
    expect(new Set(rows[0]!.held)).toEqual(new Set([never, free]))
    expect((await beside.query('select hold_free_balances($1) as held', [[never, free]])).rows).toEqual([{ held: [] }])
    await beside.query('rollback')
    expect((await take(taken)).rowCount).toBe(1)
    await expect(take(free)).rejects.toThrow('could not obtain lock')
  } finally {
    await holder.query('rollback')
    await Promise.all([holder.end(), beside.end()])
  }
})

test('refuse_unposted: balances and transfers can be written only by posting', async () => {
  for (const statement of [
    `update accounts set balance_cents = balance_cents + 1 where kind = 'PROVIDER_CASH'`,
    `insert into accounts (kind, owner_id, balance_cents) values ('TESTER_BALANCE', gen_random_uuid(), 1)`,
  ])
    await expect(t.look(statement)).rejects.toThrow('written by post_phases alone')
})

afterAll(async () => expect(await brokenChecks()).toEqual([]))
