/** A transaction on a connection of its own: how it begins, commits and rolls back. */
import type pg from 'pg'
import { borrow, breakOf, isLost } from './connections.ts'
import { beginWith, type Work } from './limits.ts'
import { isUnanswered, OutcomeUnknown, sqlState } from './lost.ts'
import { beyondAll, later, positionOf } from './positions.ts'
import { hasReplicas } from './replicas.ts'
import { type Query, setPlanning } from './planning.ts'
import { commit, send } from './statement.ts'

const afterFailure = '25P02'

export type Ask = (query: Query) => Promise<pg.QueryResult>

/** Runs `use` on a connection of the pool, and gives it back. */
export const onConnection = async <T>(work: Work, use: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
  const client = await borrow(work)
  try {
    return await use(client)
  } finally {
    giveBack(client)
  }
}

/** Returns it to its pool, unless it broke. */
export const giveBack = (client: pg.PoolClient): void => {
  client.release(breakOf(client) ?? isLost(client))
}

/** Leaves no transaction open after a failure, if the connection can still answer. */
export const rollBack = async (client: pg.PoolClient, work: Work) => {
  // If the rollback fails, `send` marks the connection as lost.
  if (!isLost(client)) await send(client, 'rollback', work).catch(() => undefined)
}

/** PostgreSQL answers the commit of a transaction in which a statement failed with a rollback. */
const commitOf = async (client: pg.PoolClient, work: Work): Promise<void> => {
  const { command } = await send(client, commit, work)
  if (command !== 'COMMIT') throw new Error('the transaction was rolled back, since one of its statements failed')
}

/**
 * Notes the log's position after what was just sent, in the same round trip, for requests that write while there are standbys: a
 * caller who sends the position later sees the write.
 */
const notePosition = async (client: pg.PoolClient, work: Work): Promise<void> => {
  if (!hasReplicas() || (work.pool !== 'writes' && work.pool !== 'sessions')) return
  const at = await send(client, 'select pg_current_wal_insert_lsn()::text as at', work).then(
    ({ rows }) => positionOf((rows[0] as { at: string }).at),
    // What was sent before may still have been done.
    () => beyondAll,
  )
  work.position = later(work.position, at)
}

/** Sends a single statement that commits by itself. */
export const sendAlone = async (client: pg.PoolClient, query: Query, work: Work): Promise<pg.QueryResult> => {
  const [sent] = await Promise.allSettled([send(client, query, work), notePosition(client, work)])
  const isUnknown = sent.status === 'rejected' && isLost(client) && isUnanswered(sent.reason) && work.pool !== 'reads'
  if (isUnknown) throw new OutcomeUnknown(sent.reason)
  return outcomeOf(sent)
}

/**
 * Begins with the limits of the work, then commits or rolls back. The beginning shares a round trip with the first statement, and
 * the commit with what `finish` sends at once. Resolves once it is committed, even if `finish` fails after that.
 */
export const inTransaction = <T, A>(
  work: Work,
  use: (ask: Ask) => Promise<T>,
  finish: (ask: Ask, result: T) => Promise<A>,
): Promise<PromiseSettledResult<A>> =>
  onConnection(work, async client => {
    let over = false
    let committing = false
    let failure: unknown
    const ask: Ask = async query => {
      // After one of several statements failed, another may still arrive: it must not run after the rollback.
      if (over) throw new Error('the transaction of this statement is over')
      try {
        return await send(client, query, work)
      } catch (error) {
        // For a statement after a failure, PostgreSQL says only that: report the original failure instead.
        if (sqlState(error) === afterFailure && failure !== undefined) throw failure
        failure = error
        throw error
      }
    }
    try {
      setPlanning(client, false)
      // If this fails, so do the statements that follow it.
      const begun = Promise.allSettled([send(client, beginWith(work.limits), work)])
      const result = await use(ask)
      const finished = Promise.allSettled([finish(ask, result)])
      committing = true
      const [commits] = await Promise.allSettled([commitOf(client, work), notePosition(client, work)])
      const [[begins], [ending]] = await Promise.all([begun, finished])
      for (const step of [begins, commits]) {
        // The failed statement has the reason; the commit only says that one failed.
        if (step.status === 'rejected') throw ending.status === 'rejected' ? ending.reason : step.reason
      }
      return ending
    } catch (error) {
      over = true
      await rollBack(client, work)
      const isUnknown = committing && isLost(client) && isUnanswered(error) && work.pool !== 'reads'
      throw isUnknown ? new OutcomeUnknown(error) : error
    } finally {
      over = true
    }
  })

export const outcomeOf = <A>(ending: PromiseSettledResult<A>): A => {
  if (ending.status === 'rejected') throw ending.reason
  return ending.value
}
