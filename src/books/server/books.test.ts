/** A statement of any account as of any past transfer always shows the same (decision 056). */
import type pg from 'pg'
import { describe, expect, test } from 'vitest'
import type { Campaign } from '../../campaigns/contract.ts'
import { clock } from '../../kit/clock.ts'
import { liveCampaign, paidTester, type Reply } from '../../testing/app.ts'
import { productUrlOf } from '../../testing/databases.ts'
import { allFinal, brokenChecks, connectBeside, inParallel } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import type { Account, AccountLine } from '../contract.ts'
import { markBalances } from './books.ts'
import { until } from '../../testing/until.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')

const accounts = async (query = '') =>
  (await admin.call<{ accounts: Account[] }>('GET', `/admin/ledger/accounts${query}`)).body.accounts
const account = async (id: number, query = '') =>
  (await admin.call<Account>('GET', `/admin/ledger/account?account=${id}${query}`)).body
const platform = async (kind: string) => (await accounts()).find(one => one.kind === kind)!

/** Collected page by page. */
const statement = async (id: number, query = ''): Promise<AccountLine[]> => {
  const lines: AccountLine[] = []
  let next: string | undefined = `/admin/ledger/transfers?account=${id}&limit=3${query}`
  while (next !== undefined) {
    const page: Reply<AccountLine[]> = await admin.call<AccountLine[]>('GET', next)
    lines.push(...page.body)
    next = /<([^>]+)>; rel="next"/.exec(String(page.headers['link']))?.[1]
  }
  return lines
}

/** The ledger's own rows, oldest first. */
const transfersOf = (id: number) =>
  t.look<{ id: number; cents: number }>(
    `select id, case when credit_account_id = $1 then amount_cents else -amount_cents end as cents
      from transfers where $1 in (credit_account_id, debit_account_id) order by id`,
    [id],
  )

describe('the statement', () => {
  test('of each account adds up to the balance after each line, up to whichever transfer is requested', async () => {
    const tester = await paidTester(t, developer, admin, 2000)
    const { id } = await liveCampaign(developer, admin, { testersRequired: 2 })
    await developer.call<Campaign>('POST', `/campaigns/${id}/cancel`)
    await allFinal(t)
    const found = [
      ...(await accounts()),
      ...(await accounts(`?ownerId=${id}`)),
      ...(await accounts(`?ownerId=${tester.user.id}`)),
    ]
    expect(found.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['PROVIDER_CASH', 'CAMPAIGN_ESCROW', 'CAMPAIGN_FEE', 'TESTER_BALANCE']),
    )
    for (const { id: of } of found) {
      const moved = await transfersOf(of)
      const lines = (await statement(of)).toReversed()
      let balance = 0
      const expected = moved.map(({ id: sequence, cents }) => ({
        sequence,
        amountCents: cents,
        balanceAfterCents: (balance += cents),
      }))
      expect(
        lines.map(({ sequence, amountCents, balanceAfterCents }) => ({ sequence, amountCents, balanceAfterCents })),
      ).toEqual(expected)
      expect((await account(of)).balanceCents).toBe(balance)
      for (const { sequence, balanceAfterCents } of expected) {
        expect(await account(of, `&upTo=${sequence}`)).toMatchObject({
          balanceCents: balanceAfterCents,
          upTo: sequence,
        })
        const [newest] = await statement(of, `&upTo=${sequence}`)
        expect(newest).toMatchObject({ sequence, balanceAfterCents })
      }
      expect((await account(of, '&upTo=0')).balanceCents).toBe(0)
    }
  })

  test('says whose account it is, and on which side of which other account', async () => {
    const { id, title } = await liveCampaign(developer, admin)
    const [escrow] = await accounts(`?ownerId=${id}`)
    expect(escrow).toMatchObject({ kind: 'CAMPAIGN_ESCROW', owner: { id, type: 'CAMPAIGN', name: title } })
    expect((await statement(escrow!.id))[0]).toMatchObject({
      key: expect.stringMatching(/^fund-pay:/) as string,
      amountCents: 3000,
    })
    expect((await platform('PROVIDER_CASH')).owner).toBeNull()
  })

  test('of an account that is not there is not found', async () => {
    const { status } = await admin.call('GET', '/admin/ledger/account?account=999999999')
    expect(status).toBe(404)
  })
})

/** Posts from cash to revenue; neither account is locked. */
const post = (client: pg.Client, key: string, cents: number) =>
  client.query(
    `select post_transfer($1, account_of('PROVIDER_CASH', null), account_of('PLATFORM_REVENUE', null), $2, null, now())`,
    [key, cents],
  )
const asProduct = () => connectBeside({ databaseUrl: productUrlOf(t.databaseUrl) })

describe('shown balances never change', () => {
  test('an account that is never locked shows a transfer only once no earlier one can be committed', async () => {
    const [slow, quick] = [await asProduct(), await asProduct()]
    await allFinal(t)
    const { id, upTo } = await platform('PLATFORM_REVENUE')
    await slow.query('begin')
    await post(slow, 'slow', 1)
    await post(quick, 'quick', 2)
    // The transfer with the later id is committed and the earlier one is not, so neither is shown.
    expect((await account(id)).upTo).toBe(upTo)
    expect((await statement(id)).map(({ key }) => key)).not.toContain('quick')
    const committed = await t.look<{ id: number }>(`select id from transfers where business_key = 'quick'`)
    expect((await account(id, `&upTo=${committed[0]!.id}`)).upTo).toBeLessThan(committed[0]!.id)
    await slow.query('commit')
    await allFinal(t)
    const keys = (await statement(id)).slice(0, 2).map(({ key }) => key)
    expect(keys).toEqual(['quick', 'slow'])
    await Promise.all([slow.end(), quick.end()])
  })

  test('an account that carries its balance gets ids in the order of commits', async () => {
    const campaign = await liveCampaign(developer, admin, { testersRequired: 50 })
    const clients = await inParallel(8, asProduct)
    const escrow = (await accounts(`?ownerId=${campaign.id}`))[0]!.id
    const seen: { upTo: number; balanceCents: number }[] = []
    const posting = Promise.all(
      clients.map(async (client, place) => {
        for (let n = 0; n < 20; n++)
          await client.query(
            `select post_transfer($1, account_of('PROVIDER_CASH', null), account_of('CAMPAIGN_ESCROW', $2), 1, $2, now())`,
            [`order:${place}:${n}`, campaign.id],
          )
      }),
    )
    const state = { over: false }
    void posting.finally(() => (state.over = true))
    while (!state.over) seen.push(await account(escrow))
    await posting
    // Whatever was shown as of a transfer while others were posted is still shown now.
    for (const { upTo, balanceCents } of seen)
      expect((await account(escrow, `&upTo=${upTo}`)).balanceCents).toBe(balanceCents)
    expect(seen.length).toBeGreaterThan(1)
    await Promise.all(clients.map(client => client.end()))
  })
})

describe('marks', () => {
  const mark = (id: number, every: number) =>
    t
      .look<{ upTo: number | null }>('select mark_balance($1::bigint, $2::int) as "upTo"', [id, every])
      .then(rows => rows[0]!.upTo)

  test('do not change what is shown', async () => {
    await allFinal(t)
    const cash = await platform('PROVIDER_CASH')
    const before = await statement(cash.id)
    const marked: number[] = []
    for (let upTo = await mark(cash.id, 2); upTo !== null; upTo = await mark(cash.id, 2)) marked.push(upTo)
    expect(marked.length).toBe(Math.trunc(before.length / 2))
    expect(await statement(cash.id)).toEqual(before)
    for (const { sequence, balanceAfterCents } of before)
      expect((await account(cash.id, `&upTo=${sequence}`)).balanceCents).toBe(balanceAfterCents)
    // The mark is in use: a wrong one changes the balance.
    await t.look('begin; update account_marks set balance_cents = balance_cents + 7; commit')
    expect((await account(cash.id)).balanceCents).toBe(cash.balanceCents + 7)
    await t.look('begin; update account_marks set balance_cents = balance_cents - 7; commit')
  })

  test('cover only final transfers', async () => {
    const slow = await asProduct()
    const { id } = await platform('PLATFORM_REVENUE')
    await allFinal(t)
    await until(async () => (await mark(id, 1)) === null)
    await slow.query('begin')
    await post(slow, 'slower', 1)
    await t.look(
      `select post_transfer('after it', account_of('PROVIDER_CASH', null), account_of('PLATFORM_REVENUE', null), 2, null, $1)`,
      [clock.now()],
    )
    await t.look('select settled_sequence()')
    expect(await mark(id, 1)).toBeNull()
    await slow.query('commit')
    await slow.end()
    await allFinal(t)
    expect(await mark(id, 1)).not.toBeNull()
    expect(await mark(id, 1)).not.toBeNull()
    expect(await mark(id, 1)).toBeNull()
  })

  test('are refused for an account that carries its balance', async () => {
    const { id } = await liveCampaign(developer, admin)
    const [escrow] = await accounts(`?ownerId=${id}`)
    await expect(mark(escrow!.id, 1)).rejects.toThrow('carries its balance itself')
  })

  test('can be made by the job as often as it runs', async () => {
    await markBalances.run({})
    await markBalances.run({})
  })
})

/** Transfers posted here belong to no payment or test, so other checks do report them. */
test('balances and marks are the sums of their transfers', async () => {
  const broken = (await brokenChecks()).map(({ check }) => check)
  expect(broken.filter(check => /^(ledger-balances|account-marks)/.test(check))).toEqual([])
})
