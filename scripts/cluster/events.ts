/** What happens to the cluster under load, and how it affects users who write meanwhile. */
import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../deploy/children.ts'
import type { Load } from './load.ts'
import type { Cluster } from './nodes.ts'
import { type Ports, serverHosts } from './places.ts'
import { killServer, type Server, startServer } from './servers.ts'

export type Figure = {
  what: string
  /** The longest time without an answer to any write. */
  pauseMs: number
  /** The longest time until a single write was answered, including all its tries. */
  waitMs: number
  answered: number
  retried: number
  atMostMs: number
}

/** Long enough to see that everything continues. */
const afterwardsMs = 5_000

const measured = async (load: Load, what: string, atMostMs: number, happen: () => Promise<void>): Promise<Figure> => {
  const begun = performance.now()
  await happen()
  const happened = performance.now()
  await until('writes are answered again', async () => load.writes.some(({ asked }) => asked > happened), 90_000)
  await pause(afterwardsMs)
  const ended = performance.now()
  const within = load.writes.filter(({ answered }) => answered >= begun && answered <= ended)
  const times = [begun, ...within.map(({ answered }) => answered).toSorted((a, b) => a - b), ended]
  const pauses = times.slice(1).map((time, index) => time - times[index]!)
  return {
    what,
    pauseMs: Math.max(...pauses),
    waitMs: Math.max(...within.map(({ asked, answered }) => answered - asked)),
    answered: within.length,
    retried: within.filter(({ tries }) => tries > 1).length,
    atMostMs,
  }
}

type Scene = {
  load: Load
  cluster: Cluster
  folder: string
  ports: Ports
  servers: [Server, Server]
  say: (line: string) => void
}

export const happenings = async ({ load, cluster, folder, ports, servers, say }: Scene): Promise<Figure[]> => {
  const figures: Figure[] = []
  const happens = async (what: string, atMostMs: number, happen: () => Promise<void>) => {
    say(`${what} …`)
    figures.push(await measured(load, what, atMostMs, happen))
    await cluster.whole()
  }
  await happens('nothing', 5_000, () => pause(5_000))
  await happens('planned switchover', 5_000, () => cluster.switchOver())
  const dead = await cluster.leader()
  await happens('leader killed (PostgreSQL and Patroni)', 30_000, async () => {
    await cluster.kill(dead)
    const isReplaced = async () => (await cluster.leader()).name !== dead.name
    await until('another leader', isReplaced, 60_000)
    // It returns as a replica.
    cluster.startAgain(dead)
  })
  await happens('one of our servers killed', 5_000, async () => {
    await killServer(servers[1])
    await pause(5_000)
    servers[1] = startServer(folder, ports, serverHosts[1], ports.first)
    await servers[1].ready()
  })
  await happens('one of our servers replaced', 5_000, async () => {
    const old = servers[0]
    servers[0] = startServer(folder, ports, serverHosts[0], ports.second)
    await servers[0].ready()
    // Gives HAProxy time to see it.
    await pause(2_000)
    await old.stop()
  })
  return figures
}
