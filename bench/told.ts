/**
 * Measures what notifying open screens costs the calls that cause it: processor time of a join, a check-in and a verified proof,
 * with the triggers that write `user_events`, as a ratio to the same without them. Rounds alternate, and so does the variant that
 * goes first; medians are printed. It uses processor time, because that is comparable even on a busy machine. Takes about three
 * minutes. Linux only.
 *
 *     node bench/told.ts [--calls 1000] [--rounds 7] [--connections 16]
 *
 * Uses an embedded PostgreSQL in a temporary folder, or a separate database next to the one of DATABASE_URL.
 */
import { Agent, request } from 'node:http'
import { busySeconds, processSeconds } from './busy.ts'
import { addPeople, median, openPlace, option } from './place.ts'

const calls = option('calls', 1000, 20_000)
const rounds = option('rounds', 7, 50)
const connections = option('connections', 16, 256)
const seats = 20

const post = (agent: Agent, address: string, token: string, body: string) =>
  new Promise<void>((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    }
    const sent = request(address, { method: 'POST', agent, headers }, reply => {
      let text = ''
      reply.on('data', (chunk: Buffer) => (text += chunk.toString()))
      reply.on('end', () => (reply.statusCode! < 300 ? resolve() : reject(new Error(`${reply.statusCode}: ${text}`))))
    })
    sent.on('error', reject)
    sent.end(body)
  })

/** Campaigns that are paid for, each with its accounts and its payment. Of their `$3` seats, `$4` are taken. */
const makeCampaigns = `
  with made as (
    insert into campaigns (id, developer_id, title, description, platform, distribution_link, testers_required,
      pay_per_tester_cents, duration_days, daily_check_in, countries, country_codes, status, fee_basis_points,
      quoted_fee_cents, funded_cents, fee_cents, created_at, start_date, end_date, access_mode, seats_taken, open_testers,
      joins_ever)
    select gen_random_uuid(), $2, 'Campaign ' || n, 'Use it.', 'android', 'https://example.test', $3::int, 1000, 30, true,
      '{}', '{}', 'LIVE', 1500, 150 * $3::int, 1000 * $3::int, 150 * $3::int, now() - interval '20 days',
      now() - interval '20 days', now() + interval '30 days', 'OPEN_LINK', $4::int, $4::int, $4::int
    from generate_series(1, $1::int) n returning id, developer_id
  ), escrow as (
    insert into accounts (kind, owner_id, balance_cents) select 'CAMPAIGN_ESCROW', id, 1000 * $3::int from made
  ), fees as (
    insert into accounts (kind, owner_id, balance_cents) select 'CAMPAIGN_FEE', id, 150 * $3::int from made
  ), paid as (
    insert into payments (id, campaign_id, developer_id, amount_cents, provider, counterparty, status, created_at)
      select gen_random_uuid(), id, developer_id, 1150 * $3::int, 'sandbox', 'card', 'COMPLETED', now() from made
  )
  select id from made`

/** A tester in each seat, with the status `$3`. */
const makeTests = `
  insert into participations (id, campaign_id, tester_id, ordinal, status, device_model, time_zone, joined_at,
      proof_allowed_at, last_seen_at, proof_text, proof_submitted_at, payout_amount_cents, wake_at, check_in_count)
    select gen_random_uuid(), c.id, ($1::uuid[])[1 + (c.place * $4 + seat) % cardinality($1::uuid[])], seat, $3, 'Pixel 8', 'UTC',
      now() - interval '16 days', now() - interval '1 day', now() - interval '20 hours',
      case when $3 = 'SUBMITTED' then 'Done.' end, case when $3 = 'SUBMITTED' then now() - interval '1 hour' end, 1000,
      now() + interval '1 day', 0
    from (select id, row_number() over () as place from unnest($2::uuid[]) id) c, generate_series(1, $4::int) seat
    returning id, tester_id as tester`

const place = await openPlace()
const agent = new Agent({ keepAlive: true, maxSockets: connections })
try {
  const { db } = place
  // Only postings may set the balance of an account.
  await db.query(`set fieldtest.posting = 'on'`)
  await db.query('update settings set open_tests_per_tester = 1000')
  const [developer] = await addPeople(db, 'DEVELOPER', 1)
  const testers = await addPeople(db, 'TESTER', calls)
  const tokens = new Map<string, string>()
  for (const id of testers) tokens.set(id, await place.tokenFor('TESTER', id))
  const owner = await place.tokenFor('DEVELOPER', developer!)
  const app = await place.serve('serve')

  const triggers = (
    await db.query<{ name: string; on: string }>(
      `select tgname as name, tgrelid::regclass::text as on from pg_trigger where tgname like '%\\_told'`,
    )
  ).rows
  const tell = async (yes: boolean) => {
    for (const { name, on } of triggers)
      await db.query(`alter table ${on} ${yes ? 'enable' : 'disable'} trigger ${name}`)
  }

  const campaigns = async (taken: number) =>
    (await db.query<{ id: string }>(makeCampaigns, [calls / seats, developer, seats, taken])).rows.map(({ id }) => id)
  const tests = async (status: string) =>
    (await db.query<{ id: string; tester: string }>(makeTests, [testers, await campaigns(seats), status, seats])).rows
  type Call = () => Promise<void>
  const api = `${app}/api/v1`
  const kinds: Record<string, () => Promise<Call[]>> = {
    join: async () => {
      const ids = await campaigns(0)
      const body = JSON.stringify({ deviceInfo: { osVersion: '14', model: 'Pixel 8', manufacturer: 'Google' } })
      return testers.map(
        (tester, n) => () =>
          post(agent, `${api}/testers/campaigns/${ids[n % ids.length]}/join`, tokens.get(tester)!, body),
      )
    },
    'check in': async () =>
      (await tests('ACTIVE')).map(
        ({ id, tester }) =>
          () =>
            post(agent, `${api}/testers/campaign-testers/${id}/check-ins`, tokens.get(tester)!, '{}'),
      ),
    verify: async () =>
      (await tests('SUBMITTED')).map(
        ({ id }) =>
          () =>
            post(agent, `${api}/campaign-testers/${id}/verify`, owner, '{}'),
      ),
  }

  const pid = place.pidOf(app)
  /** Processor milliseconds per call: of PostgreSQL, and of both. Each caller starts its next call when the last one has finished. */
  const cost = async (waiting: readonly Call[]) => {
    const rest = waiting.values()
    const caller = async () => {
      for (const call of rest) await call()
    }
    const [database, node] = [busySeconds(place.url), processSeconds(pid)]
    await Promise.all(Array.from({ length: connections }, caller))
    const [spent, ofNode] = [busySeconds(place.url) - database, processSeconds(pid) - node]
    return { database: (spent * 1000) / waiting.length, both: ((spent + ofNode) * 1000) / waiting.length }
  }

  console.log(`${calls} calls a round, ${connections} connections, medians of ${rounds} rounds`)
  console.log('                 PostgreSQL         ratio   with the server    ratio')
  for (const [name, prepare] of Object.entries(kinds)) {
    type Cost = { database: number; both: number }
    const seen: { with: Cost; without: Cost }[] = []
    // Round 0 is a warm-up and does not count.
    for (let round = 0; round <= rounds; round++) {
      const costs = new Map<boolean, Cost>()
      for (const yes of round % 2 === 0 ? [true, false] : [false, true]) {
        await tell(yes)
        const ready = await prepare()
        await db.query('vacuum analyze campaigns, participations, user_events')
        costs.set(yes, await cost(ready))
      }
      if (round > 0) seen.push({ with: costs.get(true)!, without: costs.get(false)! })
    }
    const column = (of: keyof Cost) => {
      const [before, after] = [median(seen.map(one => one.without[of])), median(seen.map(one => one.with[of]))]
      const ratio = median(seen.map(one => one.with[of] / one.without[of]))
      return `${before.toFixed(2)} -> ${after.toFixed(2)} ms${ratio.toFixed(3).padStart(8)}`.padStart(26)
    }
    console.log(name.padEnd(10) + column('database') + column('both'))
  }
} finally {
  agent.destroy()
  await place.close()
}
