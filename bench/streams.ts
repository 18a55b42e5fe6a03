/**
 * Measures what open event streams cost a server: memory for each, the time of a read beside them, and the delay of a change. Takes
 * about a minute. Linux only; needs two open files for each stream (`ulimit -n`).
 *
 *     node bench/streams.ts [--streams 5000] [--reads 300] [--events 50]
 *
 * Uses an embedded PostgreSQL in a temporary folder, or a separate database next to the one of DATABASE_URL.
 */
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { signAccessToken } from '../src/kit/server/session.ts'
import { addPeople, median, openPlace, option, type Place } from './place.ts'

const count = option('streams', 5_000, 10_000)
const reads = option('reads', 300, 10_000)
const events = option('events', 50, 1_000)
const path = '/api/v1/users/me/events'

const residentMb = async (pid: number) =>
  Number(/VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

type Listener = { userId: string; token: string }

/** Everyone has a session, because a stream ends without one. */
const addListeners = async ({ db }: Place): Promise<Listener[]> => {
  const ids = await addPeople(db, 'TESTER', count)
  const sessions = ids.map(() => randomUUID())
  await db.query(
    `insert into sessions (id, user_id, ip, network, user_agent, created_at, last_used_at, expires_at)
     select *, '127.0.0.1', '127.0.0.1', '', now(), now(), now() + interval '30 days'
     from unnest($1::uuid[], $2::uuid[]) own`,
    [sessions, ids],
  )
  const tokens = ids.map((id, index) => signAccessToken({ id, role: 'TESTER', sessionId: sessions[index]! }))
  return Promise.all(tokens.map(async (token, index) => ({ userId: ids[index]!, token: await token })))
}

/** Resolves with the connection once the stream reports that it is ready. */
const open = (address: string, { token }: Listener): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(address).port), '127.0.0.1')
    let text = ''
    socket.on('data', chunk => {
      if (text === 'ready') return
      text += String(chunk)
      if (!text.includes('event: ready')) return
      text = 'ready'
      resolve(socket)
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error(`closed: ${text.slice(0, 300)}`)))
    socket.write(
      `GET ${path} HTTP/1.1\r\nhost: bench\r\naccept: text/event-stream\r\nauthorization: Bearer ${token}\r\n\r\n`,
    )
  })

const openAll = async (address: string, listeners: readonly Listener[]): Promise<Socket[]> => {
  const sockets: Socket[] = []
  for (let from = 0; from < listeners.length; from += 100)
    sockets.push(...(await Promise.all(listeners.slice(from, from + 100).map(each => open(address, each)))))
  return sockets
}

/** Milliseconds for each of several reads, one after the other. */
const readTimes = async (address: string, { token }: Listener): Promise<number> => {
  const times: number[] = []
  for (let n = 0; n < reads; n++) {
    const begun = performance.now()
    await (
      await fetch(`${address}/api/v1/campaigns?limit=20`, { headers: { authorization: `Bearer ${token}` } })
    ).text()
    times.push(performance.now() - begun)
  }
  return median(times)
}

/** The delay from the commit to the stream's bytes, for one listener after the other. */
const wayOfEvents = async (
  { db }: Place,
  listeners: readonly Listener[],
  sockets: readonly Socket[],
): Promise<number[]> => {
  const times: number[] = []
  for (let n = 0; n < events; n++) {
    const at = Math.floor((n * listeners.length) / events)
    const arrived = new Promise<void>(resolve => {
      const hear = (chunk: Buffer) => {
        if (!String(chunk).includes('event: change')) return
        sockets[at]!.off('data', hear)
        resolve()
      }
      sockets[at]!.on('data', hear)
    })
    const begun = performance.now()
    await db.query(`insert into user_events (user_id, topic) values ($1, 'NOTICES')`, [listeners[at]!.userId])
    await db.query('notify user_events')
    await arrived
    times.push(performance.now() - begun)
  }
  return times.toSorted((a, b) => a - b)
}

const place = await openPlace()
try {
  const listeners = await addListeners(place)
  const address = await place.serve('serve')
  const pid = place.pidOf(address)
  const [reader] = listeners
  await readTimes(address, reader!)
  const before = { mb: await residentMb(pid), ms: await readTimes(address, reader!) }
  const begun = performance.now()
  const sockets = await openAll(address, listeners)
  const openedIn = performance.now() - begun
  const after = { mb: await residentMb(pid), ms: await readTimes(address, reader!) }
  const way = await wayOfEvents(place, listeners, sockets)
  for (const socket of sockets) {
    socket.removeAllListeners('close')
    socket.destroy()
  }
  const kB = ((after.mb - before.mb) * 1024) / count
  process.stdout.write(`${count} streams, opened in ${(openedIn / 1000).toFixed(1)} s
memory: ${before.mb.toFixed(0)} MB before, ${after.mb.toFixed(0)} MB with them: ${kB.toFixed(1)} kB for each
a list of 20: ${before.ms.toFixed(2)} ms before, ${after.ms.toFixed(2)} ms beside them (median of ${reads})
a change is on its way for ${way[Math.floor(way.length / 2)]!.toFixed(0)} ms (median), ${way.at(-1)!.toFixed(0)} ms (slowest of ${events})
`)
} finally {
  await place.close()
}
