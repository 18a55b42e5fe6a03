/**
 * Reads over HTTP at 50,000 campaigns, as a ratio to a bare node:http server with the same SQL (1.0). Rounds alternate between the
 * two. It prints medians of the rates, and of the processor time that the server and PostgreSQL take for a reply (Linux only),
 * which a busy machine affects less. Then it repeats the reads with the tag of the reply (304), against a bare server that asks no
 * database, and reads the list while people sign in. Takes about five minutes.
 *
 *     node bench/http.ts [--campaigns 50000] [--rounds 5] [--seconds 4] [--connections 32] [--soak 600]
 *
 * With `--soak`, runs all reads at once for this many seconds instead, and prints the memory used (Linux only).
 * Uses an embedded PostgreSQL in a temporary folder, or a separate database next to the one of DATABASE_URL.
 */
import { CampaignQuery } from '../src/campaigns/contract.ts'
import * as campaigns from '../src/campaigns/server/campaigns.ts'
import { busySeconds, processSeconds } from './busy.ts'
import { type Load, type Measured, measure } from './load.ts'
import { addCampaigns, addPeople, median, openPlace, option, type Place } from './place.ts'
import { recorded } from './recorded.ts'
import { soak } from './soak.ts'

const count = option('campaigns', 50_000, 2_000_000)
const rounds = option('rounds', 5, 50)
const duration = option('seconds', 4, 60)
const connections = option('connections', 32, 256)
const soaked = process.argv.includes('--soak') ? option('soak', 600, 86_400) : 0
const logins = 8

type Call = { name: string; path: string; bare: string; token: string }

/** The four calls, and for the bare server the SQL of each. */
const prepare = async ({ db, url, tokenFor }: Place) => {
  const developers = await addPeople(db, 'DEVELOPER', 50)
  const [tester] = await addPeople(db, 'TESTER', 1)
  const [admin] = await addPeople(db, 'ADMIN', 1)
  const ids = await addCampaigns(db, developers, { count, seats: 10, liveEvery: 4 })
  await db.query(`update campaigns set description = description || ' zebrafinch' where id in
    (select id from campaigns order by md5(id::text) limit 15)`)
  await db.query('vacuum analyze')

  const owner = { id: developers[7]!, role: 'DEVELOPER', sessionId: '' } as const
  const anyone = { id: tester!, role: 'TESTER', sessionId: '' } as const
  const overseer = { id: admin!, role: 'ADMIN', sessionId: '' } as const
  const twenty = CampaignQuery.parse({ limit: 20 })
  const rare = CampaignQuery.parse({ limit: 20, search: 'zebrafinch' })
  const { rows } = await db.query<{ id: string }>('select id from campaigns where developer_id = $1 limit 1', [
    owner.id,
  ])
  const own = rows[0]!.id
  const byId = await recorded(url, () => campaigns.get(owner, own))
  const statements = {
    '/list': await recorded(url, () => campaigns.list(owner, twenty)),
    '/campaign': byId.map(({ text, values }) => ({
      text,
      values: values.map(value => (value === own ? '$id' : value)),
    })),
    '/search': await recorded(url, () => campaigns.list(overseer, rare)),
    '/available': await recorded(url, () => campaigns.available(anyone, twenty)),
    // Uses no database.
    '/ping': [],
  }
  const [ownersToken, testersToken, adminsToken] = await Promise.all([
    tokenFor('DEVELOPER', owner.id),
    tokenFor('TESTER', anyone.id),
    tokenFor('ADMIN', overseer.id),
  ])
  const calls: Call[] = [
    { name: 'list of 20 campaigns', path: '/campaigns?limit=20', bare: '/list', token: ownersToken },
    { name: 'campaign by id', path: `/campaigns/${own}`, bare: `/campaign/${own}`, token: ownersToken },
    {
      name: 'search of a rare phrase',
      path: '/campaigns?limit=20&search=zebrafinch',
      bare: '/search',
      token: adminsToken,
    },
    { name: 'available campaigns, 20', path: '/campaigns/available?limit=20', bare: '/available', token: testersToken },
  ]
  return { calls, statements, made: ids.length }
}

const ofApp = (address: string, { path, token }: Call, headers: Record<string, string> = {}) => ({
  url: `${address}/api/v1${path}`,
  headers: { authorization: `Bearer ${token}`, ...headers },
  connections,
})

/** Microseconds of a core for each reply: of the server, and of PostgreSQL. */
type Busy = { serverUs: number; postgresUs: number }
type Target = Omit<Load, 'duration'> & { pid: number }

const measuredWith = async ({ pid, ...load }: Target): Promise<Measured & Busy> => {
  const busy = () => ({ server: processSeconds(pid), postgres: busySeconds(place.url) })
  const before = busy()
  const measured = await measure({ ...load, duration })
  const after = busy()
  const answers = measured.perSecond * duration
  return {
    ...measured,
    serverUs: ((after.server - before.server) / answers) * 1e6,
    postgresUs: ((after.postgres - before.postgres) / answers) * 1e6,
  }
}

/** Runs both in turn, after warming up each for a second. Returns the medians of the rounds. */
const compare = async (bare: Target, app: Target) => {
  const targets = [bare, app]
  for (const { pid: _, ...load } of targets) await measure({ ...load, duration: 1 })
  const seen: (Measured & Busy)[][] = [[], []]
  for (let round = 0; round < rounds; round++) {
    for (const [at, target] of targets.entries()) seen[at]!.push(await measuredWith(target))
  }
  const [ofBare, ofOurs] = seen.map(results => {
    const of = (figure: keyof (Measured & Busy)) => median(results.map(result => result[figure]))
    return { perSecond: of('perSecond'), p99Ms: of('p99Ms'), serverUs: of('serverUs'), postgresUs: of('postgresUs') }
  })
  return { bare: ofBare!, app: ofOurs! }
}

const print = (name: string, { bare, app }: { bare: Measured & Busy; app: Measured & Busy }) =>
  console.log(
    name.padEnd(34) +
      bare.perSecond.toFixed(0).padStart(7) +
      app.perSecond.toFixed(0).padStart(8) +
      (app.perSecond / bare.perSecond).toFixed(2).padStart(8) +
      `${bare.p99Ms} ms`.padStart(11) +
      `${app.p99Ms} ms`.padStart(10) +
      `${bare.serverUs.toFixed(0)} → ${app.serverUs.toFixed(0)}`.padStart(14) +
      `${bare.postgresUs.toFixed(0)} → ${app.postgresUs.toFixed(0)}`.padStart(16),
  )

const tagOf = async (app: string, call: Call) => {
  const { url, headers } = ofApp(app, call)
  return (await fetch(url, { headers })).headers.get('etag') ?? ''
}

/** A user with a real password hash who signs in again and again. */
const signIns = async (address: string): Promise<Omit<Load, 'duration'>> => {
  const person = { email: 'signs.in@bench.test', password: 'correct horse battery', name: 'Ann', role: 'TESTER' }
  const headers = { 'content-type': 'application/json' }
  const registered = await fetch(`${address}/api/v1/auth/register`, {
    method: 'POST',
    headers,
    body: JSON.stringify(person),
  })
  if (!registered.ok) throw new Error(`registering: ${registered.status}`)
  const body = JSON.stringify({ email: person.email, password: person.password })
  return { url: `${address}/api/v1/auth/login`, method: 'POST', headers, body, connections: logins }
}

const whileSigningIn = async (app: string, call: Call) => {
  const [list, login] = [ofApp(app, call), await signIns(app)]
  const alone: number[] = []
  const beside: number[] = []
  for (let round = 0; round < rounds; round++) {
    alone.push((await measure({ ...list, duration })).perSecond)
    const [busy] = await Promise.all([measure({ ...list, duration }), measure({ ...login, duration })])
    beside.push(busy.perSecond)
  }
  const ratio = (median(beside) / median(alone)).toFixed(2)
  console.log(`the list with ${logins} logins under way, against its own rate without: ${ratio}`)
}

const place = await openPlace()
try {
  const { calls, statements, made } = await prepare(place)
  const app = await place.serve('serve')
  if (soaked > 0) {
    const loads = calls.map(call => ofApp(app, call))
    await soak({ loads, connections, seconds: soaked, pid: place.pidOf(app) })
  } else {
    const bare = await place.serve('bare', statements)
    console.log(`${made} campaigns, ${connections} connections, medians of ${rounds} rounds of ${duration} s`)
    console.log(
      'call                               bare/s   app/s   ratio   p99 bare   p99 app    server, µs  PostgreSQL, µs',
    )
    const ours = (call: Call, headers?: Record<string, string>) => ({
      ...ofApp(app, call, headers),
      pid: place.pidOf(app),
    })
    const bares = (path: string) => ({ url: bare + path, connections, pid: place.pidOf(bare) })
    for (const call of calls) print(call.name, await compare(bares(call.bare), ours(call)))
    for (const call of calls.slice(0, 2)) {
      const unchanged = ours(call, { 'if-none-match': await tagOf(app, call) })
      print(`${call.name}, 304, to a ping`, await compare(bares('/ping'), unchanged))
    }
    await whileSigningIn(app, calls[0]!)
  }
} finally {
  await place.close()
}
