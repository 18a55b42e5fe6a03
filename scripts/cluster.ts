/**
 * `npm run cluster`: runs three PostgreSQL nodes under Patroni in strict synchronous mode, etcd, HAProxy and two of our servers
 * on this machine. While users write, it moves and kills the primary, and kills and replaces our servers: no answered write may
 * be lost, and nothing may happen twice. Needs Debian packages and says which; installs nothing, and leaves nothing behind.
 * Takes about three minutes.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { buildPageIfStale } from '../src/app/server/page.ts'
import { type Figure, happenings } from './cluster/events.ts'
import { startLoad } from './cluster/load.ts'
import { startNodes } from './cluster/nodes.ts'
import { choosePorts, password, serverHosts } from './cluster/places.ts'
import { type Proof, prove } from './cluster/proof.ts'
import { type Server, startHaproxy, startServer, urlOf } from './cluster/servers.ts'
import { makeCertificate } from './deploy/certificate.ts'
import { startNoMore, until } from './deploy/children.ts'
import { missing, sentenceOf } from './deploy/packages.ts'
import { clientOf } from './deploy/tlsClient.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

const createDatabase = async (superuser: string, port: number) => {
  const connectionString = `postgres://${superuser}:${password}@127.0.0.1:${port}/postgres`
  await until('the primary is reached through HAProxy', async () => {
    const client = new pg.Client({ connectionString })
    client.on('error', () => undefined)
    await client.connect()
    for (const role of ['fieldtest', 'fieldtest_app']) {
      const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role])
      if (rowCount === 0) await client.query(`create role ${role} login password '${password}'`)
    }
    await client.query('create database fieldtest owner fieldtest')
    await client.end()
    return true
  })
}

const rehearse = async (folder: string, stops: (() => Promise<unknown>)[]): Promise<[Figure[], Proof]> => {
  // Built first, because otherwise several servers would find at once that it has to be built.
  await buildPageIfStale(say)
  const ports = await choosePorts()
  const tls = await makeCertificate(folder)
  say('Starting etcd and three nodes …')
  const cluster = await startNodes(folder, ports, stops)
  await startHaproxy(folder, ports, tls, stops)
  await cluster.whole()
  await createDatabase(cluster.superuser, ports.primary)
  say('Starting two servers …')
  const servers: [Server, Server] = [
    startServer(folder, ports, serverHosts[0], ports.first),
    startServer(folder, ports, serverHosts[1], ports.first),
  ]
  stops.push(() => Promise.all(servers.map(server => server.stop())))
  for (const server of servers) await server.ready()
  const client = await clientOf(ports.https, tls.certificate)
  stops.push(async () => client.close())
  await until('HAProxy passes calls on', async () => (await client.call('/pricing')).status === 200)

  const load = startLoad(client)
  await pause(5_000)
  const figures = await happenings({ load, cluster, folder, ports, servers, say })
  await load.stop()
  if (load.refused.length > 0) throw new Error(`Refused: ${load.refused.slice(0, 5).join('\n')}`)
  say(`${load.reads.answered} lists read, each with what was just written; ${load.reads.failed} had to be read again.`)
  return [figures, await prove(client, urlOf(`127.0.0.1:${ports.primary}`), load.writes)]
}

const table = (figures: readonly Figure[]) => {
  say('\n| event | writes answered | sent again | longest time without an answered write | slowest write |')
  say('|---|---|---|---|---|')
  for (const { what, answered, retried, pauseMs, waitMs } of figures)
    say(`| ${what} | ${answered} | ${retried} | ${seconds(pauseMs)} | ${seconds(waitMs)} |`)
}

const judge = (figures: readonly Figure[], proof: Proof) => {
  say(
    `\n${proof.acknowledged} writes acknowledged, ${proof.lost} lost; ${proof.retried} sent more than once, ${proof.differing} of them with another answer, ${proof.surplus} too many or too few; ${proof.refunds} refunds arrived; all checks hold.`,
  )
  const late = figures.filter(({ pauseMs, atMostMs }) => pauseMs > atMostMs)
  if (late.length > 0) throw new Error(`Took too long: ${late.map(({ what }) => what).join(', ')}`)
  if (proof.lost + proof.differing + proof.surplus > 0) throw new Error('Something was lost or happened twice')
}

const lacking = missing(['patroni', 'etcd', 'haproxy', 'openssl', '/usr/lib/postgresql/15/bin/postgres'])
if (lacking.length > 0) {
  say(sentenceOf(lacking))
  process.exit(1)
}

const folder = await mkdtemp(join(tmpdir(), 'fieldtest-cluster-'))
// PostgreSQL's user has to be able to reach its own folders in it.
await chmod(folder, 0o711)
const stops: (() => Promise<unknown>)[] = []
let leaving: Promise<void> | undefined
const leave = () => {
  startNoMore()
  leaving ??= (async () => {
    for (const stop of stops.toReversed()) await stop().catch(() => undefined)
    await rm(folder, { recursive: true, force: true })
  })()
  return leaving
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => void leave().finally(() => process.exit(130)))

try {
  const [figures, proof] = await rehearse(folder, stops)
  table(figures)
  judge(figures, proof)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
} finally {
  await leave()
}
process.exit()
