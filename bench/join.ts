/**
 * Measures joins per second through the application (HTTP, token, rules, reply). The results are ratios to the bare SQL statement
 * that takes a seat, sent directly through pg (1.0), and to pgbench, if it is installed, with the four statements of a plain
 * transaction (begin, update, insert, commit). Joins are spread over 1,000 campaigns, or all go to one hot campaign. Rounds
 * alternate; medians are printed. The last column is the rate with an idempotency key, as the page sends one, relative to that
 * without. Takes about four minutes.
 *
 *     node bench/join.ts [--joins 4000] [--rounds 5] [--connections 32]
 *
 * Uses an embedded PostgreSQL in a temporary folder, or a separate database next to the one of DATABASE_URL.
 */
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { Statement } from './bare.ts'
import { type Call, sendEach } from './load.ts'
import { addCampaigns, addPeople, median, openPlace, option, type Place } from './place.ts'

const joins = option('joins', 4000, 20_000)
const rounds = option('rounds', 5, 20)
const connections = option('connections', 32, 256)

type Seat = { tester: number; campaignId: string }

/** Each caller takes its next seat when the last one is taken. Resolves with seats per second. */
const takeEach = async (seats: readonly Seat[], take: (seat: Seat) => Promise<void>) => {
  const waiting = seats.values()
  const start = performance.now()
  const caller = async () => {
    for (const seat of waiting) await take(seat)
  }
  await Promise.all(Array.from({ length: connections }, caller))
  return (seats.length / (performance.now() - start)) * 1000
}

/** Only what taking a seat comes down to: no rule about devices, no setting, no reply. */
const bare = ({ id, tester, campaignId }: { id: string; tester: string; campaignId: string }): Statement => ({
  text: `
    with tester as materialized (
      select from settings where hold_tester($1) < open_tests_per_tester
    ), seat as (
      update campaigns c set seats_taken = seats_taken + 1, open_testers = open_testers + 1, joins_ever = joins_ever + 1,
        end_date = greatest(end_date, $2::timestamptz)
      from tester where c.id = $3 and status = 'LIVE' and seats_taken + closed_seats + offered_seats < testers_required
      returning c.id, joins_ever, pay_per_tester_cents
    )
    insert into participations (id, campaign_id, tester_id, ordinal, status, device_os_version, device_model,
      device_manufacturer, time_zone, joined_at, proof_allowed_at, last_seen_at, payout_amount_cents, wake_at)
    select $4, id, $1, joins_ever, 'ACTIVE', '14', 'Pixel 8', 'Google', 'UTC', $5, $2::timestamptz, $5, pay_per_tester_cents, $2 from seat`,
  values: [tester, new Date(Date.now() + 14 * 86_400_000).toISOString(), campaignId, id, new Date().toISOString()],
})

// Names no platform, because some of the campaigns are for another one.
const device = { osVersion: '14', model: 'Pixel 8', manufacturer: 'Google' } as const

const body = JSON.stringify({ deviceInfo: device })

const callOf = (campaignId: string, token: string, key?: string): Call => ({
  method: 'POST',
  path: `/api/v1/testers/campaigns/${campaignId}/join`,
  headers: {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    ...(key !== undefined && { 'idempotency-key': key }),
  },
  body,
})

/** Each of pgbench's connections uses some of the testers, and `spread` campaigns in turn. Undefined if pgbench is not installed. */
const pgbench = async ({ db, url }: Place, seats: readonly Seat[], testers: readonly string[]) => {
  await db.query('drop table if exists bench_seats')
  await db.query(
    `create table bench_seats as select n::int, tester, campaign
      from unnest($1::uuid[], $2::uuid[]) with ordinality as seat (tester, campaign, n)`,
    [seats.map(({ tester }) => testers[tester]), seats.map(({ campaignId }) => campaignId)],
  )
  await db.query('create unique index on bench_seats (n) include (tester, campaign)')
  const folder = await mkdtemp(join(tmpdir(), 'fieldtest-pgbench-'))
  const each = Math.floor(seats.length / connections)
  await writeFile(
    join(folder, 'join.sql'),
    `\\set n :n + 1
\\set seat :client_id * ${each} + :n
begin;
update campaigns set seats_taken = seats_taken + 1, open_testers = open_testers + 1, joins_ever = joins_ever + 1
  where id = (select campaign from bench_seats where n = :seat) and status = 'LIVE'
    and seats_taken + closed_seats + offered_seats < testers_required;
insert into participations (id, campaign_id, tester_id, ordinal, status, device_os_version, device_model,
    device_manufacturer, time_zone, joined_at, proof_allowed_at, last_seen_at, payout_amount_cents, wake_at)
  select gen_random_uuid(), campaign, tester, :seat, 'ACTIVE', '14', 'Pixel 8', 'Google', 'UTC', now(), now(), now(), 1000, now()
  from bench_seats where n = :seat;
commit;
`,
  )
  const options = ['-n', '-M', 'prepared', '-c', connections, '-j', 2, '-t', each, '-D', 'n=0', '-f', 'join.sql']
  const { stdout, error } = spawnSync('pgbench', [...options.map(String), url], { cwd: folder, encoding: 'utf8' })
  await rm(folder, { recursive: true })
  if (error) return undefined
  return Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
}

const place = await openPlace()
const pool = new pg.Pool({ connectionString: place.url, max: 10 })
try {
  const { db } = place
  const [developer] = await addPeople(db, 'DEVELOPER', 1)
  const testers = await addPeople(db, 'TESTER', joins)
  // The hot campaign has more seats than the product allows, because otherwise it would be full within moments.
  await db.query('alter table campaigns drop constraint campaigns_testers_required_check')
  // Everybody also joins far more often than a tester may.
  await db.query('update settings set open_tests_per_tester = 1000')
  const campaigns = async (count: number, seats: number) =>
    addCampaigns(db, [developer!], { count, seats, liveEvery: 1 })
  const tokens = await Promise.all(testers.map(id => place.tokenFor('TESTER', id)))
  const app = await place.serve('serve')

  const direct = async ({ tester, campaignId }: Seat) => {
    const { text, values } = bare({ id: randomUUID(), tester: testers[tester]!, campaignId })
    const { rowCount } = await pool.query({ name: 'take-seat', text, values })
    if (rowCount !== 1) throw new Error('no seat was taken')
  }
  const throughApp = (seats: readonly Seat[], keyOf: () => string | undefined) =>
    sendEach(
      app,
      connections,
      seats.map(({ tester, campaignId }) => callOf(campaignId, tokens[tester]!, keyOf())),
    )
  const ways = {
    direct: (seats: readonly Seat[]) => takeEach(seats, direct),
    app: (seats: readonly Seat[]) => throughApp(seats, () => undefined),
    keyed: (seats: readonly Seat[]) => throughApp(seats, () => randomUUID()),
  }

  console.log(`${joins} joins a round, ${connections} connections, medians of ${rounds} rounds`)
  console.log('joins                     statement/s  pgbench/s   app/s  of statement  of pgbench  with a key')
  for (const { name, spread } of [
    { name: 'spread over campaigns', spread: 1000 },
    { name: 'on one hot campaign', spread: 1 },
  ]) {
    const seen: Record<keyof typeof ways | 'pgbench', number[]> = { direct: [], app: [], keyed: [], pgbench: [] }
    // Round 0 is a warm-up and does not count.
    for (let round = 0; round <= rounds; round++) {
      for (const what of ['direct', 'app', 'keyed', 'pgbench'] as const) {
        // Everybody joins again, so every round needs new campaigns.
        const ids = await campaigns(spread, joins)
        await db.query('vacuum analyze campaigns, participations, users')
        const seats = testers.map((_, tester) => ({ tester, campaignId: ids[tester % spread]! }))
        const rate = what === 'pgbench' ? await pgbench(place, seats, testers) : await ways[what](seats)
        if (round > 0 && rate !== undefined) seen[what].push(rate)
      }
    }
    const [directRate, appRate, keyedRate] = [median(seen.direct), median(seen.app), median(seen.keyed)]
    const pgbenchRate = median(seen.pgbench)
    console.log(
      name.padEnd(26) +
        directRate.toFixed(0).padStart(11) +
        pgbenchRate.toFixed(0).padStart(11) +
        appRate.toFixed(0).padStart(8) +
        (appRate / directRate).toFixed(2).padStart(14) +
        (appRate / pgbenchRate).toFixed(2).padStart(12) +
        (keyedRate / appRate).toFixed(2).padStart(12),
    )
  }
} finally {
  await pool.end()
  await place.close()
}
