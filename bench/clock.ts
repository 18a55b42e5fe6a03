/**
 * Measures the roster, the clock and the report of one campaign among 100,000 participations with 14 check-ins each: the time that
 * PostgreSQL takes for all statements of each call, and whether an index serves each of them. Prints the results. Takes about a
 * minute.
 *
 *     node bench/clock.ts [--participations 100000] [--rounds 50]
 *
 * Uses an embedded PostgreSQL in a temporary folder, or a separate database next to the one of DATABASE_URL.
 */
import type pg from 'pg'
import * as continuity from '../src/continuity/server/continuity.ts'
import * as participations from '../src/participations/server/participations.ts'
import { reportOf } from '../src/reports/server/reports.ts'
import type { Statement } from './bare.ts'
import { addCampaigns, addPeople, median, openPlace, option } from './place.ts'
import { recorded } from './recorded.ts'

const count = option('participations', 100_000, 1_000_000)
const rounds = option('rounds', 50, 1000)
const seats = 100
const testers = 1000

/** Each tester takes part once in every tenth campaign, is opted in, and has checked in on 14 days. */
const addTests = async (db: pg.Client, campaigns: readonly string[], people: readonly string[]) => {
  await db.query(
    `insert into participations (id, campaign_id, tester_id, ordinal, status, device_model, time_zone, joined_at,
       proof_allowed_at, last_seen_at, payout_amount_cents, check_in_count, last_check_in_day, opted_in_at,
       wake_at)
     select gen_random_uuid(), c.id, ($2::uuid[])[1 + (c.place * ${seats} + n) % ${testers}], n, 'ACTIVE', 'Pixel 8', 'UTC',
       now() - interval '14 days', now(), now(), 1000, 14, current_date, now() - interval '14 days',
       now() + interval '1 day'
     from unnest($1::uuid[]) with ordinality c(id, place), generate_series(1, ${seats}) n`,
    [campaigns, people],
  )
  await db.query(`insert into opt_in_runs (participation_id, campaign_id, started_at, confirmed_at)
    select id, campaign_id, opted_in_at + ordinal * interval '1 hour', now() from participations`)
  await db.query(`insert into check_ins (participation_id, day, at)
    select id, current_date - n, now() - n * interval '1 day' from participations, generate_series(0, 13) n`)
  await db.query(`insert into play_counts (campaign_id, day, count, recorded_at)
    select id, current_date - n, 12, now() from campaigns, generate_series(0, 13) n`)
  await db.query('vacuum analyze')
}

type Plan = { 'Node Type': string; 'Relation Name'?: string; Plans?: Plan[] }

const scannedIn = (plan: Plan): string[] => [
  ...(plan['Node Type'] === 'Seq Scan' ? [plan['Relation Name'] ?? '?'] : []),
  ...(plan.Plans ?? []).flatMap(scannedIn),
]

/** How long PostgreSQL takes to plan and run it, and the tables that it reads completely. */
const explained = async (db: pg.Client, { text, values }: Statement) => {
  const { rows } = await db.query<{
    'QUERY PLAN': { Plan: Plan; 'Planning Time': number; 'Execution Time': number }[]
  }>({ text: `explain (analyze, timing off, format json) ${text}`, values })
  const [result] = rows[0]!['QUERY PLAN']
  return { ms: result!['Planning Time'] + result!['Execution Time'], scanned: scannedIn(result!.Plan) }
}

const place = await openPlace()
try {
  const { db, url } = place
  const [developer] = await addPeople(db, 'DEVELOPER', 1)
  const campaigns = await addCampaigns(db, [developer!], { count: Math.ceil(count / seats), seats, liveEvery: 1 })
  await db.query(`update campaigns set platform = 'android', access_mode = 'EMAIL_LIST', seats_taken = ${seats}`)
  await addTests(db, campaigns, await addPeople(db, 'TESTER', testers))
  const owner = { id: developer!, role: 'DEVELOPER', sessionId: '' } as const
  const id = campaigns[Math.trunc(campaigns.length / 2)]!
  console.log(`${count} participations, 14 check-ins each, ${seats} testers in the campaign, ${rounds} rounds`)
  for (const [name, call] of [
    ['roster', () => participations.ofCampaign(owner, id, { limit: 100 })],
    ['clock', () => continuity.ofCampaign(owner, id)],
    ['report', () => reportOf(owner, id)],
  ] as const) {
    const statements = await recorded(url, call)
    const reads = statements.filter(({ text }) => /^\s*(select|with)\b/i.test(text))
    const times: number[] = []
    const scanned = new Set<string>()
    for (let round = 0; round < rounds; round++) {
      let ms = 0
      for (const statement of reads) {
        const one = await explained(db, statement)
        ms += one.ms
        for (const table of one.scanned) scanned.add(table)
      }
      times.push(ms)
    }
    const [middle, worst] = [median(times).toFixed(1), Math.max(...times).toFixed(1)]
    console.log(`| ${name}, ${reads.length} statements | median ${middle} ms | slowest ${worst} ms |`)
    console.log(`  tables read whole: ${[...scanned].join(', ') || 'none'}`)
  }
} finally {
  await place.close()
}
