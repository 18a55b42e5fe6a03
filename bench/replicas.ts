/**
 * Measures reads with one and two servers, with and without a standby, in one run. It prints rates as ratios to a single server,
 * and the processor time of each part, which is comparable even on a busy machine and is the basis for planning capacity
 * (docs/capacity.md). Linux only; takes about two minutes. If all parts share the same cores, more parts cannot raise the rate;
 * what changes is whose time is spent.
 *
 *     node bench/replicas.ts [--rounds 3] [--reads 600] [--campaigns 5000]
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Agent, request } from 'node:http'
import { availableParallelism } from 'node:os'
import { urlOf } from '../src/testing/databases.ts'
import { type Node, startPrimary, startStandby } from '../src/testing/standby.ts'
import { processSeconds } from './busy.ts'
import { addCampaigns, addPeople, median, openPlace, option, type Place } from './place.ts'

const rounds = option('rounds', 3, 20)
const reads = option('reads', 600, 20_000)
const campaigns = option('campaigns', 5_000, 100_000)
const atOnce = 16
const paths = ['/api/v1/campaigns?limit=20', '/api/v1/dashboard/developer']

const parentOf = (pid: string) => Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')[1])

/** Processor time of a PostgreSQL and all of its processes. */
const postgresSeconds = ({ dataDir }: Node): number => {
  const postmaster = Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
  return readdirSync('/proc')
    .filter(pid => /^\d+$/.test(pid))
    .reduce((sum, pid) => {
      try {
        return parentOf(pid) === postmaster ? sum + processSeconds(pid) : sum
      } catch {
        return sum
      }
    }, processSeconds(postmaster))
}

const agent = new Agent({ keepAlive: true, maxSockets: atOnce })

const read = (address: string, path: string, token: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'fieldtest-position': '0'.repeat(16) }
    request(address + path, { agent, headers }, reply => {
      reply.resume()
      reply.once('end', () => (reply.statusCode === 200 ? resolve() : reject(new Error(`${reply.statusCode} ${path}`))))
    })
      .once('error', reject)
      .end()
  })

const readAll = async (addresses: readonly string[], tokens: readonly string[]): Promise<void> => {
  let sent = 0
  const reader = async () => {
    for (let number = sent++; number < reads; number = sent++)
      await read(addresses[number % addresses.length]!, paths[number % 2]!, tokens[number % tokens.length]!)
  }
  await Promise.all(Array.from({ length: atOnce }, reader))
}

type Shape = { name: string; addresses: string[] }
type Measured = { rate: number; server: number; primary: number; standby: number }

/** Processor time is reported in milliseconds per read. */
const measure = async (place: Place, nodes: Record<'primary' | 'standby', Node>, shape: Shape, tokens: string[]) => {
  const spent = () => ({
    server: shape.addresses.reduce((sum, address) => sum + processSeconds(place.pidOf(address)), 0),
    primary: postgresSeconds(nodes.primary),
    standby: postgresSeconds(nodes.standby),
  })
  const before = spent()
  const begun = performance.now()
  await readAll(shape.addresses, tokens)
  const seconds = (performance.now() - begun) / 1000
  const after = spent()
  const each = (part: keyof typeof before) => ((after[part] - before[part]) * 1000) / reads
  return { rate: reads / seconds, server: each('server'), primary: each('primary'), standby: each('standby') }
}

const serve = async (place: Place, replica: string | undefined) => {
  if (replica === undefined) delete process.env.DATABASE_REPLICA_URLS
  else process.env.DATABASE_REPLICA_URLS = replica
  return place.serve('serve')
}

const primary = await startPrimary()
process.env.DATABASE_URL = primary.url
const place = await openPlace()
const people = await addPeople(place.db, 'DEVELOPER', 200)
await addCampaigns(place.db, people, { count: campaigns, seats: 12, liveEvery: 3 })
await place.db.query('vacuum analyze')
const standby = await startStandby(primary)
try {
  const replica = urlOf(standby.url, new URL(place.url).pathname.slice(1))
  const alone = [await serve(place, undefined), await serve(place, undefined)]
  const reading = [await serve(place, replica), await serve(place, replica)]
  const shapes: Shape[] = [
    { name: '1 server', addresses: alone.slice(0, 1) },
    { name: '2 servers', addresses: alone },
    { name: '1 server, a standby', addresses: reading.slice(0, 1) },
    { name: '2 servers, a standby', addresses: reading },
  ]
  const tokens = await Promise.all(people.map(id => place.tokenFor('DEVELOPER', id)))
  // Warms up code and caches, and lets the servers find the standby.
  for (const { addresses } of shapes) await readAll(addresses, tokens)
  const measured = new Map<string, Measured[]>(shapes.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round++)
    for (const shape of shapes)
      measured.get(shape.name)!.push(await measure(place, { primary, standby }, shape, tokens))
  const of = (name: string, part: keyof Measured) => median(measured.get(name)!.map(each => each[part]))
  const base = of('1 server', 'rate')
  process.stdout.write(`${availableParallelism()} cores, ${reads} reads a round, medians of ${rounds} rounds\n`)
  process.stdout.write('| | rate | server ms | primary ms | standby ms |\n|---|---|---|---|---|\n')
  for (const { name } of shapes) {
    const parts = (['server', 'primary', 'standby'] as const).map(part => of(name, part).toFixed(2))
    process.stdout.write(`| ${name} | ${(of(name, 'rate') / base).toFixed(2)} | ${parts.join(' | ')} |\n`)
  }
} finally {
  agent.destroy()
  await place.close()
  await standby.stop()
  await primary.stop()
}
