/**
 * Measures the cost for a posting of the triggers that record each change of the money (decision 058). Uses one connection, with
 * and without them, in alternating rounds. Prints the medians and their ratio.
 *
 *     node bench/noted.ts [--rounds 8]
 */
import { randomUUID } from 'node:crypto'
import { median, openPlace, option } from './place.ts'

const rounds = option('rounds', 8, 40)
const postings = 1_500
const accounts = 200
const triggers = ['transfers transfers_noted', 'accounts accounts_noted_again'].map(
  each => each.split(' ') as [string, string],
)

const place = await openPlace()
const { db } = place
// Measures PostgreSQL's work, and not the latency of the disk.
await db.query('set synchronous_commit = off')

const switchTriggers = async (on: boolean) => {
  for (const [table, trigger] of triggers)
    await db.query(`alter table ${table} ${on ? 'enable' : 'disable'} trigger ${trigger}`)
  // In the product these rows live for about a minute.
  await db.query('truncate money_changes')
}

/** Microseconds per posting. */
const round = async (ids: readonly number[]): Promise<number> => {
  const began = performance.now()
  for (let posted = 0; posted < postings; posted++) {
    const [debit, credit] = [ids[posted % (accounts / 2)]!, ids[accounts / 2 + (posted % (accounts / 2))]!]
    await db.query({
      name: 'post',
      text: 'select post_transfers(array[$1], array[$2::bigint], array[$3::bigint], array[1::bigint], array[null]::uuid[], now())',
      values: [randomUUID(), debit, credit],
    })
  }
  return ((performance.now() - began) * 1000) / postings
}

try {
  const { rows } = await db.query<{ id: string }>(
    `insert into accounts (kind, owner_id, balance_cents) select 'TESTER_BALANCE', gen_random_uuid(), 0
      from generate_series(1, $1::int) returning id`,
    [accounts],
  )
  const ids = rows.map(({ id }) => Number(id))
  await db.query(
    `select post_transfers(array_agg('seed' || id), array_agg(account_of('PROVIDER_CASH', null)), array_agg(id),
      array_agg(1000000000::bigint), array_agg(null::uuid), now()) from unnest($1::bigint[]) id`,
    [ids],
  )
  const seen = { with: [] as number[], without: [] as number[] }
  // Round 0 is a warm-up and does not count.
  for (let index = 0; index <= rounds; index++) {
    for (const on of index % 2 === 0 ? [true, false] : [false, true]) {
      await switchTriggers(on)
      const took = await round(ids)
      if (index > 0) seen[on ? 'with' : 'without'].push(took)
    }
  }
  const [noted, bare] = [median(seen.with), median(seen.without)]
  console.log(`a posting: ${noted.toFixed(0)} µs noted, ${bare.toFixed(0)} µs not, ${(noted / bare).toFixed(3)} of it`)
} finally {
  await place.close()
}
