/**
 * `npm run prometheus`: has a real Prometheus scrape two servers. Tests the alerts, and that every metric named by an alert or
 * the dashboard exists. Needs Debian's package `prometheus`; installs nothing, and leaves nothing behind.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { startPostgres } from '../src/kit/postgres/embedded.ts'
import { projectRoot } from '../src/kit/server/root.ts'
import { freePort } from './screens/freePort.ts'
import { startServer } from './screens/server.ts'

const run = promisify(execFile)
const say = (line: string) => process.stdout.write(`${line}\n`)
const deploy = join(projectRoot, 'deploy')
const alerts = join(deploy, 'prometheus/alerts.yml')
const token = 'token-of-the-rehearsal'
const patienceMs = 60_000

const assertInstalled = async () => {
  for (const binary of ['prometheus', 'promtool']) {
    await run(binary, ['--version']).catch(() => {
      throw new Error(`${binary} is missing. On Debian: apt-get install prometheus`)
    })
  }
}

const configFor = (targets: string[]) => `
global: { scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s }
rule_files: ['${alerts}']
scrape_configs:
  - job_name: fieldtest
    authorization: { credentials: '${token}' }
    static_configs: [{ targets: [${targets.map(target => `'${target}'`).join(', ')}] }]
`

type Answer<T> = { status: string; error?: string; data: T }

const asking =
  (port: number) =>
  async <T>(path: string): Promise<T> => {
    const reply = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)
    const { status, error, data } = (await reply.json()) as Answer<T>
    if (status !== 'success') throw new Error(`Prometheus: ${error}`)
    return data
  }

const until = async (what: string, isSo: () => Promise<boolean>) => {
  const end = performance.now() + patienceMs
  while (!(await isSo().catch(() => false))) {
    if (performance.now() > end) throw new Error(`Not within a minute: ${what}`)
    await pause(250)
  }
}

/** The names of our metrics in an expression, without `up` and the suffixes of buckets. */
const namesIn = (text: string) => new Set(text.match(/\b(?:fieldtest|nodejs|process)_[a-z0-9_]+/g))

const rehearse = async (folder: string, stops: (() => Promise<unknown>)[]) => {
  await run('promtool', ['check', 'rules', alerts])
  await run('promtool', ['test', 'rules', join(deploy, 'prometheus/alerts.test.yml')])
  await run('promtool', ['check', 'config', '--syntax-only', join(deploy, 'prometheus/prometheus.yml')])
  say('The alerts are valid, and their tests pass.')

  const postgres = await startPostgres({ dataDir: join(folder, 'postgres') })
  stops.push(() => postgres.stop())
  const servers = []
  for (const name of ['a', 'b']) {
    const server = await startServer(join(folder, name), postgres.connectionString, { METRICS_TOKEN: token })
    stops.push(server.stop)
    servers.push(server)
  }
  const config = join(folder, 'prometheus.yml')
  await writeFile(config, configFor(servers.map(({ address }) => new URL(address).host)))
  const port = await freePort()
  const prometheus: ChildProcess = spawn(
    'prometheus',
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  )
  stops.push(async () => {
    const ended = once(prometheus, 'exit')
    prometheus.kill('SIGTERM')
    await ended
  })
  const ask = asking(port)
  type Vector = { result: { metric: Record<string, string>; value: [number, string] }[] }
  const query = (expression: string) => ask<Vector>(`query?query=${encodeURIComponent(expression)}`)

  await until('both servers are up', async () => (await query('sum(up)')).result[0]?.value[1] === '2')
  say('Prometheus scrapes two servers.')
  for (const { address } of servers) await fetch(`${address}/api/v1/pricing`)
  await until(
    'requests are counted',
    async () => (await query('fieldtest_http_requests_total{operation="landing.pricing"}')).result.length === 2,
  )

  const texts = [await readFile(alerts, 'utf8'), await readFile(join(deploy, 'grafana/fieldtest.json'), 'utf8')]
  const names = [...namesIn(texts.join('\n'))].toSorted()
  // A new product has not run any checks, and these servers have no standby.
  const later = names.filter(name => /^fieldtest_(check|replica)_/.test(name))
  const known = new Set(await ask<string[]>('label/__name__/values'))
  const missing = names.filter(name => !known.has(name) && !later.includes(name))
  if (missing.length > 0) throw new Error(`Not exported: ${missing.join(', ')}`)
  say(
    `All ${names.length - later.length} metrics used by the alerts and the dashboard are exported; ${later.length} appear only with the first checks, or with standbys.`,
  )

  const dashboard = JSON.parse(texts[1]!) as { panels: { title: string; targets: { expr: string }[] }[] }
  for (const { targets } of dashboard.panels) for (const { expr } of targets) await query(expr)
  say(`The queries of all ${dashboard.panels.length} dashboard panels work.`)
  const firing = (await query('ALERTS{alertstate="firing"}')).result
  if (firing.length > 0) throw new Error(`Alerts fire although the product is healthy: ${JSON.stringify(firing)}`)
  say('No alert fires.')
}

const folder = await mkdtemp(join(tmpdir(), 'fieldtest-prometheus-'))
const stops: (() => Promise<unknown>)[] = []
try {
  await assertInstalled()
  await rehearse(folder, stops)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
} finally {
  for (const stop of stops.toReversed()) await stop()
  await rm(folder, { recursive: true, force: true })
}
