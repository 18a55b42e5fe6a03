import type { Sql } from 'sql-template-tag'
import { type Due, nextPage } from '../../kit/server/batches.ts'
import { sql, type Tx } from '../../kit/server/db.ts'
import { instantText } from '../../kit/server/json.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import type { DuePage } from '../../kit/server/eachDue.ts'
import type { Attachment, AttachmentType } from '../contract.ts'
import type { Uploads } from '../rules.ts'
import type { AttachedTo } from '../terms.ts'

export type AttachmentRow = Attachment & {
  uploaderId: string
  participationId: string | null
  kind: AttachedTo | null
  day: string | null
}

const columns = sql`a.id, a.uploader_id as "uploaderId", a.content_type as type, a.bytes, a.width, a.height,
  a.created_at as "createdAt", a.participation_id as "participationId", a.kind, a.day`

/**
 * The uploader sees it; once it is attached, so do the campaign's owner and every admin. What they attach to a bug's thread is
 * visible to the tester who reported it, and to no other tester.
 */
const visibleTo = (user: SignedIn) => {
  const own = sql`a.uploader_id = ${user.id}`
  if (user.role === 'ADMIN') return sql`(${own} or a.participation_id is not null)`
  if (user.role === 'TESTER')
    return sql`(${own} or (a.kind = 'BUG' and exists (select from participations p
      where p.id = a.participation_id and p.tester_id = ${user.id})))`
  return sql`(${own} or exists (select from participations p join campaigns c on c.id = p.campaign_id
    where p.id = a.participation_id and c.developer_id = ${user.id}))`
}

export const attachmentFor = (tx: Tx, user: SignedIn, id: string): Promise<AttachmentRow> =>
  tx.one(
    sql`select ${columns} from attachments a where a.id = ${id} and a.stored_at is not null and ${visibleTo(user)}`,
    'Attachment',
  )

/** Of these, the files that are still attached, with what is shown of them. */
export const attachedAmong = (tx: Tx, ids: readonly string[]): Promise<Attachment[]> =>
  tx.rows(sql`select a.id, a.content_type as type, a.bytes, a.width, a.height, a.created_at as "createdAt"
    from attachments a where a.id = any(${ids}::uuid[]) and a.participation_id is not null`)

/**
 * Leaves out files that the product detached from a check-in (`-infinity`): they are about to be removed, and the uploader can no
 * longer attach or remove them.
 */
export const uploadsOf = (tx: Tx, uploaderId: string, since: string): Promise<Uploads> =>
  tx.one(
    sql`select loose.files as "looseFiles", loose.bytes as "looseBytes", today.bytes as "bytesToday"
      from (select count(*) as files, coalesce(sum(bytes), 0)::bigint as bytes from attachments
          where uploader_id = ${uploaderId} and loose_since > '-infinity') loose,
        (select coalesce(sum(bytes), 0)::bigint as bytes from (
          select bytes from attachments where uploader_id = ${uploaderId} and created_at > ${since}
          union all
          select bytes from removed_uploads where uploader_id = ${uploaderId} and created_at > ${since}) taken) today`,
    'Attachments',
  )

/** Concurrent uploads of one user wait for each other, so that each is counted. */
export const lockUploader = (tx: Tx, id: string): Promise<number> =>
  tx.run(sql`select from users where id = ${id} for no key update`)

export type NewAttachment = {
  id: string
  uploaderId: string
  type: AttachmentType
  bytes: number
  width: number | null
  height: number | null
  sha256: Buffer
  lookHash: Buffer | null
  now: string
}

export const insertAttachment = (tx: Tx, a: NewAttachment): Promise<number> =>
  tx.run(sql`insert into attachments (id, uploader_id, content_type, bytes, width, height, sha256, look_hash, created_at,
      loose_since)
    values (${a.id}, ${a.uploaderId}, ${a.type}, ${a.bytes}, ${a.width}, ${a.height}, ${a.sha256}, ${a.lookHash}, ${a.now},
      ${a.now})`)

export const setStored = (tx: Tx, id: string, now: string): Promise<number> =>
  tx.run(sql`update attachments set stored_at = ${now} where id = ${id}`)

/** From now on nobody can read or attach it. Returns false if it was attached meanwhile. */
export const withdrawFromUse = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.run(sql`update attachments set stored_at = null where id = ${id} and loose_since is not null`)) === 1

/** An upload from after `since` still counts toward what its uploader has sent. */
export const deleteRow = (tx: Tx, id: string, since: string): Promise<number> =>
  tx.run(sql`with gone as (
      delete from attachments where id = ${id} and stored_at is null returning id, uploader_id, bytes, created_at
    )
    insert into removed_uploads (id, uploader_id, bytes, created_at)
    select id, uploader_id, bytes, created_at from gone where created_at > ${since}
      and exists (select from users where users.id = uploader_id and deleted_at is null) on conflict (id) do nothing`)

export const forgetRemoved = (tx: Tx, before: string): Promise<number> =>
  tx.run(sql`delete from removed_uploads where created_at <= ${before}`)

/** Files that have been unattached since `looseBefore`, or incomplete since `unfinishedBefore`. */
export const dueForRemoval = (
  tx: Tx,
  { looseBefore, unfinishedBefore }: { looseBefore: string; unfinishedBefore: string },
  page: DuePage<Due>,
): Promise<Due[]> =>
  tx.rows(sql`select id, loose_since::text as at from attachments where loose_since < ${unfinishedBefore}
      and (stored_at is null or loose_since < ${looseBefore})
    ${nextPage(sql`loose_since`, page)}`)

export type Hook = { participationId: string; kind: AttachedTo; day?: string; position?: number; bugEventId?: number }

/** Of the same uploader's similar files, the first one, among both attached and unattached ones. */
const firstLike = (place: Sql, like: Sql) => sql`(
  select min(place) from (
    select coalesce(${place}, seq) as place from attachments
      where ${like} and uploader_id = a.uploader_id and participation_id is not null
    union all
    select coalesce(${place}, seq) from attachments
      where ${like} and uploader_id = a.uploader_id and loose_since is not null
  ) own)`
const firstOfFile = firstLike(sql`first_seq`, sql`sha256 = a.sha256`)
const firstOfLook = firstLike(sql`first_look_seq`, sql`look_hash = a.look_hash`)

/** Undefined unless the file is the uploader's, complete and not attached to anything. */
export const attach = async (
  tx: Tx,
  uploaderId: string,
  id: string,
  { participationId, kind, day, position, bugEventId }: Hook,
): Promise<AttachmentRow | undefined> =>
  tx.maybe(sql`update attachments a set participation_id = ${participationId}, kind = ${kind}, day = ${day ?? null},
      position = ${position ?? null}, bug_event_id = ${bugEventId ?? null}, loose_since = null,
      first_seq = ${firstOfFile}, first_look_seq = ${firstOfLook}
    where id = ${id} and uploader_id = ${uploaderId} and stored_at is not null and participation_id is null
    returning ${columns}`)

/** Only for the proof of this test. */
export const reorder = (tx: Tx, id: string, participationId: string, position: number): Promise<number> =>
  tx.run(sql`update attachments set position = ${position}
    where id = ${id} and participation_id = ${participationId} and kind = 'PROOF'`)

export const ownOne = (tx: Tx, uploaderId: string, id: string): Promise<AttachmentRow> =>
  tx.one(
    sql`select ${columns} from attachments a where a.id = ${id} and a.uploader_id = ${uploaderId} and a.stored_at is not null`,
    'Attachment',
  )

export const detachFromProof = (
  tx: Tx,
  participationId: string,
  except: readonly string[],
  now: string,
): Promise<number> =>
  tx.run(sql`update attachments set participation_id = null, kind = null, position = null, loose_since = ${now}
    where participation_id = ${participationId} and kind = 'PROOF' and id <> all(${except})`)

export const detachFromDay = (tx: Tx, participationId: string, day: string, now: string): Promise<number> =>
  tx.run(sql`update attachments set participation_id = null, kind = null, day = null, loose_since = ${now}
    where participation_id = ${participationId} and kind = 'CHECK_IN' and day = ${day}`)

/** The files of these bug events. */
export const bugFilesOf = (tx: Tx, eventIds: readonly number[]): Promise<(Attachment & { bugEventId: number })[]> =>
  tx.rows(sql`select a.id, a.content_type as type, a.bytes, a.width, a.height, a.created_at as "createdAt",
      a.bug_event_id as "bugEventId"
    from attachments a where a.bug_event_id = any(${eventIds}::bigint[]) order by a.bug_event_id, a.seq`)

/**
 * For statements of other slices: what is attached to the test itself. Proofs come in their order, then check-ins by day, then
 * opt-ins.
 */
export const attachedTo = (participationId: Sql): Sql => sql`(select coalesce(json_agg(json_build_object('id', a.id,
    'uploaderId', a.uploader_id, 'type', a.content_type, 'bytes', a.bytes, 'width', a.width, 'height', a.height,
    'createdAt', ${instantText(sql`a.created_at`)}, 'participationId', a.participation_id, 'kind', a.kind, 'day', a.day)
    order by a.kind, a.day, a.position, a.id), '[]')
  from attachments a where a.participation_id = ${participationId} and a.kind <> 'BUG')`

export const storedPerPage = 500

export type Stored = { id: string; type: AttachmentType; storedAt: string }

/** Sorted by when they were stored, beginning after `after`. */
export const storedSince = (tx: Tx, since: string, after: Stored | undefined): Promise<Stored[]> =>
  tx.rows(sql`select id, content_type as type, stored_at as "storedAt" from attachments
    where stored_at is not null and (stored_at, id) > (${after?.storedAt ?? since}, ${after?.id ?? firstId})
    order by stored_at, id limit ${storedPerPage}`)

const firstId = '00000000-0000-0000-0000-000000000000'

/** Files of the archive (decision 050): one for each month of the audit log that has left the database. */
export const archived = async (tx: Tx): Promise<string[]> =>
  (
    await tx.rows<{ archive: string }>(sql`select archive from past_partitions where archive is not null order by name`)
  ).map(({ archive }) => archive)

export const storedAmong = (tx: Tx, ids: readonly string[]): Promise<Stored[]> =>
  tx.rows(sql`select id, content_type as type, stored_at as "storedAt" from attachments
    where id = any(${ids}::uuid[]) and stored_at is not null`)
