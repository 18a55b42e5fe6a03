/**
 * The product's role differs from the one that owns and migrates the tables (decision 052): it may write every table except
 * those that only the owner's functions write. Which of three ways the given database allows is found out at the start.
 */
import pg from 'pg'
import { newClient } from '../postgres/client.ts'
import { setRoleLimits } from './limits.ts'
import { takeTurn } from './migrate.ts'
import { releaseOfSchema } from './releases.ts'
import { otherOwner, refuseOtherOwner } from './tableOwner.ts'

/**
 * `LOGIN`: the product signs in with a role of its own. `SET_ROLE`: it signs in as the owner and works as another role, which
 * guards against mistakes. `NONE`: it works as the owner, and only triggers guard the ledger; `why` explains this to people.
 */
export type ProductRole = { way: 'LOGIN' | 'SET_ROLE'; name: string } | { way: 'NONE'; why: string }

let current: ProductRole | undefined

/** Set when the server starts, for metrics. */
export const useProductRole = (role: ProductRole): void => {
  current = role
}
export const productRole = (): ProductRole | undefined => current

/** Tables that the product only reads; the ledger's functions and the migrations write them. */
const onlyRead = [
  'accounts',
  'accounts_id_seq',
  'transfers',
  'transfers_id_seq',
  'account_marks',
  'ledger_horizon',
  'schema_migrations',
  'schema_functions',
  'schema_releases',
]

type Connections = {
  /** The product's address. */
  url: string
  /** The address for the role that owns the tables, past any pooler. */
  ownerUrl: string
  /** Whether a connection of `url` keeps its settings, which it does not through a pooler in transaction mode. */
  keepsSession: boolean
  /** This server's release. A newer schema is left alone: its release grants what it makes, and perhaps not all of it. */
  release: number
}

/** Call it when the schema is up to date. */
export const settleProductRole = async (connections: Connections): Promise<ProductRole> => {
  const { url, ownerUrl, keepsSession, release } = connections
  const owner = newClient({ connectionString: ownerUrl })
  await owner.connect()
  try {
    await takeTurn(owner)
    const role = (await loginRole(owner, url)) ?? (await ownRole(owner, keepsSession))
    if (role.way === 'NONE') return role
    if ((await releaseOfSchema(owner)) <= release) await grantTo(owner, role.name)
    const more = await mayDoMore(owner, role.name)
    return more ? none(`“${role.name}” may do more than it should: ${more}`) : role
  } finally {
    await owner.end()
  }
}

const none = (why: string): ProductRole => ({
  way: 'NONE',
  why: `The product has no database role of its own: ${why}. Only triggers protect the ledger (docs/operations.md says how to give it a role).`,
})

/** The role that signs in at `url`, with its limits set; undefined if it is the owner itself. */
const loginRole = async (owner: pg.Client, url: string): Promise<ProductRole | undefined> => {
  const product = newClient({ connectionString: url })
  await product.connect()
  try {
    const { name } = (await product.query<{ name: string }>('select session_user::text as name')).rows[0]!
    const { rows } = await owner.query<{ me: string; isOver: boolean }>(
      `select current_user::text as me, pg_has_role($1, current_user, 'MEMBER') as "isOver"`,
      [name],
    )
    const { me, isOver } = rows[0]!
    if (name === me) return undefined
    if (isOver) return none(`“${name}” may act as “${me}”, which owns the tables`)
    await setRoleLimits(product)
    return { way: 'LOGIN', name }
  } finally {
    await product.end()
  }
}

/** A role that the owner may work as; made where that is allowed, and never by a role that cannot grant it the tables. */
const ownRole = async (owner: pg.Client, keepsSession: boolean): Promise<ProductRole> => {
  if (!keepsSession)
    return none('DATABASE_URL goes through a connection pooler and signs in as the owner of the tables')
  const other = await otherOwner(owner)
  if (other && !other.isMember) refuseOtherOwner(other)
  if (other) return none(`“${other.me}” may act as “${other.owner}”, which owns the tables`)
  const { rows } = await owner.query<{ name: string }>(`select left(current_user, 59) || '_app' as name`)
  const { name } = rows[0]!
  if (await worksAs(owner, name)) return { way: 'SET_ROLE', name }
  // Most owners may not. Another database of the same cluster may have created it already.
  await owner.query(`create role ${pg.escapeIdentifier(name)}`).catch(() => undefined)
  await owner.query(`grant ${pg.escapeIdentifier(name)} to current_user`).catch(() => undefined)
  return (await worksAs(owner, name)) ? { way: 'SET_ROLE', name } : none('that of DATABASE_URL may make none')
}

const worksAs = (owner: pg.Client, name: string): Promise<boolean> =>
  owner.query(`set role ${pg.escapeIdentifier(name)}; reset role`).then(
    () => true,
    () => false,
  )

/** Statements that grant what is missing and revoke what should not be granted. At most starts there are none. */
const missing = `
  with place as (select oid from pg_namespace
    where nspname = 'public' or nspowner = current_user::regrole and nspname !~ '^pg_'),
  extension as (select classid, objid from pg_depend where deptype = 'e'),
  relation as materialized (select c.oid, c.relkind, c.relname = any ($2::text[]) and
      c.relnamespace = 'public'::regnamespace as read_only from pg_class c
    where relkind in ('r', 'p', 'v', 'm', 'S') and relnamespace in (select oid from place)
      and relowner = current_user::regrole
      and not exists (select from extension where classid = 'pg_class'::regclass and objid = c.oid)),
  routine as materialized (select p.oid from pg_proc p
    where pronamespace in (select oid from place) and proowner = current_user::regrole
      and not exists (select from extension where classid = 'pg_proc'::regclass and objid = p.oid)),
  wanted (step, statement) as (
    select 1, format('grant usage on schema %s to %I', oid::regnamespace, $1::text) from place
      where not has_schema_privilege($1, oid, 'USAGE')
    union all
    select 2, format('revoke create on schema %s from public', oid::regnamespace) from place
      where has_schema_privilege('public', oid, 'CREATE')
        and pg_has_role(current_user, (select nspowner from pg_namespace n where n.oid = place.oid), 'USAGE')
    union all
    select 3, format('revoke all on %s from %I', oid::regclass, $1) from relation where read_only and relkind in ('r', 'p')
      and (has_table_privilege($1, oid, 'INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER')
        or has_any_column_privilege($1, oid, 'INSERT, UPDATE, REFERENCES'))
    union all
    select 4, format('grant select on %s to %I', oid::regclass, $1) from relation where read_only and relkind in ('r', 'p')
      and (not has_table_privilege($1, oid, 'SELECT')
        or has_table_privilege($1, oid, 'INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER'))
    union all
    select 4, format('grant select, insert, update, delete on %s to %I', oid::regclass, $1) from relation
      where not read_only and relkind in ('r', 'p', 'v', 'm') and not (has_table_privilege($1, oid, 'SELECT')
        and has_table_privilege($1, oid, 'INSERT') and has_table_privilege($1, oid, 'UPDATE')
        and has_table_privilege($1, oid, 'DELETE'))
    union all
    select 3, format('revoke all on sequence %s from %I', oid::regclass, $1) from relation where read_only
      and case when relkind = 'S' then has_sequence_privilege($1, oid, 'USAGE, UPDATE') end
    union all
    select 4, format('grant select on sequence %s to %I', oid::regclass, $1) from relation where read_only
      and case when relkind = 'S' then not has_sequence_privilege($1, oid, 'SELECT')
        or has_sequence_privilege($1, oid, 'USAGE, UPDATE') end
    union all
    select 5, format('grant usage, select on sequence %s to %I', oid::regclass, $1) from relation
      where not read_only and case when relkind = 'S' then not (has_sequence_privilege($1, oid, 'USAGE')
        and has_sequence_privilege($1, oid, 'SELECT')) end
    union all
    select 6, format('revoke execute on routine %s from public', oid::regprocedure) from routine
      where has_function_privilege('public', oid, 'EXECUTE')
    union all
    select 7, format('grant execute on routine %s to %I', oid::regprocedure, $1) from routine
      where has_function_privilege('public', oid, 'EXECUTE') or not has_function_privilege($1, oid, 'EXECUTE')
    union all
    select 8, format('alter default privileges grant %s to %I', what, $1)
      from (values ('usage on schemas', 'n'), ('select, insert, update, delete on tables', 'r'),
        ('usage, select on sequences', 'S'), ('execute on functions', 'f')) later (what, kind)
      where not exists (select from pg_default_acl, aclexplode(defaclacl) acl where defaclrole = current_user::regrole
        and defaclnamespace = 0 and defaclobjtype::text = kind and acl.grantee = (select oid from pg_roles where rolname = $1))
    union all
    select 9, 'alter default privileges revoke execute on functions from public'
      where not exists (select from pg_default_acl where defaclrole = current_user::regrole and defaclnamespace = 0
        and defaclobjtype = 'f' and not exists (select from aclexplode(defaclacl) acl where acl.grantee = 0))
  )
  select string_agg(statement, '; ' order by step, statement) as statements from wanted`

/** Includes default privileges, so what later migrations make is granted at once, for servers that are running then. */
const grantTo = async (owner: pg.Client, role: string) => {
  const { rows } = await owner.query<{ statements: string | null }>(missing, [role, onlyRead])
  if (rows[0]!.statements !== null) await owner.query(rows[0]!.statements)
}

/** What else the role may do, for example through another role that it belongs to; undefined if nothing. */
const mayDoMore = async (owner: pg.Client, role: string): Promise<string | undefined> => {
  const { rows } = await owner.query<{ more: string | null }>(
    `select string_agg(distinct what || ' on ' || name, ', ') as more
      from unnest(array['accounts', 'transfers']) name,
        unnest(array['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER']) what
      where has_table_privilege($1, 'public.' || name, what)`,
    [role],
  )
  return rows[0]!.more ?? undefined
}
