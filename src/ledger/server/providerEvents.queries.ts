/** SQL of what providers tell of by themselves. */
import { sql, type Tx } from '../../kit/server/db.ts'
import type { DuePage } from '../../kit/server/eachDue.ts'
import type { Instant } from '../../kit/clock.ts'

export type NewEvent = {
  provider: string
  /** The provider's own. */
  eventId: string
  type: string
  payload: object
  receivedAt: Instant
  dueAt: Instant
}

/** 0 when it is known. */
export const insertEvent = (tx: Tx, e: NewEvent): Promise<number> =>
  tx.run(sql`insert into provider_events (provider, event_id, type, payload, received_at, due_at)
    values (${e.provider}, ${e.eventId}, ${e.type}, ${JSON.stringify(e.payload)}::jsonb, ${e.receivedAt}, ${e.dueAt})
    on conflict (provider, event_id) do nothing`)

export type ProviderEvent = { id: string; provider: string; type: string; payload: unknown }

export const dueEvents = (tx: Tx, now: Instant, { limit, except }: DuePage): Promise<ProviderEvent[]> =>
  tx.rows(sql`select id::text, provider, type, payload from provider_events
    where processed_at is null and due_at <= ${now} and id <> all(${except}::bigint[]) order by due_at, id limit ${limit}`)

export const setProcessed = (tx: Tx, id: string, now: Instant): Promise<number> =>
  tx.run(
    sql`update provider_events set processed_at = ${now}, error = null where id = ${id}::bigint and processed_at is null`,
  )

export const setFailed = (tx: Tx, id: string, error: string): Promise<number> =>
  tx.run(sql`update provider_events set tries = tries + 1, error = ${error} where id = ${id}::bigint`)

/** Empties those that were worked off before `before`; that they came is kept, so that none is worked off twice. */
export const emptySome = (tx: Tx, before: Instant, limit: number): Promise<number> =>
  tx.run(sql`update provider_events set payload = '{}' where id in (
    select id from provider_events where processed_at <= ${before} and payload <> '{}' order by processed_at limit ${limit}
    for update skip locked)`)
