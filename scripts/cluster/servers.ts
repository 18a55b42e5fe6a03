/** HAProxy, and our servers on two machines, configured as in deploy/haproxy. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { projectRoot } from '../../src/kit/server/root.ts'
import { adapted, deployFile } from '../deploy/adapted.ts'
import { started, stopped, until } from '../deploy/children.ts'
import { withPrograms } from '../deploy/packages.ts'
import type { Certificate } from '../deploy/certificate.ts'
import { nodeHosts, password, type Ports, serverHosts } from './places.ts'

const main = join(projectRoot, 'src/app/server/main.ts')

export const startHaproxy = async (
  folder: string,
  ports: Ports,
  tls: Certificate,
  stops: (() => Promise<unknown>)[],
): Promise<void> => {
  const servers = await adapted('haproxy/servers.cfg', join(folder, 'servers.cfg'), {
    'bind :443': `bind 127.0.0.1:${ports.https}`,
    '/etc/haproxy/certs/fieldtest.pem': tls.both,
  })
  const places = {
    PG_NODE_1: nodeHosts[0],
    PG_NODE_2: nodeHosts[1],
    PG_NODE_3: nodeHosts[2],
    PG_PORT: String(ports.postgres),
    PATRONI_PORT: String(ports.patroni),
    PG_PRIMARY_PORT: String(ports.primary),
    PG_REPLICAS_PORT: String(ports.replicas),
    SERVER_1: serverHosts[0],
    SERVER_2: serverHosts[1],
    PORT_1: String(ports.first),
    PORT_2: String(ports.second),
  }
  const haproxy = started('haproxy', ['-db', '-f', deployFile('haproxy/postgresql.cfg'), '-f', servers], {
    log: join(folder, 'haproxy.log'),
    env: { ...withPrograms, ...places },
  })
  stops.push(() => stopped(haproxy))
}

export type Server = { process: ChildProcess; name: string; ready: () => Promise<void>; stop: () => Promise<void> }

/** The product signs in as `fieldtest_app`; `fieldtest` owns the tables and migrates them. */
export const urlOf = (place: string, role = 'fieldtest_app'): string =>
  `postgres://${role}:${password}@${place}/fieldtest`

/** Starts a server; `ready` waits until the server says that it is. */
export const startServer = (folder: string, ports: Ports, host: string, port: number): Server => {
  const name = `${host}:${port}`
  const env = {
    ...process.env,
    HOST: host,
    PORT: String(port),
    DATABASE_URL: urlOf(`127.0.0.1:${ports.primary}`),
    DATABASE_MIGRATION_URL: urlOf(`127.0.0.1:${ports.primary}`, 'fieldtest'),
    // One address per node: a server asks each which of them is a standby, and how far it has replayed.
    DATABASE_REPLICA_URLS: nodeHosts.map(node => urlOf(`${node}:${ports.postgres}`)).join(','),
    // The servers share the uploaded files and the money of the sandbox.
    DATA_DIR: join(folder, 'data'),
    PUBLIC_URL: 'https://fieldtest.example',
    TRUST_PROXY: '1',
    RATE_LIMIT: 'off',
    REGISTRATIONS_PER_HOUR: '999999',
    DRAIN_SECONDS: '3',
    LOG_LEVEL: 'warn',
  }
  const child = started(process.execPath, [main], { log: join(folder, `server-${name}.log`), env })
  return {
    process: child,
    name,
    ready: () => until(`server ${name} is ready`, async () => (await fetch(`http://${name}/health/ready`)).ok),
    stop: () => stopped(child),
  }
}

export const killServer = async ({ process: child }: Server): Promise<void> => {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
