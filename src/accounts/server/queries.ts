import { DomainError } from '../../kit/errors.ts'
import { holdLock } from '../../kit/server/advisoryLocks.ts'
import { empty, sql, type Tx } from '../../kit/server/db.ts'
import type { Deleted } from '../../kit/server/deleting.ts'
import { instantText } from '../../kit/server/json.ts'
import { fixedRowLimit } from '../../kit/server/rowLimits.ts'
import type { Role } from '../../kit/roles.ts'
import { type PauseReason, sessionLimits } from '../rules.ts'

export type UserRow = {
  id: string
  email: string
  emailVerifiedAt: string | null
  /** The address most recently requested, unless its link was used or replaced. */
  pendingEmail: { email: string; expiresAt: string } | null
  name: string
  role: Role
  passwordHash: string
  country: string | null
  timeZone: string
  paymentMethod: string | null
  paymentMethodChangedAt: string | null
  payoutsPausedUntil: string | null
  payoutsPausedBecause: PauseReason | null
  createdAt: string
  suspensionReason: string | null
  mailRefusal: string | null
}

const userColumns = sql`id, email, email_verified_at as "emailVerifiedAt", (
    select json_build_object('email', l.email, 'expiresAt', ${instantText(sql`l.expires_at`)}) from email_links l
    where l.user_id = users.id and l.purpose = 'CHANGE_EMAIL' and l.used_at is null order by l.seq desc limit 1
  ) as "pendingEmail", name, role, password_hash as "passwordHash", country, time_zone as "timeZone",
  payment_method as "paymentMethod", payment_method_changed_at as "paymentMethodChangedAt", payouts_paused_until as "payoutsPausedUntil",
  payouts_paused_because as "payoutsPausedBecause", created_at as "createdAt", suspension_reason as "suspensionReason",
  (select answer from mail_refusals where address = users.email) as "mailRefusal"`

export const userById = (tx: Tx, id: string): Promise<UserRow> =>
  tx.one(sql`select ${userColumns} from users where id = ${id}`, 'User')

/**
 * Holds them until the end of `tx`, so none can delete their account before the notifications that the deletion has to remove
 * exist. Locks in the same order as a deletion.
 */
export const presentAdmins = (tx: Tx): Promise<{ id: string }[]> =>
  tx.rows(
    sql`select id from users where role = 'ADMIN' and deleted_at is null and suspended_at is null order by id for key share`,
  )

/** Null unless the user is an admin. For a deleted admin, the name that replaced theirs. */
export const nameOfAdmin = async (tx: Tx, id: string): Promise<string | null> =>
  (await tx.maybe<{ name: string }>(sql`select name from users where id = ${id} and role = 'ADMIN'`))?.name ?? null

const ownRow = async (tx: Tx, id: string, lock = empty): Promise<UserRow> => {
  const user = await tx.maybe<UserRow>(
    sql`select ${userColumns} from users where id = ${id} and deleted_at is null ${lock}`,
  )
  if (!user) throw new DomainError('UNAUTHENTICATED', 'Your session has ended. Sign in again.')
  return user
}

/** The caller's own row. Throws if the account was deleted meanwhile, because its sessions have ended. */
export const ownUser = (tx: Tx, id: string): Promise<UserRow> => ownRow(tx, id)

export const lockUser = (tx: Tx, id: string): Promise<UserRow> => ownRow(tx, id, sql`for no key update`)

/** The strongest row lock, needed to change the address; undefined if deleted. */
export const lockWholeUser = (tx: Tx, id: string): Promise<UserRow | undefined> =>
  tx.maybe(sql`select ${userColumns} from users where id = ${id} and deleted_at is null for update`)

export const userByEmail = (tx: Tx, email: string): Promise<UserRow | undefined> =>
  tx.maybe(sql`select ${userColumns} from users where email = ${email} and deleted_at is null`)

/**
 * Until the end of `tx`, the user cannot be suspended, deleted or given a new password and, with `alone`, nobody else can hold
 * them. Undefined if deleted.
 */
export const holdUser = (tx: Tx, id: string, alone = false): Promise<UserRow | undefined> =>
  tx.maybe(sql`select ${userColumns} from users where id = ${id} and deleted_at is null
    ${alone ? sql`for no key update` : sql`for share`}`)

export const setPasswordHash = (tx: Tx, id: string, passwordHash: string): Promise<number> =>
  tx.run(sql`update users set password_hash = ${passwordHash} where id = ${id}`)

/** Undefined if the email is taken. */
export const insertUser = (
  tx: Tx,
  user: Pick<UserRow, 'id' | 'email' | 'emailVerifiedAt' | 'name' | 'role' | 'passwordHash' | 'country'> &
    Pick<UserRow, 'timeZone' | 'createdAt'>,
): Promise<UserRow | undefined> =>
  tx.maybe(sql`
    insert into users (id, email, email_verified_at, name, role, password_hash, country, time_zone, created_at)
    values (${user.id}, ${user.email}, ${user.emailVerifiedAt}, ${user.name}, ${user.role}, ${user.passwordHash},
      ${user.country}, ${user.timeZone}, ${user.createdAt})
    on conflict (email) do nothing returning ${userColumns}`)

export const updateProfile = (tx: Tx, user: UserRow): Promise<UserRow> =>
  tx.one(
    sql`update users set name = ${user.name}, country = ${user.country}, time_zone = ${user.timeZone},
      payment_method = ${user.paymentMethod}, payment_method_changed_at = ${user.paymentMethodChangedAt}
    where id = ${user.id} returning ${userColumns}`,
    'User',
  )

export const confirmEmail = (tx: Tx, id: string, now: string): Promise<number> =>
  tx.run(sql`update users set email_verified_at = coalesce(email_verified_at, ${now}) where id = ${id}`)

export const setEmail = (tx: Tx, user: Pick<UserRow, 'id' | 'email' | 'emailVerifiedAt'>): Promise<number> =>
  tx.run(sql`update users set email = ${user.email}, email_verified_at = ${user.emailVerifiedAt} where id = ${user.id}`)

export const setPaymentMethod = (
  tx: Tx,
  id: string,
  method: string | null,
  changedAt: string | null,
): Promise<number> =>
  tx.run(sql`update users set payment_method = ${method}, payment_method_changed_at = ${changedAt} where id = ${id}`)

/** Keeps the current pause if it ends later. */
export const pausePayouts = (
  tx: Tx,
  id: string,
  until: string,
  because: Exclude<PauseReason, 'PAYMENT_METHOD_CHANGED'>,
): Promise<number> =>
  tx.run(sql`update users set payouts_paused_until = ${until}, payouts_paused_because = ${because}
    where id = ${id} and (payouts_paused_until is null or payouts_paused_until < ${until})`)

export const suspend = (tx: Tx, id: string, reason: string, now: string): Promise<number> =>
  tx.run(sql`update users set suspended_at = ${now}, suspension_reason = ${reason} where id = ${id}`)

export const adminExists = async (tx: Tx): Promise<boolean> =>
  (await tx.maybe(sql`select from users where role = 'ADMIN' and deleted_at is null limit 1`)) !== undefined

export const wasFirstAdmin = (tx: Tx, email: string): Promise<boolean> =>
  tx.value(sql`select exists (select from first_admins where address = sha256(convert_to(${email}, 'UTF8')))`)

export const rememberFirstAdmin = (tx: Tx, email: string, now: string): Promise<number> =>
  tx.run(
    sql`insert into first_admins (address, seen_at) values (sha256(convert_to(${email}, 'UTF8')), ${now}) on conflict do nothing`,
  )

export const lockFirstAdmin = (tx: Tx): Promise<unknown> => holdLock(tx, 'FIRST_ADMIN')

export const lockNewAdmins = (tx: Tx): Promise<unknown> => holdLock(tx, 'NEW_ADMINS')

export type NewSession = {
  id: string
  userId: string
  ip: string
  network: string
  userAgent: string
  device: string | null
  secondFactorAt: string | null
  now: string
  expiresAt: string
}

/** This becomes the user's latest session, so an older one kept for that reason may be deleted. */
export const insertSession = async (tx: Tx, session: NewSession): Promise<void> => {
  const insert = tx.run(sql`
    insert into sessions (id, user_id, ip, network, user_agent, device_fingerprint, created_at, last_used_at, expires_at,
      second_factor_at)
    values (${session.id}, ${session.userId}, ${session.ip}, ${session.network}, ${session.userAgent},
      ${session.device}, ${session.now}, ${session.now}, ${session.expiresAt}, ${session.secondFactorAt})`)
  await Promise.all([
    insert,
    tx.run(sql`update sessions set kept_as_latest = false where user_id = ${session.userId} and kept_as_latest`),
  ])
}

export const insertRefreshToken = (
  tx: Tx,
  token: { hash: Buffer; sessionId: string; now: string; expiresAt: string },
): Promise<number> =>
  tx.run(sql`
    insert into refresh_tokens (token_hash, session_id, created_at, expires_at)
    values (${token.hash}, ${token.sessionId}, ${token.now}, ${token.expiresAt})`)

export type RefreshTokenRow = {
  attemptHash: Buffer | null
  usedAt: string | null
  expiresAt: string
  sessionId: string
  beganAt: string
  endedAt: string | null
  endReason: string | null
  userId: string
  role: Role
  suspensionReason: string | null
}

/** Locked, so only one of two concurrent requests finds the token unused. */
export const lockRefreshToken = (tx: Tx, hash: Buffer): Promise<RefreshTokenRow | undefined> =>
  tx.maybe(sql`
    select t.used_at as "usedAt", t.attempt_hash as "attemptHash", t.expires_at as "expiresAt", s.id as "sessionId", s.created_at as "beganAt", s.ended_at as "endedAt",
      s.end_reason as "endReason", u.id as "userId", u.role, u.suspension_reason as "suspensionReason"
    from refresh_tokens t join sessions s on s.id = t.session_id join users u on u.id = s.user_id
    where t.token_hash = ${hash} for update of t`)

type Use = { hash: Buffer; attemptHash: Buffer | null; sessionId: string; now: string; expiresAt: string }

export const useRefreshToken = async (tx: Tx, use: Use): Promise<void> => {
  const { hash, attemptHash, sessionId, now, expiresAt } = use
  await tx.run(
    sql`update refresh_tokens set used_at = ${now}, attempt_hash = ${attemptHash} where token_hash = ${hash}`,
  )
  await tx.run(sql`update sessions set last_used_at = ${now}, expires_at = ${expiresAt} where id = ${sessionId}`)
}

/** Which of these tokens belong to this session and are unused. */
export const unusedTokens = (
  tx: Tx,
  hashes: readonly Buffer[],
  sessionId: string,
  now: string,
): Promise<{ hash: Buffer }[]> =>
  tx.rows(sql`select token_hash as hash from refresh_tokens
    where token_hash = any(${hashes}::bytea[]) and session_id = ${sessionId} and used_at is null and expires_at > ${now}`)

export type EndedSession = { userAgent: string }

/** Undefined if it had already ended. */
export const endSession = (
  tx: Tx,
  id: string,
  reason: 'LOGOUT' | 'TOKEN_REUSED',
  now: string,
): Promise<EndedSession | undefined> =>
  tx.maybe(sql`update sessions set ended_at = ${now}, end_reason = ${reason}
    where id = ${id} and ended_at is null returning user_agent as "userAgent"`)

export type DeviceVisit = { userId: string; ip: string; userAgent: string; device: string | null; since: string }

/**
 * True if the account has had sessions, but none on this device since then. A device is recognized by the name that its browser
 * keeps or, if either visit has none, by address and browser.
 */
export const isNewDevice = (tx: Tx, { userId, ip, userAgent, device, since }: DeviceVisit): Promise<boolean> =>
  tx.value(sql`select exists (select from sessions where user_id = ${userId})
    and not exists (select from sessions where user_id = ${userId} and last_used_at > ${since}
      and (device_fingerprint = ${device} or ((${device}::text is null or device_fingerprint is null)
        and ip = ${ip} and user_agent = ${userAgent})))`)

export type LiveSessionRow = { id: string; ip: string; userAgent: string; createdAt: string; lastUsedAt: string }

export const liveSessionsOf = (tx: Tx, userId: string, now: string): Promise<LiveSessionRow[]> =>
  tx.rows(sql`select id, ip, user_agent as "userAgent", created_at as "createdAt", last_used_at as "lastUsedAt"
    from sessions where user_id = ${userId} and ended_at is null and expires_at > ${now}
    order by last_used_at desc limit ${fixedRowLimit(sessionLimits.live)}`)

/** Expired or not: an access token of one that has just expired may still be valid, and is refused once it has ended. */
export const isUnendedSessionOf = async (tx: Tx, userId: string, id: string): Promise<boolean> =>
  (await tx.maybe(sql`select from sessions where id = ${id} and user_id = ${userId} and ended_at is null`)) !==
  undefined

/** Undefined if the session is another user's or has already ended. `live`: it had not expired. */
export const endSessionOf = (
  tx: Tx,
  userId: string,
  id: string,
  now: string,
): Promise<(EndedSession & { live: boolean }) | undefined> =>
  tx.maybe(sql`update sessions set ended_at = ${now}, end_reason = 'ENDED_BY_USER'
    where id = ${id} and user_id = ${userId} and ended_at is null
    returning user_agent as "userAgent", expires_at > ${now} as live`)

/** Ends all of a user's sessions except `keepId`, expired ones included. */
export const endSessionsOf = (
  tx: Tx,
  end: { userId: string; reason: string; keepId: string | null; now: string },
): Promise<{ id: string; live: boolean }[]> =>
  tx.rows(sql`update sessions set ended_at = ${end.now}, end_reason = ${end.reason}
    where user_id = ${end.userId} and ended_at is null and id is distinct from ${end.keepId}
    returning id, expires_at > ${end.now} as live`)

/** Rows of the same instant may be split between two steps. */
export const forgetSomeLoginFailures = (
  tx: Tx,
  { before, from = 'epoch', limit }: { before: string; from: string | undefined; limit: number },
): Promise<Deleted<string>> =>
  tx.one(
    sql`with gone as (
      delete from login_failures where id in (
        select id from login_failures where at >= ${from} and at < ${before} order by at limit ${limit})
      returning at)
    select count(*) as count, max(at) as last from gone`,
    'Deleted login failures',
  )
