/** etcd and three nodes of PostgreSQL under Patroni, as deploy/patroni configures them. */
import { type ChildProcess, execFileSync } from 'node:child_process'
import { chown, mkdir, readFile, readdir } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { adapted } from '../deploy/adapted.ts'
import { started, stopped, until } from '../deploy/children.ts'
import { withPrograms } from '../deploy/packages.ts'
import { nodeHosts, password, type Ports } from './places.ts'

/** PostgreSQL refuses to run as root; it then runs as the user of Debian's package. */
type Identity = { user: string; uid?: number; gid?: number }

const chooseIdentity = (): Identity => {
  if (process.getuid?.() !== 0) return { user: userInfo().username }
  const idOf = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }))
  return { user: 'postgres', uid: idOf('-u'), gid: idOf('-g') }
}

type Member = { name: string; role: string; state: string; lag?: number | 'unknown' }

type Node = { name: string; host: string; data: string; patroni: ChildProcess }
export type Cluster = {
  superuser: string
  leader: () => Promise<Node>
  /** Waits for a leader and two replicas that follow it, one of them synchronous. */
  whole: () => Promise<void>
  switchOver: () => Promise<void>
  /** Kills Patroni and PostgreSQL, as a power failure would. */
  kill: (node: Node) => Promise<void>
  startAgain: (node: Node) => void
}

type Stops = (() => Promise<unknown>)[]
type Place = { folder: string; ports: Ports; identity: Identity }

const ownFolder = async ({ folder, identity: { uid, gid } }: Place, name: string) => {
  const path = join(folder, name)
  await mkdir(path, { mode: 0o700 })
  if (uid !== undefined) await chown(path, uid, gid!)
  return path
}

const startEtcd = async (place: Place, stops: Stops) => {
  const { folder, ports, identity } = place
  const [clients, peers] = [`http://127.0.0.1:${ports.etcd}`, `http://127.0.0.1:${ports.etcdPeers}`]
  const options = {
    name: 'one',
    'data-dir': await ownFolder(place, 'etcd'),
    'listen-client-urls': clients,
    'advertise-client-urls': clients,
    'listen-peer-urls': peers,
    'initial-advertise-peer-urls': peers,
    'initial-cluster': `one=${peers}`,
  }
  const args = Object.entries(options).flatMap(([option, value]) => [`--${option}`, value])
  const { uid, gid } = identity
  const etcd = started('etcd', args, { log: join(folder, 'etcd.log'), env: withPrograms, uid, gid })
  stops.push(() => stopped(etcd))
  await until('etcd answers', async () => (await fetch(`${clients}/health`)).ok, 20_000)
}

const startPatroni = ({ folder, ports, identity }: Place, { name, host, data }: Omit<Node, 'patroni'>) => {
  const { user, uid, gid } = identity
  const env = {
    ...withPrograms,
    HOME: data,
    PATRONI_NAME: name,
    PATRONI_ETCD3_HOST: `127.0.0.1:${ports.etcd}`,
    PATRONI_RESTAPI_LISTEN: `${host}:${ports.patroni}`,
    PATRONI_RESTAPI_CONNECT_ADDRESS: `${host}:${ports.patroni}`,
    PATRONI_RESTAPI_USERNAME: 'patroni',
    PATRONI_RESTAPI_PASSWORD: password,
    PATRONI_POSTGRESQL_LISTEN: `${host}:${ports.postgres}`,
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${host}:${ports.postgres}`,
    PATRONI_POSTGRESQL_DATA_DIR: join(data, 'data'),
    PATRONI_POSTGRESQL_PGPASS: join(data, 'pgpass'),
    PATRONI_POSTGRESQL_BIN_DIR: '/usr/lib/postgresql/15/bin',
    // Local connections are trusted by the name of the system's user.
    PATRONI_SUPERUSER_USERNAME: user,
    PATRONI_SUPERUSER_PASSWORD: password,
    PATRONI_REPLICATION_USERNAME: 'replicator',
    PATRONI_REPLICATION_PASSWORD: password,
    PATRONI_REWIND_USERNAME: 'rewind',
    PATRONI_REWIND_PASSWORD: password,
  }
  return started('patroni', [configOf(folder, name)], { cwd: data, log: join(folder, `${name}.log`), env, uid, gid })
}

const configOf = (folder: string, name: string) => join(folder, `${name}.yml`)

const startNode = async (place: Place, name: string, host: string, stops: Stops): Promise<Node> => {
  const data = await ownFolder(place, name)
  await adapted('patroni/config.yml', configOf(place.folder, name), {
    'use_unix_socket: true': `use_unix_socket: true\n  parameters:\n    unix_socket_directories: ${data}`,
  })
  const node = { name, host, data, patroni: startPatroni(place, { name, host, data }) }
  stops.push(async () => {
    await stopped(node.patroni)
    await killPostgres(node)
  })
  return node
}

/** The members, as known to the first of these nodes that answers. */
const membersAt = async (nodes: readonly Node[], port: number): Promise<Member[]> => {
  for (const { host } of nodes) {
    const asking = fetch(`http://${host}:${port}/cluster`, { signal: AbortSignal.timeout(2_000) })
    const reply = await asking.catch(() => undefined)
    if (reply?.ok) return ((await reply.json()) as { members: Member[] }).members
  }
  return []
}

const isWhole = (members: readonly Member[]) => {
  const follows = ({ state, lag }: Member) => ['running', 'streaming'].includes(state) && lag !== 'unknown'
  const roles = ['leader', 'sync_standby']
  return members.filter(follows).length === 3 && roles.every(role => members.some(one => one.role === role))
}

export const startNodes = async (folder: string, ports: Ports, stops: Stops): Promise<Cluster> => {
  const place = { folder, ports, identity: chooseIdentity() }
  await startEtcd(place, stops)
  const nodes: Node[] = []
  for (const [index, host] of nodeHosts.entries()) nodes.push(await startNode(place, `node${index + 1}`, host, stops))
  const leader = async () => {
    const found = (await membersAt(nodes, ports.patroni)).find(({ role }) => role === 'leader')
    const node = nodes.find(({ name }) => name === found?.name)
    if (!node) throw new Error('there is no leader')
    return node
  }
  return {
    superuser: place.identity.user,
    leader,
    whole: () =>
      until('a leader and two replicas', async () => isWhole(await membersAt(nodes, ports.patroni)), 120_000),
    switchOver: async () => {
      const { name, host } = await leader()
      const reply = await fetch(`http://${host}:${ports.patroni}/switchover`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`patroni:${password}`)}`, 'content-type': 'application/json' },
        body: JSON.stringify({ leader: name }),
      })
      if (!reply.ok) throw new Error(`Patroni refuses the switchover: ${await reply.text()}`)
    },
    kill: async node => {
      node.patroni.kill('SIGKILL')
      await killPostgres(node)
    },
    startAgain: node => {
      node.patroni = startPatroni(place, node)
    },
  }
}

/** Kills the postmaster and all of its children. */
const killPostgres = async ({ data }: Node): Promise<void> => {
  const text = await readFile(join(data, 'data/postmaster.pid'), 'utf8').catch(() => '')
  const postmaster = Number(text.split('\n')[0])
  if (!Number.isInteger(postmaster) || postmaster < 2) return
  const killed = [postmaster]
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '')
    const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (Number(parent) === postmaster) killed.push(Number(entry))
  }
  for (const pid of killed) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has already exited.
    }
  }
}
