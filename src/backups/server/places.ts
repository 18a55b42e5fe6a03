/** Where backups are kept: a folder, possibly mounted from another machine, or a bucket of an S3 service. */
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { type Bucket, parseBucket } from '../../kit/server/bucketUrl.ts'

export type Listed = { name: string; bytes: number; atMs: number }

export type Place = {
  /** The place's name for people, without keys. */
  says: string
  /** Stores the file completely and durably, or not at all. */
  put: (name: string, content: AsyncIterable<Buffer>) => Promise<void>
  get: (name: string) => Promise<AsyncIterable<Uint8Array>>
  /** Everything below this folder, by name. */
  list: (folder: string) => Promise<Listed[]>
  remove: (name: string) => Promise<void>
  /** Removes files that were begun, but not written to since then. */
  forgetUnfinished: (beforeMs: number) => Promise<void>
}

const byName = (a: Listed, b: Listed) => (a.name < b.name ? -1 : 1)

/** `s3://KEY:SECRET@host/bucket?region=…`, or the path of a folder. */
export const parsePlace = (text: string): { bucket: Bucket } | { folder: string } | null => {
  if (!/^(s3|https?):\/\//.test(text)) return { folder: resolve(text) }
  const url = text.replace(/^s3:/, 'https:')
  const bucket = URL.canParse(url) ? parseBucket(url) : null
  return bucket && { bucket }
}

/** The ending of a file that is still being written, or was when the machine died. */
const unfinished = '.unfinished'

export const folderPlace = (root: string): Place => ({
  says: root,
  put: async (name, content) => {
    const path = join(root, name)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    // Another process may write the same file at the same time, so each uses its own until it is complete.
    const begun = `${path}.${randomBytes(4).toString('hex')}${unfinished}`
    const handle = await open(begun, 'wx', 0o600)
    try {
      await handle.writeFile(content)
      await handle.sync()
    } catch (error) {
      await rm(begun, { force: true })
      throw error
    } finally {
      await handle.close()
    }
    await rename(begun, path)
  },
  get: async name => {
    await stat(join(root, name))
    return createReadStream(join(root, name))
  },
  list: async below => {
    const entries = await readdir(join(root, below), { recursive: true, withFileTypes: true }).catch(noFolder)
    const files = entries.filter(entry => entry.isFile() && !entry.name.endsWith(unfinished))
    const listed = await Promise.all(
      files.map(async ({ parentPath, name }) => {
        const path = join(parentPath, name)
        // It is gone, because another run is tidying up.
        const found = await stat(path).catch(() => null)
        return found && { name: path.slice(root.length + 1), bytes: found.size, atMs: found.mtimeMs }
      }),
    )
    return listed.filter(one => one !== null).toSorted(byName)
  },
  remove: name => rm(join(root, name), { force: true }),
  forgetUnfinished: async beforeMs => {
    const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(noFolder)
    for (const entry of entries) {
      if (!entry.isFile() || !entry.name.endsWith(unfinished)) continue
      const path = join(entry.parentPath, entry.name)
      const found = await stat(path).catch(() => null)
      if (found && found.mtimeMs < beforeMs) await rm(path, { force: true })
    }
  },
})

const noFolder = (error: NodeJS.ErrnoException) => {
  if (error.code === 'ENOENT') return []
  throw error
}
