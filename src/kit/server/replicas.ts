/**
 * The standbys that lists, figures and exports may be read from (decision 046). Each is asked a few times a second how far it has
 * replayed, and then the primary how far it is: a standby that does not answer, is no longer one, has not reached the caller's
 * last write, or is too far behind is passed over at once.
 */
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { askShortly, destroy, openPool } from './connections.ts'
import { positionOf } from './positions.ts'

/** Nobody is shown anything older than this. That is why the page asks for events from before it was opened (stream.ts). */
const mostLagMs = 10_000
const askEveryMs = 250
const answerWithinMs = 1_000
/** Shorter than for the primary, which can answer instead. */
const waitMs = 1_000
const mostMarks = 400

/** A position of the primary, and when it was reached, by `performance.now()`. */
type Mark = { at: number; position: string }

export type Replica = {
  /** Host and port. */
  name: string
  pool: pg.Pool
  /** Its connections, which are given up together. */
  clients: Set<pg.PoolClient>
  /** Identifies the start of the PostgreSQL that answered last; undefined while none answers. */
  instance: string | undefined
  isPrimary: boolean
  replayed: string
  answeredAt: number
  comparedAt: number
  /** Positions that the primary has reached and the standby has not, oldest first. */
  marks: Mark[]
  /** It has reached a position that the primary had after this server's migrations, so it has our schema. */
  caughtUp: boolean
}

let replicas: readonly Replica[] = []

export const hasReplicas = (): boolean => replicas.length > 0

const lagMs = ({ marks }: Replica): number => (marks[0] ? performance.now() - marks[0].at : 0)

const isUsable = (replica: Replica): boolean => {
  const now = performance.now()
  const isThere = replica.instance !== undefined && now - replica.answeredAt < 2 * answerWithinMs
  return isThere && replica.caughtUp && now - replica.comparedAt < mostLagMs && lagMs(replica) < mostLagMs
}

/** Without those that are currently the primary. */
export const replicasNow = (): { name: string; usable: boolean; lagSeconds: number | null }[] =>
  replicas
    .filter(({ isPrimary }) => !isPrimary)
    .map(replica => ({
      name: replica.name,
      usable: isUsable(replica),
      lagSeconds: replica.instance === undefined ? null : lagMs(replica) / 1000,
    }))

/** A standby that has reached `position`; the same one for the same caller, who thus sees changes in order. */
export const replicaAt = (position: string, callerId: string): Replica | undefined => {
  const fit = replicas.filter(replica => isUsable(replica) && replica.replayed >= position)
  return fit[Number.parseInt(callerId.slice(-6), 16) % fit.length]
}

const question = `select pg_is_in_recovery() as standby, pg_postmaster_start_time()::text as instance,
  pg_last_wal_replay_lsn()::text as replayed`
type Answer = { standby: boolean; instance: string; replayed: string | null }

const open = (url: string, max: number): Replica => {
  const clients = new Set<pg.PoolClient>()
  const pool = openPool({
    url,
    max,
    waitMs,
    // The address may now lead to another standby, or to the same one after a restart, which may be further behind.
    onConnect: async client => {
      const { rows } = await client.query<Answer>(question)
      if (rows[0]?.instance !== replica.instance)
        throw new Error('this is not the standby that was asked how far it has come')
    },
  })
  pool.on('connect', client => clients.add(client as pg.PoolClient))
  pool.on('remove', client => clients.delete(client as pg.PoolClient))
  const { host } = new URL(url)
  const replica: Replica = {
    name: host,
    pool,
    clients,
    instance: undefined,
    isPrimary: false,
    replayed: '',
    answeredAt: -Infinity,
    comparedAt: -Infinity,
    marks: [],
    caughtUp: false,
  }
  return replica
}

/** Reads that run on it fail now, and are repeated on the primary. */
const giveUp = (replica: Replica) => {
  replica.instance = undefined
  for (const client of replica.clients) destroy(client)
}

const compareWithPrimary = async (replica: Replica): Promise<void> => {
  const [row] = (await askShortly<{ at: string }>('select pg_current_wal_flush_lsn()::text as at')) ?? []
  // While the primary is away, standbys still answer for a moment.
  if (!row) return
  const position = positionOf(row.at)
  const last = replica.marks.at(-1)
  // The standby or the last mark is ahead of the primary: one of them has another history, as after a failover.
  if (replica.replayed > position || (last && last.position > position)) {
    replica.marks = []
    replica.caughtUp = false
    if (replica.replayed > position) return
  } else if (last?.position !== position) {
    replica.marks.push({ at: performance.now(), position })
  }
  replica.comparedAt = performance.now()
  passMarks(replica)
  if (replica.marks.length > mostMarks) replica.marks = replica.marks.filter((_, index) => index % 2 === 0)
}

const passMarks = (replica: Replica) => {
  const ahead = replica.marks.findIndex(({ position }) => position > replica.replayed)
  const passed = replica.marks.splice(0, ahead < 0 ? replica.marks.length : ahead)
  if (passed.length > 0) replica.caughtUp = true
}

const ask = async (replica: Replica, client: pg.Client): Promise<void> => {
  const { rows } = await client.query<Answer>(question)
  const { standby, instance, replayed } = rows[0]!
  replica.isPrimary = !standby
  if (!standby || replayed === null) return giveUp(replica)
  replica.replayed = positionOf(replayed)
  replica.answeredAt = performance.now()
  passMarks(replica)
  replica.instance = instance
  await compareWithPrimary(replica)
}

const watch = async (replica: Replica, url: string, stop: AbortSignal): Promise<void> => {
  while (!stop.aborted) {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'fieldtest replicas',
      connectionTimeoutMillis: answerWithinMs,
      query_timeout: answerWithinMs,
    })
    client.on('error', () => undefined)
    try {
      await client.connect()
      while (!stop.aborted) {
        await ask(replica, client)
        await pause(askEveryMs, undefined, { signal: stop })
      }
    } catch {
      replica.isPrimary = false
      giveUp(replica)
    }
    destroy(client)
    await pause(answerWithinMs, undefined, { signal: stop }).catch(() => undefined)
  }
}

/** Called after the migrations. Returns the function that stops the watch. */
export const watchReplicas = (urls: readonly string[], poolSize: number): (() => Promise<void>) => {
  const stop = new AbortController()
  const opened = urls.map(url => ({ url, replica: open(url, poolSize) }))
  replicas = opened.map(({ replica }) => replica)
  const watching = opened.map(({ url, replica }) => watch(replica, url, stop.signal))
  return async () => {
    stop.abort()
    await Promise.all(watching)
    for (const { clients } of replicas) for (const client of clients) destroy(client)
    await Promise.all(replicas.map(({ pool }) => pool.end()))
    replicas = []
  }
}
