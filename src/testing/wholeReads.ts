/**
 * Finds statements that no index serves, on a small database: the planner is made to believe that the tables are large, and the
 * plans are searched for reads of whole tables.
 */
import pg from 'pg'
import { nodesOf, type Planned, type PlanNode, superuserOf, type Unprepared } from './plans.ts'

/** Tables with one row per setting, server or kind of thing, which do not grow with people and campaigns. */
const small = new Set([
  'settings',
  'test_clock',
  'schema_migrations',
  'schema_functions',
  'schema_releases',
  'fraud_detectors',
  'ledger_horizon',
])

/**
 * Partial indexes of what waits for something or goes wrong. There is little of that however many people and campaigns there are,
 * and reading such an index from end to end is its purpose. Every other partial index grows with its table.
 */
const queues = new Set([
  'appeals_paid_by_platform',
  'appeals_undecided',
  'campaigns_after_dispute',
  'campaigns_after_lost_dispute',
  'campaigns_pending',
  'campaigns_pending_link',
  'charges_pending',
  'charges_wanted',
  'disputes_open',
  'disputes_owed',
  'downtimes_unsettled',
  'fraud_reports_samples',
  'fraud_scans_under_way',
  'job_pauses_one_open',
  'limit_changes_open',
  'lost_charges',
  'lost_disputes_open',
  'lost_movements_back',
  'lost_payouts',
  'lost_refunds',
  'money_breaches_unexplained',
  'opt_in_runs_contested',
  'over_refunds_open',
  'provider_calls_open',
  'provider_calls_pending',
  'provider_events_due',
  'refund_parts_covered',
  'refund_parts_pending',
  'refund_parts_stuck',
  'refunds_pending',
  'withdrawals_pending',
])

const ofProduct = `select c.oid::regclass::text as name from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`

/**
 * Gives a table and its indexes, partial ones included, their first page without leaving a row: the planner considers a table
 * without pages empty, whatever its statistics say.
 */
const firstPage = `do $$
declare
  t regclass;
  item record;
begin
  set local session_replication_role = replica;
  set local allow_system_table_mods = on;
  for t in select oid from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' loop
    begin
      for item in select inhparent::regclass as parent from pg_inherits where inhrelid = t loop
        execute format('alter table %s detach partition %s', item.parent, t);
      end loop;
      for item in select conname from pg_constraint where conrelid = t and contype in ('p', 'u', 'c', 'f') loop
        execute format('alter table %s drop constraint if exists %I cascade', t, item.conname);
      end loop;
      for item in select attname from pg_attribute
        where attrelid = t and attnum > 0 and attnotnull and attidentity = '' and not attisdropped
      loop
        execute format('alter table %s alter column %I drop not null', t, item.attname);
      end loop;
      update pg_index set indpred = null where indrelid = t;
      execute format('insert into %s default values', t);
      raise exception sqlstate 'GOBAK';
    exception when sqlstate 'GOBAK' then null;
    end;
  end loop;
end $$`

/** Makes the planner believe that tables which grow hold a million rows. */
export const pretendSize = async (databaseUrl: string): Promise<void> => {
  const superuser = new pg.Client({ connectionString: superuserOf(databaseUrl) })
  await superuser.connect()
  try {
    await superuser.query(firstPage)
    const { rows } = await superuser.query<{ name: string }>(ofProduct)
    for (const { name } of rows.filter(row => !small.has(row.name))) {
      await superuser.query(`alter table ${name} set (autovacuum_enabled = off)`)
      await superuser.query(
        `select pg_restore_relation_stats('schemaname', 'public', 'relname', $1::text, 'relpages', 1, 'reltuples', 1000000::real)`,
        [name],
      )
      await superuser.query(
        `select pg_restore_relation_stats('schemaname', 'public', 'relname', indexrelid::regclass::text, 'relpages', 2, 'reltuples', 300000::real)
         from pg_index where indrelid = $1::regclass and indpred is not null and indexrelid::regclass::text <> all($2)`,
        [name, [...queues]],
      )
      // Half of a nullable column is null. Otherwise the planner considers nulls rare, and partial indexes of them tiny.
      await superuser.query(
        `select pg_restore_attribute_stats('schemaname', 'public', 'relname', $1::text, 'attname', attname::text, 'inherited', false,
           'null_frac', 0.5::real, 'avg_width', 8, 'n_distinct', -0.1::real)
         from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and not attnotnull`,
        [name],
      )
      // Ten rows per id. Otherwise the planner assumes that every column has 200 values.
      await superuser.query(
        `select pg_restore_attribute_stats('schemaname', 'public', 'relname', $1::text, 'attname', attname::text, 'inherited', false,
           'null_frac', 0::real, 'avg_width', 16, 'n_distinct', -0.1::real)
         from pg_attribute where attrelid = $1::regclass and attnum > 0 and atttypid in ('uuid'::regtype, 'bytea'::regtype)`,
        [name],
      )
    }
  } finally {
    await superuser.end()
  }
}

export type WholeRead = { statement: string; node: string }

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** Plans the unprepared statements here, with their values. */
export const plannedForValues = async (
  db: pg.Client,
  planned: readonly Planned[],
  unprepared: readonly Unprepared[],
): Promise<Planned[]> => {
  const byText = new Map(unprepared.map(each => [each.text, each]))
  const others = planned.filter(({ text, sent }) => !sent || !byText.has(text))
  const again: Planned[] = []
  for (const { text, values } of unprepared.filter(each => /^\s*(select|with)\b[^;]*$/i.test(each.text))) {
    const { rows } = await db.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>({
      text: `explain (format json) ${text}`,
      values,
    })
    again.push({ text, plan: rows[0]!['QUERY PLAN'][0]!.Plan, ms: 0, sent: true })
  }
  return [...others, ...again]
}

/** Nodes that an index's order passes through on its way to a limit, so that reading stops after a page. */
const inOrder = /^(Incremental Sort|Subquery Scan|LockRows|Nested Loop|Append|Merge Append)$/

const endsAfterAPage = (above: readonly PlanNode[]) => {
  for (const { 'Node Type': type } of above) {
    if (type === 'Limit') return true
    if (!inOrder.test(type)) return false
  }
  return false
}

/**
 * Reads from end to end: sequential scans, and walks through a whole index other than `queues`. A walk in order and without a
 * filter that ends after a page does not count, nor does one that only narrows down the rows of another index.
 */
export const wholeReadsOf = async (db: pg.Client, planned: readonly Planned[]): Promise<WholeRead[]> => {
  const { rows: tables } = await db.query<{ name: string }>(ofProduct)
  const grow = new Set(tables.map(({ name }) => name).filter(name => !small.has(name)))
  const { rows: indexes } = await db.query<{ name: string; table: string }>(
    `select indexrelid::regclass::text as name, indrelid::regclass::text as table from pg_index`,
  )
  const indexOf = new Map(indexes.map(index => [index.name, index]))
  const found = new Map<string, WholeRead>()
  for (const { text, plan } of planned) {
    for (const { node, above } of nodesOf(plan)) {
      const { 'Node Type': type, 'Index Name': index = '', Filter: condition } = node
      const table = node['Relation Name'] ?? indexOf.get(index)?.table ?? ''
      if (!grow.has(table)) continue
      const walk =
        /^(Index Scan|Index Only Scan|Bitmap Index Scan)$/.test(type) &&
        node['Index Cond'] === undefined &&
        node['Order By'] === undefined &&
        !queues.has(index) &&
        above[0]?.['Node Type'] !== 'BitmapAnd' &&
        !(condition === undefined && endsAfterAPage(above))
      if (type !== 'Seq Scan' && !walk) continue
      const read = { statement: oneLine(text), node: [type, table, index, condition ?? ''].join(' ').trim() }
      found.set(JSON.stringify(read), read)
    }
  }
  return [...found.values()]
}
