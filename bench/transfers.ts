/**
 * Measures transfers per second through `post_transfers`, posted like in the product (Node, pg, a prepared statement), compared
 * with pgbench: with the same function, and with the four statements that such a transfer comes down to (insert, two updates,
 * commit) on tables with the same columns and indexes. Transfers go between many accounts, or all between the same two. Rounds
 * alternate; medians are printed. Needs pgbench; takes about three minutes.
 *
 *     node bench/transfers.ts [--seconds 5] [--rounds 5] [--connections 16]
 *
 * Uses an embedded PostgreSQL in a temporary folder, or a separate database next to the one of DATABASE_URL.
 */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { median, openPlace, option } from './place.ts'

const seconds = option('seconds', 5, 60)
const rounds = option('rounds', 5, 20)
const connections = option('connections', 16, 64)
const accounts = 2_000

const place = await openPlace()
const pool = new pg.Pool({ connectionString: place.url, max: connections })
const folder = await mkdtemp(join(tmpdir(), 'fieldtest-pgbench-'))

/** Creates accounts with more money than they can lose, and copies of them in plain tables without triggers. Resolves with the first id. */
const fill = async (): Promise<number> => {
  const { rows } = await place.db.query<{ id: string }>(
    `insert into accounts (kind, owner_id, balance_cents) select 'TESTER_BALANCE', gen_random_uuid(), 0
      from generate_series(1, $1::int) returning id`,
    [accounts],
  )
  const ids = rows.map(({ id }) => Number(id))
  await place.db.query(
    `select post_transfers(array_agg('seed' || id), array_agg(account_of('PROVIDER_CASH', null)), array_agg(id),
      array_agg(1000000000::bigint), array_agg(null::uuid), now()) from unnest($1::bigint[]) id`,
    [ids],
  )
  await place.db.query(`
    create table plain_accounts (like accounts including all);
    create table plain_transfers (like transfers including all);
    insert into plain_accounts overriding system value select * from accounts;
    alter table plain_transfers add foreign key (debit_account_id) references plain_accounts (id),
      add foreign key (credit_account_id) references plain_accounts (id)`)
  await place.db.query('vacuum analyze accounts')
  await place.db.query('vacuum analyze plain_accounts')
  return Math.min(...ids)
}

type Pair = { first: string; second: string }

/** Updates accounts in the order of their ids, because otherwise two that pay each other would deadlock. */
const plain = ({ first, second }: Pair) => `${first}${second}begin;
insert into plain_transfers (business_key, debit_account_id, credit_account_id, amount_cents, at)
  values (gen_random_uuid()::text, :first, :second, 1, now());
update plain_accounts set balance_cents = balance_cents - 1 where id = :first;
update plain_accounts set balance_cents = balance_cents + 1 where id = :second;
commit;
`
const ours = ({ first, second }: Pair) => `${first}${second}select post_transfers(array[gen_random_uuid()::text],
  array[:first]::bigint[], array[:second]::bigint[], array[1]::bigint[], array[null]::uuid[], now());
`

const pgbench = async (script: string): Promise<number> => {
  const file = join(folder, `${randomUUID()}.sql`)
  await writeFile(file, script)
  const options = ['-n', '-M', 'prepared', '-c', connections, '-j', 2, '-T', seconds, '-f', file].map(String)
  const child = spawn('pgbench', [...options, place.url], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [said] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return Number(/tps = ([\d.]+)/.exec(said)?.[1])
}

const fromNode = async (pairOf: () => [number, number]): Promise<number> => {
  const end = performance.now() + seconds * 1000
  let posted = 0
  const poster = async () => {
    while (performance.now() < end) {
      const [debit, credit] = pairOf()
      await pool.query({
        name: 'post',
        text: 'select post_transfers(array[$1], array[$2::bigint], array[$3::bigint], array[1::bigint], array[null]::uuid[], now())',
        values: [randomUUID(), debit, credit],
      })
      posted += 1
    }
  }
  await Promise.all(Array.from({ length: connections }, poster))
  return posted / seconds
}

try {
  const lowest = await fill()
  const half = accounts / 2
  const random = (from: number, count: number) => from + Math.trunc(Math.random() * count)
  const kinds = [
    {
      name: 'between many accounts',
      pair: {
        first: `\\set first random(${lowest}, ${lowest + half - 1})\n`,
        second: `\\set second random(${lowest + half}, ${lowest + accounts - 1})\n`,
      },
      pairOf: (): [number, number] => [random(lowest, half), random(lowest + half, half)],
    },
    {
      name: 'between the same two',
      pair: { first: `\\set first ${lowest}\n`, second: `\\set second ${lowest + 1}\n` },
      pairOf: (): [number, number] => [lowest, lowest + 1],
    },
  ]
  console.log(`${connections} connections, ${seconds} s a round, medians of ${rounds} rounds`)
  console.log('transfers per second      statements  function, pgbench  function, Node   of statements: pgbench  Node')
  for (const { name, pair, pairOf } of kinds) {
    const seen: Record<'plain' | 'ours' | 'node', number[]> = { plain: [], ours: [], node: [] }
    // Round 0 is a warm-up and does not count.
    for (let round = 0; round <= rounds; round++) {
      const rates = { plain: await pgbench(plain(pair)), ours: await pgbench(ours(pair)), node: await fromNode(pairOf) }
      if (round > 0) for (const what of ['plain', 'ours', 'node'] as const) seen[what].push(rates[what])
    }
    const [bare, same, node] = [median(seen.plain), median(seen.ours), median(seen.node)]
    console.log(
      name.padEnd(26) +
        bare.toFixed(0).padStart(10) +
        same.toFixed(0).padStart(19) +
        node.toFixed(0).padStart(16) +
        (same / bare).toFixed(2).padStart(26) +
        (node / bare).toFixed(2).padStart(6),
    )
  }
} finally {
  await pool.end()
  await place.close()
  await rm(folder, { recursive: true, force: true })
}
