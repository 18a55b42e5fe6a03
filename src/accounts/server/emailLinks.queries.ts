/** SQL of emailed links that work once. */
import { sql, type Tx } from '../../kit/server/db.ts'
import type { LinkPurpose } from '../rules.ts'

export type NewLink = {
  id: string
  tokenHash: Buffer
  purpose: LinkPurpose
  userId: string
  email: string
  emailVerifiedAt: string | null
  changeSeq: number | null
  newEmail: string | null
  createdAt: string
  expiresAt: string
}

/** Returns the link's place in the order of links; undefined if it already existed. */
export const insertLink = async (tx: Tx, link: NewLink): Promise<number | undefined> =>
  (
    await tx.maybe<{ seq: number }>(sql`
    insert into email_links (id, token_hash, purpose, user_id, email, email_verified_at, change_seq, new_email, created_at,
      expires_at)
    values (${link.id}, ${link.tokenHash}, ${link.purpose}, ${link.userId}, ${link.email}, ${link.emailVerifiedAt},
      ${link.changeSeq}, ${link.newEmail}, ${link.createdAt}, ${link.expiresAt})
    on conflict (id) do nothing returning seq`)
  )?.seq

export type LinkRow = {
  id: string
  seq: number
  purpose: LinkPurpose
  userId: string
  email: string
  emailVerifiedAt: string | null
  /** The `seq` of the request that this link stops or undoes; the link's own `seq` if there is none or it was not recorded. */
  changeSeq: number
}

const columns = sql`id, seq, purpose, user_id as "userId", email, email_verified_at as "emailVerifiedAt",
  coalesce(change_seq, seq) as "changeSeq"`

/** Undefined if the link was used or has expired. */
export const linkByHash = (tx: Tx, hash: Buffer, now: string): Promise<LinkRow | undefined> =>
  tx.maybe(sql`select ${columns} from email_links
    where token_hash = ${hash} and used_at is null and expires_at > ${now}`)

export type LinkToSend = Omit<LinkRow, 'seq' | 'changeSeq'> & {
  tokenHash: Buffer
  newEmail: string | null
  name: string
  confirmed: boolean
  suspended: boolean
}

export const linkToSend = (tx: Tx, id: string, now: string): Promise<LinkToSend | undefined> =>
  tx.maybe(sql`select l.id, l.purpose, l.user_id as "userId", l.email, l.email_verified_at as "emailVerifiedAt",
      l.token_hash as "tokenHash", l.new_email as "newEmail", u.name, u.email_verified_at is not null as confirmed, u.suspension_reason is not null as suspended
    from email_links l join users u on u.id = l.user_id
    where l.id = ${id} and l.used_at is null and l.expires_at > ${now} and u.deleted_at is null`)

export const replaceHash = (tx: Tx, id: string, hash: Buffer): Promise<number> =>
  tx.run(sql`update email_links set token_hash = ${hash} where id = ${id}`)

/** Returns false if somebody else was faster. */
export const markUsed = async (tx: Tx, id: string, now: string): Promise<boolean> =>
  (await tx.run(sql`update email_links set used_at = ${now} where id = ${id} and used_at is null`)) === 1

export const voidLinks = (
  tx: Tx,
  { userId, purposes, now }: { userId: string; purposes: readonly LinkPurpose[]; now: string },
): Promise<number> =>
  tx.run(sql`update email_links set used_at = ${now}
    where user_id = ${userId} and purpose = any(${purposes}) and used_at is null`)

/** Keeps newer links, because the job that makes a link may be repeated after the next link was made. */
export const voidOlderLinks = (
  tx: Tx,
  { userId, purpose, seq, now }: { userId: string; purpose: LinkPurpose; seq: number; now: string },
): Promise<number> =>
  tx.run(sql`update email_links set used_at = ${now}
    where user_id = ${userId} and purpose = ${purpose} and seq < ${seq} and used_at is null`)

/** Voids the links that stop or undo this change of address or a later one. */
export const voidUndoLinks = (
  tx: Tx,
  { userId, changeSeq, now }: { userId: string; changeSeq: number; now: string },
): Promise<number> =>
  tx.run(sql`update email_links set used_at = ${now}
    where user_id = ${userId} and purpose in ('STOP_EMAIL_CHANGE', 'UNDO_EMAIL_CHANGE') and used_at is null
      and coalesce(change_seq, seq) >= ${changeSeq}`)

/** Stops counting at `limit`. */
export const countLinks = (
  tx: Tx,
  { userId, purpose, since, limit }: { userId: string; purpose: LinkPurpose; since: string; limit: number },
): Promise<number> =>
  tx.value(sql`select count(*) from (select from email_links
    where user_id = ${userId} and purpose = ${purpose} and created_at > ${since} limit ${limit}) l`)

/** True while another account may still go back to this address. */
export const isReserved = async (tx: Tx, email: string, userId: string, now: string): Promise<boolean> =>
  (await tx.maybe(sql`select from email_links where email = ${email} and purpose = 'UNDO_EMAIL_CHANGE' and used_at is null
    and expires_at > ${now} and user_id <> ${userId} limit 1`)) !== undefined

export type FormerAddress = { email: string; name: string; emailVerifiedAt: string | null; changeSeq: number }

/** The former addresses whose owners can still undo a change, earliest first. */
export const formerAddresses = (tx: Tx, userId: string, now: string): Promise<FormerAddress[]> =>
  tx.rows(sql`select l.email, u.name, max(l.email_verified_at) as "emailVerifiedAt", min(coalesce(l.change_seq, l.seq)) as "changeSeq"
    from email_links l join users u on u.id = l.user_id
    where l.user_id = ${userId} and l.purpose = 'UNDO_EMAIL_CHANGE' and l.used_at is null and l.expires_at > ${now}
    group by l.email, u.name order by min(coalesce(l.change_seq, l.seq))`)

export const forgetLinks = (tx: Tx, expiredBefore: string): Promise<number> =>
  tx.run(sql`delete from email_links where expires_at < ${expiredBefore}`)
