/** Where the bytes of attachments are stored, under names that we choose: a folder, or a bucket of an S3 service. */
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, type FileHandle, mkdir, mkdtemp, open, rm, rmdir, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DomainError } from '../../kit/errors.ts'
import { bytesOf, type Storage } from './content.ts'

export type StorageOptions = {
  /** `file:///folder`, or `https://KEY:SECRET@host/bucket?region=…`. */
  url?: string | undefined
  dataDir: string
  /** Kept free for the database, which may use the same disk. */
  minFreeMb: number
}

let storage: Storage | undefined
let archive: Storage | undefined
let incomingFolder = ''
let minFreeBytes = 0

export const useStorage = async ({ url, dataDir, minFreeMb }: StorageOptions): Promise<void> => {
  minFreeBytes = minFreeMb * 1_048_576
  incomingFolder = join(dataDir, 'incoming')
  if (url?.startsWith('http')) {
    storage = (await import('./s3.ts')).bucket(url)
    archive = within(storage, 'archive/')
  } else {
    storage = folder(url === undefined ? join(dataDir, 'attachments') : fileURLToPath(url))
    // The archive's names are short and have no random digits, so the files are in the folder itself.
    archive = folder(url === undefined ? join(dataDir, 'archive') : join(fileURLToPath(url), 'archive'))
  }
}

/**
 * For the start of a server, so that a mistake in STORAGE_URL does not show only when somebody uploads. A bucket is not asked: its
 * service may be out of reach for a moment.
 */
export const assertWritable = async (url: string | undefined): Promise<void> => {
  if (url === undefined || url.startsWith('http')) return
  const root = fileURLToPath(url)
  try {
    await mkdir(root, { recursive: true, mode: 0o700 })
    await rmdir(await mkdtemp(join(root, '.probe-')))
  } catch (error) {
    const { message } = error as Error
    throw new Error(`STORAGE_URL names the folder ${root}, in which nothing can be stored: ${message}`, {
      cause: error,
    })
  }
}

const within = ({ put, get, remove }: Storage, prefix: string): Storage => ({
  put: (name, content) => put(prefix + name, content),
  get: name => get(prefix + name),
  remove: name => remove(prefix + name),
})

export const currentStorage = (): Storage => {
  if (!storage) throw new Error('useStorage() first')
  return storage
}

/** For data that leaves the database and is kept for good: DATA_DIR/archive, or `archive` in STORAGE_URL. */
export const archiveStorage = (): Storage => {
  if (!archive) throw new Error('useStorage() first')
  return archive
}

/** The disk or quota is full, or the disk does not accept a file of this size. */
const fullDisk = ['ENOSPC', 'EDQUOT', 'EFBIG']

const noRoom = (cause?: unknown) =>
  Object.assign(
    new DomainError(
      'INSUFFICIENT_STORAGE',
      'There is no space for files at the moment. Nothing was stored. Try again later.',
    ),
    { cause },
  )

/** Runs code that writes to a disk, and turns a full disk into a refusal. */
export const onDisk = async <T>(write: () => Promise<T>): Promise<T> => {
  try {
    return await write()
  } catch (error) {
    if (error instanceof Error && 'code' in error && fullDisk.includes(String(error.code))) throw noRoom(error)
    throw error
  }
}

const assertFree = async (place: string) => {
  const { bavail, bsize } = await statfs(place)
  if (bavail * bsize < minFreeBytes) throw noRoom()
}

/** A file without a name, so that nothing of it is left whatever happens to this process. */
export const namelessFile = (): Promise<FileHandle> =>
  onDisk(async () => {
    await mkdir(incomingFolder, { recursive: true, mode: 0o700 })
    await assertFree(incomingFolder)
    const path = join(incomingFolder, randomBytes(16).toString('hex'))
    const handle = await open(path, 'wx+', 0o600)
    await rm(path)
    return handle
  })

/** Opens the file at the first read, so that an answer that nobody reads leaves no file open. */
async function* readWhenAsked(path: string): AsyncGenerator<Buffer> {
  yield* createReadStream(path) as AsyncIterable<Buffer>
}

const folder = (root: string): Storage => {
  // Uses the last digits, which are random; the first ones encode the time.
  const pathOf = (name: string) => join(root, name.slice(34, 36), name)
  return {
    put: (name, content) =>
      onDisk(async () => {
        const path = pathOf(name)
        await mkdir(dirname(path), { recursive: true, mode: 0o700 })
        await assertFree(dirname(path))
        const handle = await open(path, 'w', 0o600)
        try {
          await (content instanceof Uint8Array ? handle.writeFile(content) : handle.writeFile(bytesOf(content)))
          await handle.sync()
        } catch (error) {
          await rm(path, { force: true })
          throw error
        } finally {
          await handle.close()
        }
      }),
    get: async name => {
      await access(pathOf(name))
      return readWhenAsked(pathOf(name))
    },
    remove: name => rm(pathOf(name), { force: true }),
  }
}
