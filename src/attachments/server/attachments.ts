/** Attachments: they are uploaded first, and then attached to what they show (product.md §10, decision 024). */
import { randomUUIDv7 } from 'node:crypto'
import { clock, hoursAfter } from '../../kit/clock.ts'
import type { Caller, FileReply, SignedIn } from '../../kit/endpoint.ts'
import { DomainError, notFound } from '../../kit/errors.ts'
import type { Due } from '../../kit/server/batches.ts'
import { autocommit, transact, type Tx } from '../../kit/server/db.ts'
import { allDue, eachDue } from '../../kit/server/eachDue.ts'
import { countWithin } from '../../kit/server/hourlyCalls.ts'
import { scheduled } from '../../kit/server/jobs.ts'
import { networkOf } from '../../kit/server/network.ts'
import type { Attachment } from '../contract.ts'
import { assertFits, assertRoom, attachedElsewhere, tooManyUploads } from '../rules.ts'
import { isImage, looseHours, mostUploadsPerHour, previewType } from '../terms.ts'
import * as queries from './queries.ts'
import { type Received, receive } from './receiving.ts'
import { archiveStorage, currentStorage } from './storage.ts'

export { stopImageWorker } from './images.ts'
export { isMissingFile } from './content.ts'
export { archiveStorage, assertWritable, currentStorage, namelessFile, useStorage } from './storage.ts'
export { attachedAmong, attachedTo, type AttachmentRow, bugFilesOf } from './queries.ts'

const previewOf = (id: string) => `${id}.preview`

/** How many files are being uploaded to this server, by user and by network. */
const arriving = new Map<string, number>()
const mostOfUser = 4
/** Accounts cost nothing, so this keeps slow uploads from many of them from taking every place. */
const mostOfNetwork = 20
const mostOfAll = 200

const take = (from: string) => arriving.set(from, (arriving.get(from) ?? 0) + 1)
const letGo = (from: string) => {
  const left = (arriving.get(from) ?? 1) - 1
  if (left > 0) arriving.set(from, left)
  else arriving.delete(from)
}

const oneMore = async <T>(userId: string, network: string, work: () => Promise<T>): Promise<T> => {
  const places = [
    { from: userId, most: mostOfUser },
    { from: network, most: mostOfNetwork },
    { from: 'all', most: mostOfAll },
  ]
  if (places.some(({ from, most }) => (arriving.get(from) ?? 0) >= most)) {
    throw new DomainError('TOO_MANY_REQUESTS', 'Several files are being uploaded. Wait until they have arrived.', {
      retryAfterSeconds: 10,
    })
  }
  for (const { from } of places) take(from)
  try {
    return await work()
  } finally {
    for (const { from } of places) letGo(from)
  }
}

const dayAgo = () => hoursAfter(clock.now(), -24)

const uploadsOf = (tx: Tx, { id }: SignedIn) => queries.uploadsOf(tx, id, dayAgo())

export const upload = (
  user: SignedIn,
  { ip }: Pick<Caller, 'ip'>,
  bytes: AsyncIterable<Uint8Array>,
): Promise<Attachment> =>
  oneMore(user.id, networkOf(ip), async () => {
    await countWithin(autocommit, { kind: 'UPLOAD', caller: user.id }, mostUploadsPerHour, tooManyUploads)
    assertRoom(await uploadsOf(autocommit, user), 0)
    const id = await receive(user.id, bytes, received => keep(user, received))
    return queries.attachmentFor(autocommit, user, id)
  })

/** Writes the row first, then the files, then marks them as complete, so that there is never a file without a row. */
const keep = async (user: SignedIn, { type, content, bytes, sha256, image }: Received): Promise<string> => {
  const id = randomUUIDv7()
  const { width = null, height = null, lookHash = null } = image ?? {}
  await transact(async tx => {
    await queries.lockUploader(tx, user.id)
    assertRoom(await uploadsOf(tx, user), bytes)
    const now = clock.now()
    await queries.insertAttachment(tx, { id, uploaderId: user.id, type, bytes, width, height, sha256, lookHash, now })
  })
  try {
    const storage = currentStorage()
    await storage.put(id, content)
    if (image) await storage.put(previewOf(id), image.preview)
    await queries.setStored(autocommit, id, clock.now())
  } catch (error) {
    // If this fails as well, the sweep finds the row. If the file was completed without our knowing, it may be in use by now and
    // stays.
    await removeUnused(id).catch(() => undefined)
    throw error
  }
  return id
}

/** Returns false if it is attached: then it stays. */
const removeUnused = async (id: string): Promise<boolean> => {
  if (!(await queries.withdrawFromUse(autocommit, id))) return false
  await removeFiles(id)
  return true
}

/** Removes the files first, then the row. If this is interrupted, the sweep continues. */
const removeFiles = async (id: string) => {
  const storage = currentStorage()
  await storage.remove(previewOf(id))
  await storage.remove(id)
  await queries.deleteRow(autocommit, id, dayAgo())
}

export const file = async (user: SignedIn, id: string): Promise<FileReply> => {
  const { type, bytes: length } = await queries.attachmentFor(autocommit, user, id)
  const content = await currentStorage().get(id)
  return { type, content, length, ...(!isImage(type) && { downloadAs: `recording-${id.slice(-8)}.mp4` }) }
}

export const preview = async (user: SignedIn, id: string): Promise<FileReply> => {
  const { type } = await queries.attachmentFor(autocommit, user, id)
  if (!isImage(type)) throw notFound('Attachment')
  return { type: previewType, content: await currentStorage().get(previewOf(id)) }
}

export const remove = async (user: SignedIn, id: string): Promise<void> => {
  await queries.ownOne(autocommit, user.id, id)
  if (!(await removeUnused(id)))
    throw new DomainError('WRONG_STATE', 'This file is already attached, so you cannot delete it.')
}

/**
 * Attaches one of the tester's uploads to one of their tests, in the transaction of what it shows: `CHECK_IN` with its day,
 * `OPT_IN`, `APPEAL` or `PROOF` (the last two also accept videos; for a proof use `hangOnProof`). From then on, the campaign's
 * owner and admins can see it. Call it after locking the participation. It refuses a foreign or unknown id with NOT_FOUND, one that
 * is already attached with WRONG_STATE, and a video instead of a picture with INVALID_INPUT at `attachmentId`.
 */
export const hangOn = async (
  tx: Tx,
  uploaderId: string,
  attachmentId: string,
  hook: queries.Hook,
): Promise<Attachment> => {
  const attached = await queries.attach(tx, uploaderId, attachmentId, hook)
  if (!attached) {
    await queries.ownOne(tx, uploaderId, attachmentId)
    throw attachedElsewhere()
  }
  assertFits(attached.type, hook.kind)
  return attached
}

/** Makes this the picture of a day's check-in, and detaches a previous one. */
export const hangOnDay = async (
  tx: Tx,
  uploaderId: string,
  attachmentId: string,
  { participationId, day }: { participationId: string; day: string },
): Promise<void> => {
  await queries.detachFromDay(tx, participationId, day, clock.now())
  await hangOn(tx, uploaderId, attachmentId, { participationId, kind: 'CHECK_IN', day })
}

/** Makes these, in this order, the attachments of the proof. Those of an earlier version that are not among them are detached. */
export const hangOnProof = async (
  tx: Tx,
  uploaderId: string,
  participationId: string,
  attachmentIds: readonly string[],
): Promise<void> => {
  await queries.detachFromProof(tx, participationId, attachmentIds, clock.now())
  for (const [position, id] of attachmentIds.entries()) {
    if ((await queries.reorder(tx, id, participationId, position)) === 1) continue
    await hangOn(tx, uploaderId, id, { participationId, kind: 'PROOF', position })
  }
}

/**
 * Attaches these to an event of a bug's thread. The uploader is the tester, the owner or an admin, and the other side can see them.
 * `participationId` is the test of the bug.
 */
export const hangOnBug = async (
  tx: Tx,
  uploaderId: string,
  { participationId, bugEventId }: { participationId: string; bugEventId: number },
  attachmentIds: readonly string[],
): Promise<void> => {
  for (const id of attachmentIds) await hangOn(tx, uploaderId, id, { participationId, kind: 'BUG', bugEventId })
}

const namesOf = ({ id, type }: queries.Stored) => (isImage(type) ? [id, previewOf(id)] : [id])

/**
 * The names of stored files, since a time, and of all files in the archive. The backups use it, and read the files with
 * `fileContent`.
 */
export const filesSince = async function* (since: string): AsyncGenerator<string> {
  for (let after: queries.Stored | undefined, more = true; more;) {
    const rows = await queries.storedSince(autocommit, since, after)
    for (const row of rows) yield* namesOf(row)
    more = rows.length === queries.storedPerPage
    after = rows.at(-1)
  }
  yield* await queries.archived(autocommit)
}

/** Of these names, those whose attachment still exists, and those in the archive. */
export const filesAmong = async (names: readonly string[]): Promise<Set<string>> => {
  const ids = names.filter(name => !isArchived(name)).map(name => name.slice(0, 36))
  const rows = await queries.storedAmong(autocommit, [...new Set(ids)])
  return new Set([...rows.flatMap(namesOf), ...(await queries.archived(autocommit))])
}

const isArchived = (name: string) => name.endsWith('.ndjson.gz')
const storageOf = (name: string) => (isArchived(name) ? archiveStorage() : currentStorage())

export const fileContent = (name: string): Promise<AsyncIterable<Uint8Array>> => storageOf(name).get(name)

/** Stores a file in a restored copy. */
export const putFile = (name: string, content: Uint8Array): Promise<void> => storageOf(name).put(name, content)

/** Deletes uploads that nobody attached within a day, and remains of interrupted uploads. */
export const sweepAttachments = scheduled(
  'attachments.sweep',
  '23 * * * *',
  async () => {
    const now = clock.now()
    const before = { looseBefore: hoursAfter(now, -looseHours), unfinishedBefore: hoursAfter(now, -1) }
    await allDue([
      () =>
        eachDue(
          page => queries.dueForRemoval(autocommit, before, page),
          ({ id }: Due) => removeUnused(id),
        ),
      () => queries.forgetRemoved(autocommit, dayAgo()),
    ])
  },
  { neverPaused: true },
)
