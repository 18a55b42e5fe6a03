/** nginx, Caddy and HAProxy as deploy/ configures them, with two of our servers behind them. */
import type { ChildProcess } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startPostgres } from '../../src/kit/postgres/embedded.ts'
import { freePort } from '../screens/freePort.ts'
import { type RunningServer, startServer } from '../screens/server.ts'
import { adapted } from './adapted.ts'
import { assertBehind, duringCalls } from './behind.ts'
import type { Certificate } from './certificate.ts'
import { started, stopped, until } from './children.ts'
import { missing, type Program, withPrograms } from './packages.ts'
import { clientOf } from './tlsClient.ts'
import { caddyEnv, nginxConfig } from './validators.ts'

type Place = { folder: string; tls: Certificate; port: number; servers: [number, number] }
type Proxy = { name: string; needs: Program; start: (place: Place) => Promise<ChildProcess> }

const nginx: Proxy = {
  name: 'nginx',
  needs: 'nginx',
  start: async ({ folder, tls, port, servers: [first, second] }) => {
    const [plain, other] = [await freePort(), await freePort()]
    const config = await nginxConfig(folder, tls, {
      '    listen [::]:80;\n': '',
      '    listen [::]:443 ssl http2;\n': '',
      'listen 80;': `listen 127.0.0.1:${plain};`,
      'listen 443 ': `listen 127.0.0.1:${port} `,
      '127.0.0.1:3001': `127.0.0.1:${first}`,
      '127.0.0.1:3002': `127.0.0.1:${second}`,
      '/var/www/acme': join(folder, `acme-${other}`),
    })
    const log = join(folder, 'log')
    return started('nginx', ['-e', 'stderr', '-c', config], { log, env: withPrograms })
  },
}

const caddy: Proxy = {
  name: 'Caddy',
  needs: 'caddy',
  start: async ({ folder, tls, port, servers: [first, second] }) => {
    const config = await adapted('caddy/Caddyfile', join(folder, 'Caddyfile'), {
      '\nfieldtest.example {': `\n{\n admin off\n auto_https disable_redirects\n}\nhttps://fieldtest.example:${port} {\n tls ${tls.certificate} ${tls.key}`,
      '127.0.0.1:3001': `127.0.0.1:${first}`,
      '127.0.0.1:3002': `127.0.0.1:${second}`,
    })
    const args = ['run', '--adapter', 'caddyfile', '--config', config]
    return started('caddy', args, { log: join(folder, 'log'), env: caddyEnv(folder) })
  },
}

const haproxy: Proxy = {
  name: 'HAProxy',
  needs: 'haproxy',
  start: async ({ folder, tls, port, servers: [first, second] }) => {
    const config = await adapted('haproxy/servers.cfg', join(folder, 'haproxy.cfg'), {
      'bind :443': `bind 127.0.0.1:${port}`,
      '/etc/haproxy/certs/fieldtest.pem': tls.both,
    })
    // Nothing listens on the second machine.
    const places = { SERVER_1: '127.0.0.1', SERVER_2: '127.0.0.9', PORT_1: String(first), PORT_2: String(second) }
    return started('haproxy', ['-db', '-f', config], { log: join(folder, 'log'), env: { ...withPrograms, ...places } })
  },
}

type Options = {
  folder: string
  tls: Certificate
  lacking: Set<Program>
  attempt: (what: string, task: () => Promise<string>) => Promise<void>
  stops: (() => Promise<unknown>)[]
}

/** How long a stopping server still accepts connections; the proxies check every second. */
const drainSeconds = '3'

export const checkProxies = async ({ folder, tls, lacking, attempt, stops }: Options): Promise<void> => {
  const proxies = [nginx, caddy, haproxy].filter(({ needs }) => {
    const without = missing([needs])
    for (const program of without) lacking.add(program)
    return without.length === 0
  })
  if (proxies.length === 0) return
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), durable: false })
  stops.push(() => postgres.stop())
  const servers: [number, number] = [await freePort(), await freePort()]
  const startOn = (port: number) =>
    startServer(join(folder, 'data'), postgres.connectionString, {
      PORT: String(port),
      PUBLIC_URL: 'https://fieldtest.example',
      TRUST_PROXY: '1',
      DRAIN_SECONDS: drainSeconds,
    })
  const running: RunningServer[] = []
  for (const port of servers) running.push(await startOn(port))
  stops.push(() => Promise.all(running.map(server => server.stop())))

  for (const { name, start } of proxies) {
    await attempt(`the product behind ${name}`, async () => {
      const own = join(folder, `behind-${name}`)
      await mkdir(own)
      const port = await freePort()
      const proxy = await start({ folder: own, tls, port, servers })
      stops.push(() => stopped(proxy))
      const client = await clientOf(port, tls.certificate)
      try {
        await until(`${name} answers`, async () => (await client.call('/pricing')).status === 200, 20_000)
        const token = await assertBehind(client)
        const answered = await duringCalls(client, token, async () => {
          for (const place of [0, 1] as const) {
            await running[place]!.stop()
            running[place] = await startOn(servers[place])
            // Gives the proxy time to see that the server is back.
            await pause(3_000)
          }
        })
        return `streams, uploads, addresses and /metrics as they should be; both servers replaced, 0 of ${answered} calls failed`
      } finally {
        client.close()
        await stopped(proxy)
      }
    })
  }
}
