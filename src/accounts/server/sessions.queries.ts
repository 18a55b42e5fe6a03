/** SQL for how many sessions there can be, and how long they are kept. */
import { lockOf } from '../../kit/server/advisoryLocks.ts'
import { empty, sql, type Tx } from '../../kit/server/db.ts'

/** Serializes sign-ins of one user until the end of `tx`, because concurrent ones would not count each other's sessions. */
export const lockSignIns = (tx: Tx, userId: string): Promise<unknown> =>
  tx.rows(sql`select ${lockOf('SIGN_INS', userId)}`)

/** Keeps the `kept` live sessions that were used most recently, and ends the others; returns their ids. */
export const endLeastUsed = async (
  tx: Tx,
  { userId, kept, now }: { userId: string; kept: number; now: string },
): Promise<string[]> =>
  (
    await tx.rows<{ id: string }>(sql`update sessions set ended_at = ${now}, end_reason = 'TOO_MANY'
    where ended_at is null and id in (
      select id from sessions where user_id = ${userId} and ended_at is null and expires_at > ${now}
      order by last_used_at desc, id desc offset ${kept}) returning id`)
  ).map(row => row.id)

export type PastSession = { id: string; overAt: string }

/**
 * Sessions that were over before then, in the order in which they ended, without those kept as the latest. Skips rows that others
 * have locked, so this waits for nobody; a later night deletes those. Locks the users, so none of them signs in meanwhile.
 */
export const lockPastSessions = (
  tx: Tx,
  { before, after, limit }: { before: string; after: PastSession | undefined; limit: number },
): Promise<PastSession[]> =>
  tx.rows(sql`
    select s.id, least(s.ended_at, s.expires_at) as "overAt" from sessions s join users u on u.id = s.user_id
    where least(s.ended_at, s.expires_at) < ${before} and not s.kept_as_latest
      ${after ? sql`and (least(s.ended_at, s.expires_at), s.id) > (${after.overAt}, ${after.id})` : empty}
    order by least(s.ended_at, s.expires_at), s.id limit ${limit}
    for update of u skip locked for update of s skip locked`)

/**
 * Marks each of these sessions that is its user's latest, so it is kept until the user signs in again. Returns the ids of the
 * others.
 */
export const keepLatest = async (tx: Tx, ids: readonly string[]): Promise<string[]> => {
  const kept = await tx.rows<{
    id: string
  }>(sql`update sessions s set kept_as_latest = true where id = any(${ids}::uuid[])
    and id = (select id from sessions where user_id = s.user_id order by last_used_at desc, id desc limit 1) returning id`)
  const latest = new Set(kept.map(({ id }) => id))
  return ids.filter(id => !latest.has(id))
}

/**
 * Deletes the sessions with their tokens and challenges, but keeps when a user was first seen on a device, because fraud scans
 * need it.
 */
export const deleteSessions = async (tx: Tx, ids: readonly string[]): Promise<void> => {
  await tx.run(sql`
    insert into past_device_uses (device, user_id, first_at, first_seq)
    select device_fingerprint, user_id, min(created_at), min(device_seq) from sessions
    where id = any(${ids}::uuid[]) and device_fingerprint <> '' group by 1, 2 order by 1, 2
    on conflict (device, user_id) do update set first_at = least(past_device_uses.first_at, excluded.first_at),
      first_seq = least(past_device_uses.first_seq, excluded.first_seq)`)
  await tx.run(sql`delete from factor_challenges where session_id = any(${ids}::uuid[])`)
  await tx.run(sql`delete from refresh_tokens where session_id = any(${ids}::uuid[])`)
  await tx.run(sql`delete from sessions where id = any(${ids}::uuid[])`)
}

/** An expired token is refused, whether it is still stored or not. */
export const forgetRefreshTokens = (tx: Tx, now: string): Promise<number> =>
  tx.run(sql`delete from refresh_tokens where expires_at <= ${now}`)
