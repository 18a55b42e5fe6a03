/** SQL for events that providers send. */
import { type Due, nextPage } from '../../kit/server/batches.ts'
import { empty, sql, type Tx } from '../../kit/server/db.ts'
import type { DuePage } from '../../kit/server/eachDue.ts'
import type { Instant } from '../../kit/clock.ts'

export type NewEvent = {
  provider: string
  /** The provider's own id. */
  eventId: string
  type: string
  payload: object
  receivedAt: Instant
  dueAt: Instant
}

/** Returns the row's id, or undefined if the event is known already. */
export const insertEvent = (tx: Tx, e: NewEvent): Promise<{ id: string } | undefined> =>
  tx.maybe(sql`insert into provider_events (provider, event_id, type, payload, received_at, due_at)
    values (${e.provider}, ${e.eventId}, ${e.type}, ${JSON.stringify(e.payload)}::jsonb, ${e.receivedAt}, ${e.dueAt})
    on conflict (provider, event_id) do nothing returning id::text`)

export type ProviderEvent = { id: string; provider: string; type: string; payload: unknown }

const columns = sql`id::text, provider, type, payload`

export type DueEvent = ProviderEvent & Due

/**
 * With `waiting`, also events that failed and whose next try is due only later. Those pages are sorted by arrival rather than by
 * `due_at`: a failure postpones `due_at`, so the event would come up again on a later page of the same pass.
 */
export const dueEvents = (
  tx: Tx,
  { now, waiting }: { now: Instant; waiting: boolean },
  page: DuePage<DueEvent>,
): Promise<DueEvent[]> => {
  const at = waiting ? sql`received_at` : sql`due_at`
  return tx.rows(sql`select ${columns}, ${at}::text as at from provider_events
    where processed_at is null and (due_at <= ${now} ${waiting ? sql`or tries > 0` : empty})
      ${nextPage(at, page, sql`provider_events.id`)}`)
}

/** Undefined if the event is done, or waits for its next try. */
export const dueEvent = (tx: Tx, id: string, now: Instant): Promise<ProviderEvent | undefined> =>
  tx.maybe(sql`select ${columns} from provider_events
    where id = ${id}::bigint and processed_at is null and due_at <= ${now}`)

export const setProcessed = (tx: Tx, id: string, now: Instant): Promise<number> =>
  tx.run(
    sql`update provider_events set processed_at = ${now}, error = null where id = ${id}::bigint and processed_at is null`,
  )

/** The next try comes after a minute, then after two, four and so on, up to an hour. */
export const setFailed = (tx: Tx, id: string, error: string, now: Instant): Promise<number> =>
  tx.run(sql`update provider_events set tries = tries + 1, error = ${error},
      due_at = ${now}::timestamptz + make_interval(mins => least(60, power(2, least(tries, 6)))::int)
    where id = ${id}::bigint and processed_at is null`)

/** Empties events that were handled before `before`. The rows stay, so that no event is handled twice. */
export const emptySome = (tx: Tx, before: Instant, limit: number): Promise<number> =>
  tx.run(sql`update provider_events set payload = '{}' where id in (
    select id from provider_events where processed_at <= ${before} and payload <> '{}' order by processed_at limit ${limit}
    for update skip locked)`)
