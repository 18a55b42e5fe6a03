/** Whoever has got hold of one of the product's connections can do nothing to the ledger but post. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { liveCampaign } from '../../testing/app.ts'
import { cloneTemplate, emptyDatabase, productUrlOf } from '../../testing/databases.ts'
import { brokenChecks, connectBeside } from '../../testing/observed.ts'
import { superuserOf } from '../../testing/plans.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { connect, disconnect, autocommit, sql } from './db.ts'
import { migrate, migrationFolder } from './migrate.ts'
import { readMigrations } from './migrationFiles.ts'
import { type ProductRole, settleProductRole } from './roles.ts'

const t = testApp({}, { own: true })
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
let campaign: string
let product: pg.Client
let owner: pg.Client
beforeAll(async () => {
  campaign = (await liveCampaign(developer, admin)).id
  product = await connectBeside({ databaseUrl: productUrlOf(t.databaseUrl) })
  owner = await connectBeside(t)
})
afterAll(() => Promise.all([product.end(), owner.end()]))

const books = () =>
  t.look(`select (select json_agg(a order by id) from accounts a) as accounts,
    (select json_agg(x order by id) from transfers x) as transfers`)

/** Runs statements one after the other, and returns the error of the first that fails. Everything is rolled back. */
const refusedBy = async (client: pg.Client, statements: string[]): Promise<string> => {
  await client.query('begin')
  try {
    for (const statement of statements) await client.query(statement)
    return 'nothing refused it'
  } catch (error) {
    return (error as Error).message
  } finally {
    await client.query('rollback; reset all; reset role')
  }
}

const mark = `select set_config('fieldtest.posting', 'on', false)`
const transfer = `insert into transfers (business_key, debit_account_id, credit_account_id, amount_cents, at)
  select 'stolen', account_of('PROVIDER_CASH', null), (select max(id) from accounts), 100000, now()`
const writes = [
  'update accounts set balance_cents = balance_cents + 1',
  `update accounts set owner_id = gen_random_uuid() where owner_id is not null`,
  'delete from accounts',
  'truncate accounts cascade',
  `insert into accounts (kind, owner_id, balance_cents) values ('TESTER_BALANCE', gen_random_uuid(), 1)`,
  'update transfers set amount_cents = 1',
  'delete from transfers',
  'truncate transfers',
  transfer,
]
const changesOfTables = [
  'alter table accounts disable trigger all',
  'alter table transfers disable trigger transfers_append_only',
  'drop trigger accounts_posted on accounts',
  'alter table accounts drop constraint accounts_balance_cents_check',
  `create trigger mine before insert on transfers for each row execute function refuse_change()`,
  'create rule mine as on insert to transfers do instead nothing',
  'drop table transfers cascade',
  'alter table accounts owner to current_user',
  'create or replace function post_transfers(p_keys text[], p_debits bigint[], p_credits bigint[], p_amounts bigint[], p_campaigns uuid[], p_now timestamptz) returns void language sql as $$ $$',
  'alter function account_of(text, uuid) security invoker',
  `alter function account_of(text, uuid) set search_path = pg_temp, public`,
  'create function public.mine() returns int language sql as $$ select 1 $$',
  'create table public.mine (id int)',
  `create table mine (account bigint references accounts (id))`,
  `select setval('transfers_id_seq', 1)`,
  `delete from schema_functions`,
]

describe('the product’s role', () => {
  test('is the one that the product signs in with', async () => {
    const role = await autocommit.value(sql`select session_user || ' ' || current_user`)
    expect(role).toBe('fieldtest_app fieldtest_app')
  })

  test.each([...writes, ...changesOfTables])('is refused: %s', async statement => {
    const before = await books()
    expect(await refusedBy(product, [mark, statement])).toMatch(/permission denied|must be (owner|able to SET ROLE)/)
    expect(await books()).toEqual(before)
  })

  test.each(['set role fieldtest', 'set session authorization fieldtest', 'set role postgres'])(
    'cannot become another role: %s',
    async statement => {
      expect(await refusedBy(product, [statement])).toMatch('permission denied')
      expect(await refusedBy(product, ['reset role', 'reset session authorization', 'delete from transfers'])).toMatch(
        'permission denied',
      )
    },
  )

  /** Anything found before the ledger's own objects would run with their owner's rights. */
  test.each([
    ['a table', ['create temp table accounts (id bigint, kind text, owner_id uuid, balance_cents bigint)']],
    [
      'an operator',
      [
        `create function pg_temp.steal(bigint, bigint) returns bigint language plpgsql as
          $$ begin update public.accounts set balance_cents = 1; return 0; end $$`,
        'create operator pg_temp.+ (leftarg = bigint, rightarg = bigint, function = pg_temp.steal)',
      ],
    ],
    [
      'a function',
      [
        `create function pg_temp.cardinality(anyarray) returns int language plpgsql as
          $$ begin delete from public.transfers; return 0; end $$`,
      ],
    ],
  ])('cannot put %s in place of the ledger’s own', async (_, preparation) => {
    const balance = async () =>
      (
        await product.query<{ cents: string; stolen: string }>(
          `select (select balance_cents from public.accounts where kind = 'CAMPAIGN_ESCROW' and owner_id = $1) as cents,
            (select count(*) from public.transfers where campaign_id = $1) as stolen`,
          [campaign],
        )
      ).rows[0]!
    const before = await balance()
    await product.query('begin')
    try {
      for (const statement of preparation) await product.query(statement)
      await product.query(`set local search_path = pg_temp, public, pg_catalog`)
      await product.query(
        `select public.post_transfer($1, public.account_of('PROVIDER_CASH', null), public.account_of('CAMPAIGN_ESCROW', $2), 5, $2, now())`,
        [randomUUID(), campaign],
      )
      const after = await balance()
      expect(Number(after.cents)).toBe(Number(before.cents) + 5)
      expect(Number(after.stolen)).toBe(Number(before.stolen) + 1)
    } finally {
      await product.query('rollback')
    }
  })

  test('may run every function, and the public may run none', async () => {
    const { rows } = await owner.query(`select p.oid::regprocedure::text from pg_proc p
      where pronamespace = 'public'::regnamespace and not exists (select from pg_depend where objid = p.oid and deptype = 'e')
        and (has_function_privilege('public', p.oid, 'EXECUTE') or not has_function_privilege('fieldtest_app', p.oid, 'EXECUTE'))`)
    expect(rows).toEqual([])
  })

  test('every function with the owner’s rights sets its search path, with temporary objects last', async () => {
    const { rows } = await owner.query<{ name: string; path: string }>(
      `select proname as name, array_to_string(proconfig, ' ') as path from pg_proc
        where prosecdef and pronamespace = 'public'::regnamespace order by 1`,
    )
    expect(rows.map(({ name }) => name)).toEqual([
      'account_of',
      'accounts_of',
      'hold_free_balances',
      'lock_accounts',
      'mark_balance',
      'post_phases',
      'settled_sequence',
    ])
    expect(new Set(rows.map(({ path }) => path))).toEqual(new Set(['search_path=pg_catalog, public, pg_temp']))
  })

  test('may write a table made by a later migration as soon as it exists', async () => {
    await owner.query('begin; create table later (id int generated always as identity, text text); commit')
    await product.query(`insert into later (text) values ('x'); update later set text = 'y'; delete from later`)
    await owner.query('drop table later')
  })
})

describe('the owner of the tables', () => {
  test.each(writes)('is refused by a trigger: %s', async statement => {
    const before = await books()
    expect(await refusedBy(owner, [statement])).toMatch(/append-only|written by post_phases alone/)
    expect(await books()).toEqual(before)
  })

  test('may not change balances after a posting in the same transaction', async () => {
    const posting = `select post_transfer('more', account_of('PROVIDER_CASH', null), account_of('CAMPAIGN_ESCROW', '${campaign}'), 5, '${campaign}', now())`
    expect(await refusedBy(owner, [posting, writes[0]!])).toMatch('written by post_phases alone')
  })

  test('cannot turn one account into another, even where a posting may change its balance', async () => {
    const rename = `update accounts set kind = 'CAMPAIGN_FEE' where kind = 'CAMPAIGN_ESCROW'`
    expect(await refusedBy(owner, [mark, rename])).toMatch('accounts is append-only')
    expect(await refusedBy(owner, [mark, 'delete from accounts'])).toMatch('accounts is append-only')
  })
})

/** Databases of their own, on the same PostgreSQL. */
describe('a given database', () => {
  const superuser = superuserOf(inject('serverUrl'))
  const asSuperuser = async (...statements: string[]) => {
    const client = new pg.Client({ connectionString: superuser })
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  }
  const as = (url: string, user: string) => {
    const made = new URL(url)
    made.username = user
    made.password = 'x'
    return made.href
  }
  const settle = async (url: string, ownerUrl: string, keepsSession = true): Promise<ProductRole> => {
    const { release } = await readMigrations(migrationFolder)
    return settleProductRole({ url, ownerUrl, keepsSession, release })
  }
  const named = () => `role_${randomUUID().replaceAll('-', '')}`
  /** Owned by a new role with these attributes. */
  const given = async (attributes = '') => {
    const name = named()
    const empty = await emptyDatabase(inject('serverUrl'))
    await asSuperuser(
      `create role ${name} login password 'x' ${attributes}`,
      `alter database ${new URL(empty).pathname.slice(1)} owner to ${name}`,
    )
    await migrate(as(empty, name))
    return { name, url: as(empty, name) }
  }

  test('with two addresses works as the role of the first, to which the owner grants what it needs', async () => {
    const { name, url } = await given()
    await asSuperuser(`create role ${name}_shop login password 'x'`)
    const shop = as(url, `${name}_shop`)
    expect(await settle(shop, url)).toEqual({ way: 'LOGIN', name: `${name}_shop` })
    const client = new pg.Client({ connectionString: shop })
    await client.connect()
    await client.query('update users set name = name')
    await expect(client.query('delete from transfers')).rejects.toThrow('permission denied')
    await client.end()
  })

  test('whose owner may create roles works as one that the owner created, at the next start as well', async () => {
    const { name, url } = await given('createrole')
    expect(await settle(url, url)).toEqual({ way: 'SET_ROLE', name: `${name}_app` })
    expect(await settle(url, url)).toEqual({ way: 'SET_ROLE', name: `${name}_app` })
    await disconnect()
    connect({ url, workAs: `${name}_app` })
    await expect(autocommit.raw('delete from transfers')).rejects.toThrow('permission denied')
    expect(await autocommit.value(sql`select current_user::text`)).toBe(`${name}_app`)
    await disconnect()
    connect({ url: productUrlOf(t.databaseUrl), ownerUrl: t.databaseUrl })
  })

  test.each([
    ['whose owner may create none', '', true, /that of DATABASE_URL may make none/],
    ['behind a pooler in transaction mode', 'createrole', false, /pooler/],
  ])('%s is guarded by triggers only, and this is said', async (_, attributes, keepsSession, why) => {
    const { url } = await given(attributes)
    expect(await settle(url, url, keepsSession)).toMatchObject({
      way: 'NONE',
      why: expect.stringMatching(why) as string,
    })
  })

  test('whose product’s role may act as the owner is guarded by triggers only, and this is said', async () => {
    const { name, url } = await given()
    await asSuperuser(`create role ${name}_shop login password 'x' in role ${name}`)
    expect(await settle(as(url, `${name}_shop`), url)).toMatchObject({
      way: 'NONE',
      why: expect.stringContaining('may act as') as string,
    })
  })

  const exists = async (role: string) => (await t.look('select from pg_roles where rolname = $1', [role])).length > 0

  test('refuses another superuser than the owner of its tables, and nothing is made for that one', async () => {
    const { name, url } = await given()
    const other = `${name}_other`
    await asSuperuser(`create role ${other} login password 'x' superuser`)
    const refused = `The tables of this database belong to “${name}”`
    // A command needs no role of its own, and no migration.
    await migrate(as(url, other))
    await expect(settle(as(url, other), as(url, other))).rejects.toThrow(refused)
    expect(await exists(`${other}_app`)).toBe(false)
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(`update schema_functions set hash = 'old' where name = 'post_transfer'`)
    await expect(migrate(as(url, other))).rejects.toThrow(refused)
    const { rows } = await client.query(`select hash from schema_functions where name = 'post_transfer'`)
    expect(rows).toEqual([{ hash: 'old' }])
    await migrate(url)
    await client.end()
    await asSuperuser(`drop role ${other}`)
  })

  test('that belongs to a role of which that of DATABASE_URL is a member is guarded by triggers alone', async () => {
    const { name, url } = await given()
    const member = `${name}_member`
    await asSuperuser(`create role ${member} login password 'x' createrole in role ${name}`)
    expect(await settle(as(url, member), as(url, member))).toMatchObject({
      way: 'NONE',
      why: expect.stringContaining(`“${member}” may act as “${name}”, which owns the tables`) as string,
    })
    expect(await exists(`${member}_app`)).toBe(false)
  })

  test('from before there were roles gets what is missing, and what should not be granted is taken back', async () => {
    const url = await cloneTemplate(inject('serverUrl'))
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(`grant insert, update on accounts to fieldtest_app; grant update (amount_cents) on transfers to fieldtest_app;
      revoke all on campaigns from fieldtest_app; grant execute on function account_of(text, uuid) to public`)
    expect(await settle(productUrlOf(url), url)).toEqual({ way: 'LOGIN', name: 'fieldtest_app' })
    const { rows } =
      await client.query(`select has_any_column_privilege('fieldtest_app', 'accounts', 'INSERT, UPDATE') as a,
      has_any_column_privilege('fieldtest_app', 'transfers', 'INSERT, UPDATE') as t,
      has_table_privilege('fieldtest_app', 'campaigns', 'DELETE') as c,
      has_function_privilege('public', 'account_of(text, uuid)', 'EXECUTE') as f`)
    expect(rows).toEqual([{ a: false, t: false, c: true, f: false }])
    await client.end()
  })
})

test('the books balance', async () => expect(await brokenChecks()).toEqual([]))
