/** Hourly limits on calls: how many of one kind a network or a user has made since their hour began. */
import { clock, hoursAfter, hoursBetween } from '../clock.ts'
import { DomainError } from '../errors.ts'
import { sql, type Tx } from './db.ts'

/** `caller`: a network (`networkOf`) or a user's id. */
export type CallCount = { kind: string; caller: string }

/**
 * Counts one more call, and returns the count and the time until the hour ends. The row stays locked until the end of `tx`, so
 * concurrent calls do not exceed a limit; if `tx` is rolled back, the call was not counted.
 */
export const countCall = async (
  tx: Tx,
  { kind, caller }: CallCount,
): Promise<{ calls: number; secondsLeft: number }> => {
  const now = clock.now()
  const since = hoursAfter(now, -1)
  const { calls, beganAt } = await tx.one<{ calls: number; beganAt: string }>(
    sql`insert into hourly_calls as h (caller, kind, hour_began_at, calls) values (${caller}, ${kind}, ${now}, 1)
      on conflict (caller, kind) do update set
        hour_began_at = case when h.hour_began_at > ${since} then h.hour_began_at else excluded.hour_began_at end,
        calls = case when h.hour_began_at > ${since} then h.calls + 1 else 1 end
      returning calls, hour_began_at as "beganAt"`,
    'Count',
  )
  return { calls, secondsLeft: hoursBetween(now, hoursAfter(beganAt, 1)) * 3600 }
}

/** Counts one more call, and refuses it with this sentence if there are more than `most`. */
export const countWithin = async (tx: Tx, count: CallCount, most: number, sentence: string): Promise<void> => {
  const { calls, secondsLeft } = await countCall(tx, count)
  if (calls > most) throw new DomainError('TOO_MANY_REQUESTS', sentence, { retryAfterSeconds: secondsLeft })
}

/** Takes back the count of a call that was not carried out. */
export const uncountCall = (tx: Tx, { kind, caller }: CallCount): Promise<number> =>
  tx.run(sql`update hourly_calls set calls = calls - 1 where caller = ${caller} and kind = ${kind} and calls > 0`)

export const forgetCallsOf = (tx: Tx, caller: string): Promise<number> =>
  tx.run(sql`delete from hourly_calls where caller = ${caller}`)

/** Deletes the callers whose hour is over. */
export const forgetPastHours = (tx: Tx): Promise<number> =>
  tx.run(sql`delete from hourly_calls where hour_began_at <= ${hoursAfter(clock.now(), -1)}`)
