/** One query on a connection, with a time limit of our own (decision 015). */
import { connect as connectSocket } from 'node:net'
import pg from 'pg'
import { answers, connectAnew, destroy, lose, types } from './connections.ts'
import { CallerGone, isOver, OutOfTime, timeLeftMs, type Work } from './limits.ts'
import { isReadOnly } from './lost.ts'
import { nameOn, type Query } from './planning.ts'
import { type Done, PreparedQuery } from './preparedQuery.ts'
import { traceStatement } from './tracing.ts'

/** PostgreSQL did not answer in time. The connection is gone, and nobody knows whether the statement took effect. */
class NoAnswer extends Error {
  override name = 'NoAnswer'
  readonly code = 'ETIMEDOUT'
}

const isAnswer = (error: unknown) =>
  error instanceof pg.DatabaseError && error.severity !== 'FATAL' && error.severity !== 'PANIC'

export const commit = 'commit'

const start = (client: pg.ClientBase, query: string | Query, done: Done): void => {
  if (typeof query === 'string') return client.query(query, done)
  const { text, values } = query
  const name = nameOn(client, query)
  // Without values, the text may contain several statements.
  if (!values?.length)
    return client.query({ text, ...(name !== undefined && { name }), ...(values && { values }) }, done)
  client.query(new PreparedQuery({ name, text, values }, types, done) as unknown as pg.Submittable)
}

/** With our own promise, because pg's keeps finished requests alive (docs/performance.md, Finished requests). */
const answerTo = (client: pg.ClientBase, query: string | Query) =>
  new Promise<pg.QueryResult>((resolve, reject) => {
    start(client, query, (error, result) => (error ? reject(error) : resolve(result)))
  })

/**
 * Sends one query and waits for its answer, within the limits of `work`. A read is cancelled when its caller goes, unless others
 * were sent together with it: PostgreSQL cancels whichever statement the connection is running.
 */
export const send = async (
  client: pg.PoolClient,
  query: string | Query,
  work: Work,
  sent: 'alone' | 'together' = 'alone',
): Promise<pg.QueryResult> => {
  // Strings, such as commit and rollback, are always sent, so a transaction that has begun is ended properly.
  if (typeof query !== 'string') {
    if (work.gone) throw new CallerGone()
    if (isOver(work)) throw new OutOfTime('the time of the request was over before this statement')
  }
  let late = false
  const stopWatching = whenTooLong(timeLeftMs(work), () => {
    late = true
    if (query !== commit) void cancelStatement(client)
    // Not rolled back or returned to the pool, since both would wait for the same answer.
    destroy(client)
  })
  let cancelling: Promise<void> | undefined
  const cancel = () => {
    cancelling ??= cancelStatement(client)
  }
  if (work.pool === 'reads' && sent === 'alone') work.cancels.add(cancel)
  const endSpan = traceStatement(query)
  try {
    const result = await answerTo(client, query)
    endSpan?.()
    return result
  } catch (error) {
    endSpan?.(error)
    if (!isAnswer(error)) lose(client)
    if (isReadOnly(error) && !work.replica) connectAnew()
    if (work.gone) throw new CallerGone()
    throw late ? new NoAnswer('PostgreSQL did not answer in time', { cause: error }) : error
  } finally {
    stopWatching()
    work.cancels.delete(cancel)
    // A late cancel would hit the next statement of this connection.
    await cancelling
  }
}

/**
 * While a statement may take longer than a request's, PostgreSQL is asked this often whether it works at all. A single silence
 * may be a pause, for example of its disk; after two in a row, which take at most 5.5 s, the wait is given up.
 */
const askEveryMs = 2_500
const silencesBorne = 1
const shortMs = 6_000

/** Calls `giveUp` after `limitMs`, or earlier if PostgreSQL answers nothing at all. */
const whenTooLong = (limitMs: number, giveUp: () => void): (() => void) => {
  const until = performance.now() + limitMs
  let over = false
  let silences = 0
  const ask = async () => {
    silences = (await answers()) ? 0 : silences + 1
    if (over) return
    if (silences > silencesBorne) giveUp()
    else if (silences > 0) await ask()
    else wait()
  }
  const wait = () => {
    const leftMs = until - performance.now()
    timer = leftMs <= shortMs ? setTimeout(giveUp, leftMs) : setTimeout(() => void ask(), askEveryMs)
  }
  let timer: NodeJS.Timeout
  wait()
  return () => {
    over = true
    clearTimeout(timer)
  }
}

const cancelRequestCode = 80_877_102
const cancelWithinMs = 1_000

/** Sends PostgreSQL's cancel request on a separate connection; resolves once PostgreSQL has passed it on. */
const cancelStatement = (client: pg.PoolClient): Promise<void> =>
  new Promise(resolve => {
    const { processID, secretKey } = client as unknown as { processID: number; secretKey: number }
    const message = Buffer.alloc(16)
    for (const [index, value] of [16, cancelRequestCode, processID, secretKey].entries()) {
      message.writeInt32BE(value, index * 4)
    }
    const { host, port } = client
    const socket = connectSocket(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })
    socket.setTimeout(cancelWithinMs, () => socket.destroy())
    socket.once('connect', () => socket.end(message))
    socket.on('error', () => undefined)
    socket.once('close', () => resolve())
    socket.resume()
  })
