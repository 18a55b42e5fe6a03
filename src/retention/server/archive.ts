/**
 * The archive of the audit log: one compressed file of JSON lines for each partition that leaves the table (docs/operations.md says
 * how to read it). A file counts only once it was read back from the storage unchanged.
 */
import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { archiveStorage, namelessFile } from '../../attachments/server/attachments.ts'
import { autocommit } from '../../kit/server/db.ts'
import { beforeAllIds } from '../../kit/server/ids.ts'
import * as queries from './queries.ts'

const entriesAtOnce = 2000

/** Oldest first, by id. */
async function* linesOf(name: string, counted: { rows: number }): AsyncGenerator<string> {
  for (let after = beforeAllIds; ;) {
    const page = await queries.entriesOf(autocommit, name, { after, limit: entriesAtOnce })
    for (const { line } of page) yield `${line}\n`
    counted.rows += page.length
    if (page.length < entriesAtOnce) return
    after = page.at(-1)!.id
  }
}

type Written = { length: number; sha256: Buffer; rowCount: number }

const writeTo = async (handle: FileHandle, name: string): Promise<Written> => {
  const counted = { rows: 0 }
  const hash = createHash('sha256')
  let length = 0
  for await (const chunk of Readable.from(linesOf(name, counted)).compose(createGzip()) as AsyncIterable<Buffer>) {
    await handle.write(chunk, 0, chunk.length, length)
    hash.update(chunk)
    length += chunk.length
  }
  return { length, sha256: hash.digest(), rowCount: counted.rows }
}

/** Writes the partition's rows into the archive and records the file. Running it again writes the same file. */
export const archive = async (name: string): Promise<number> => {
  const file = `${name}.ndjson.gz`
  const handle = await namelessFile()
  try {
    const { length, sha256, rowCount } = await writeTo(handle, name)
    await archiveStorage().put(file, { handle, length })
    const kept = createHash('sha256')
    for await (const chunk of await archiveStorage().get(file)) kept.update(chunk)
    if (!kept.digest().equals(sha256)) throw new Error(`The archive gives back another ${file} than was written.`)
    await queries.recordArchive(autocommit, name, { file, sha256, rowCount })
    return rowCount
  } finally {
    await handle.close()
  }
}
