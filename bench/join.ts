/**
 * Taking seats: joins per second through the application (HTTP, token, rules, reply), as a ratio to the single SQL
 * statement that takes a seat, sent directly through pg (1.0). Spread over 1,000 campaigns, and on one hot campaign.
 * Rounds alternate between the two; medians are printed. About two minutes.
 *
 *     node bench/join.ts [--joins 4000] [--rounds 5] [--connections 32]
 *
 * On an embedded PostgreSQL in a temporary folder, or in a database of its own beside the one of DATABASE_URL.
 */
import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import pg from 'pg'
import { useMail as sendMailBy } from '../src/notifications/server/notifications.ts'
import { join } from '../src/participations/server/joining.ts'
import type { Statement } from './bare.ts'
import { addCampaigns, addPeople, median, openPlace, option, type Place } from './place.ts'
import { recorded } from './recorded.ts'

// Joining asks whether emails go out; here they do not.
sendMailBy({ from: 'bench@example.test', publicUrl: 'http://localhost', folder: tmpdir() })

const joins = option('joins', 4000, 20_000)
const rounds = option('rounds', 5, 20)
const connections = option('connections', 32, 256)

type Seat = { tester: number; campaignId: string }

/** Each caller starts the next call when its last has finished; resolves with calls per second. */
const perSecond = async (seats: readonly Seat[], take: (seat: Seat) => Promise<void>) => {
  const waiting = seats.values()
  const start = performance.now()
  const caller = async () => {
    for (const seat of waiting) await take(seat)
  }
  await Promise.all(Array.from({ length: connections }, caller))
  return (seats.length / (performance.now() - start)) * 1000
}

/** The statement of the use case, with other ids in place of the recorded ones. */
const statementOf = async ({ db, url }: Place, testerId: string, developerId: string) => {
  const [campaignId] = await addCampaigns(db, [developerId], { count: 1, seats: 1, liveEvery: 1 })
  const tester = { id: testerId, role: 'TESTER', sessionId: '' } as const
  const statements = await recorded(url, () => join(tester, campaignId!, { deviceInfo: device }))
  const taking = statements.find(({ text }) => text.includes('insert into participations'))
  if (!taking) throw new Error('the statement that takes a seat was not recognised')
  const made = (await db.query<{ id: string }>('select id from participations')).rows[0]!.id
  const roles = new Map<unknown, keyof Seat | 'id'>([
    [campaignId, 'campaignId'],
    [testerId, 'tester'],
    [made, 'id'],
  ])
  return (seat: { id: string; tester: string; campaignId: string }): Statement => ({
    text: taking.text,
    values: taking.values.map(value => {
      const role = roles.get(value)
      return role === undefined ? value : seat[role]
    }),
  })
}

// Without a platform, since some of the campaigns are for another one.
const device = { osVersion: '14', model: 'Pixel 8', manufacturer: 'Google' } as const

const post = (address: string, agent: Agent, token: string) =>
  new Promise<void>((resolve, reject) => {
    const body = JSON.stringify({ deviceInfo: device })
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    }
    const sent = request(address, { method: 'POST', agent, headers }, reply => {
      let text = ''
      reply.on('data', (chunk: Buffer) => (text += chunk.toString()))
      reply.on('end', () => (reply.statusCode === 201 ? resolve() : reject(new Error(`${reply.statusCode}: ${text}`))))
    })
    sent.on('error', reject)
    sent.end(body)
  })

const place = await openPlace()
const agent = new Agent({ keepAlive: true, maxSockets: connections })
const pool = new pg.Pool({ connectionString: place.url, max: 10 })
try {
  const { db } = place
  const [developer] = await addPeople(db, 'DEVELOPER', 1)
  const testers = await addPeople(db, 'TESTER', joins)
  const statement = await statementOf(place, testers[0]!, developer!)
  // The hot campaign has more seats than the product allows, or it would be full within moments.
  await db.query('alter table campaigns drop constraint campaigns_testers_required_check')
  // And everybody joins far more often than a tester may.
  await db.query('update settings set open_tests_per_tester = 1000')
  const campaigns = async (count: number, seats: number) =>
    addCampaigns(db, [developer!], { count, seats, liveEvery: 1 })
  const tokens = await Promise.all(testers.map(id => place.tokenFor('TESTER', id)))
  const app = await place.serve('serve')

  const direct = async ({ tester, campaignId }: Seat) => {
    const { text, values } = statement({ id: randomUUID(), tester: testers[tester]!, campaignId })
    const { rowCount } = await pool.query({ name: 'take-seat', text, values })
    if (rowCount !== 1) throw new Error('no seat was taken')
  }
  const throughApp = ({ tester, campaignId }: Seat) =>
    post(`${app}/api/v1/testers/campaigns/${campaignId}/join`, agent, tokens[tester]!)

  console.log(`${joins} joins a round, ${connections} connections, medians of ${rounds} rounds`)
  console.log('joins                     statement/s   app/s   ratio')
  for (const { name, spread } of [
    { name: 'spread over campaigns', spread: 1000 },
    { name: 'on one hot campaign', spread: 1 },
  ]) {
    const seen: { direct: number[]; app: number[] } = { direct: [], app: [] }
    // Round 0 is a warm-up and not counted.
    for (let round = 0; round <= rounds; round++) {
      for (const [what, take] of [
        ['direct', direct],
        ['app', throughApp],
      ] as const) {
        // Everybody joins again, so every round has new campaigns.
        const ids = await campaigns(spread, joins)
        await db.query('vacuum analyze campaigns')
        const seats = testers.map((_, tester) => ({ tester, campaignId: ids[tester % spread]! }))
        const rate = await perSecond(seats, take)
        if (round > 0) seen[what].push(rate)
      }
    }
    const [directRate, appRate] = [median(seen.direct), median(seen.app)]
    console.log(
      name.padEnd(26) +
        directRate.toFixed(0).padStart(11) +
        appRate.toFixed(0).padStart(8) +
        (appRate / directRate).toFixed(2).padStart(8),
    )
  }
} finally {
  agent.destroy()
  await pool.end()
  await place.close()
}
