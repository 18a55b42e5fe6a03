/**
 * Reading over HTTP at 50,000 campaigns, as a ratio to a bare node:http server with the same SQL (1.0). Rounds alternate
 * between the two; medians are printed. About three minutes.
 *
 *     node bench/http.ts [--campaigns 50000] [--rounds 5] [--seconds 4] [--connections 32]
 *
 * On an embedded PostgreSQL in a temporary folder, or in a database of its own beside the one of DATABASE_URL.
 */
// @ts-expect-error -- it has no types
import untypedAutocannon from 'autocannon'
import { CampaignQuery } from '../src/campaigns/contract.ts'
import * as campaigns from '../src/campaigns/server/campaigns.ts'
import { addCampaigns, addPeople, median, openPlace, option, type Place } from './place.ts'
import { recorded } from './recorded.ts'

type Result = { requests: { average: number }; latency: { p99: number }; non2xx: number; errors: number }
type Load = { url: string; connections: number; duration: number; headers?: Record<string, string> }
const autocannon = untypedAutocannon as (load: Load) => Promise<Result>

const count = option('campaigns', 50_000, 2_000_000)
const rounds = option('rounds', 5, 50)
const duration = option('seconds', 4, 60)
const connections = option('connections', 32, 256)

type Call = { name: string; path: string; bare: string; token: string }

/** The four calls, and the SQL of each for the bare server. */
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

const measure = async (load: Load) => {
  const result = await autocannon(load)
  if (result.non2xx + result.errors > 0)
    throw new Error(`${load.url}: ${result.non2xx} refusals, ${result.errors} errors`)
  return { perSecond: result.requests.average, p99Ms: result.latency.p99 }
}

const place = await openPlace()
try {
  const { calls, statements, made } = await prepare(place)
  const app = await place.serve('serve')
  const bare = await place.serve('bare', statements)
  console.log(`${made} campaigns, ${connections} connections, medians of ${rounds} rounds of ${duration} s`)
  console.log('call                         bare/s   app/s   ratio   p99 bare   p99 app')
  for (const { name, path, bare: barePath, token } of calls) {
    const ofApp = { url: `${app}/api/v1${path}`, headers: { authorization: `Bearer ${token}` }, connections }
    const ofBare = { url: `${bare}${barePath}`, connections }
    for (const load of [ofBare, ofApp]) await measure({ ...load, duration: 1 })
    const seen: Record<'bare' | 'app', { perSecond: number; p99Ms: number }[]> = { bare: [], app: [] }
    for (let round = 0; round < rounds; round++) {
      seen.bare.push(await measure({ ...ofBare, duration }))
      seen.app.push(await measure({ ...ofApp, duration }))
    }
    const middle = (what: 'bare' | 'app', key: 'perSecond' | 'p99Ms') => median(seen[what].map(one => one[key]))
    const [bareRate, appRate] = [middle('bare', 'perSecond'), middle('app', 'perSecond')]
    console.log(
      name.padEnd(26) +
        bareRate.toFixed(0).padStart(9) +
        appRate.toFixed(0).padStart(8) +
        (appRate / bareRate).toFixed(2).padStart(8) +
        `${middle('bare', 'p99Ms')} ms`.padStart(11) +
        `${middle('app', 'p99Ms')} ms`.padStart(10),
    )
  }
} finally {
  await place.close()
}
