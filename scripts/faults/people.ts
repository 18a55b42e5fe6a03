/** People who are already signed in, because hashing their passwords would take longer than the run. */
import type pg from 'pg'
import { clock } from '../../src/kit/clock.ts'
import type { Role } from '../../src/kit/roles.ts'
import { signAccessToken } from '../../src/kit/server/session.ts'

export type Someone = { id: string; role: Role }

/** A session has the same id as its user. `addresses`: the beginnings of email addresses, used in turn. */
export const addPeople = async (
  db: pg.Client,
  role: Role,
  count: number,
  addresses: readonly string[] = [''],
): Promise<Someone[]> => {
  const emails = Array.from(
    { length: count },
    (_, number) => `${addresses[number % addresses.length]}${role.toLowerCase()}${number}@example.test`,
  )
  const { rows } = await db.query<{ id: string }>(
    `with made as (
      insert into users (id, email, name, role, password_hash, created_at, email_verified_at)
        select gen_random_uuid(), email, 'Somebody', $2, 'none', now(), now() from unnest($1::text[]) email returning id
    ), signed_in as (
      insert into sessions (id, user_id, ip, user_agent, created_at, last_used_at, expires_at)
        select id, id, '127.0.0.1', 'faults', now(), now(), now() + interval '10 years' from made
    )
    select id from made`,
    [emails, role],
  )
  return rows.map(({ id }) => ({ id, role }))
}

export const tokenOf = ({ id, role }: Someone): Promise<string> => signAccessToken({ id, role, sessionId: id })

/** Sets the clock that tokens are made by. It is read from the database, since the answer to moving it may be lost. */
export const followClock = async (db: pg.Client): Promise<void> => {
  const { rows } = await db.query<{ offset_ms: string }>('select offset_ms from test_clock')
  if (rows[0]) clock.setOffsetMs(Number(rows[0].offset_ms))
}
