/** Unpacks the archive that PostgreSQL makes of a cluster: folders and files with names of up to 100 bytes. */
import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { dirname, isAbsolute, join, normalize } from 'node:path'
import { Unreadable } from './sealing.ts'

const block = 512

type Entry = { name: string; bytes: number; kind: string }

const textAt = (header: Buffer, from: number, length: number) => {
  const field = header.subarray(from, from + length)
  const end = field.indexOf(0)
  return field.toString('utf8', 0, end < 0 ? length : end)
}

/** Null for the zeros at the end of the archive. */
const entryOf = (header: Buffer): Entry | null => {
  if (header.every(byte => byte === 0)) return null
  const name = normalize(textAt(header, 0, 100))
  const kind = String.fromCharCode(header[156] ?? 0)
  const bytes = Number.parseInt(textAt(header, 124, 12).trim(), 8)
  const isSafe = !isAbsolute(name) && !name.split('/').includes('..')
  if (!isSafe || !Number.isSafeInteger(bytes) || !['0', '5'].includes(kind))
    throw new Unreadable(`The archive of the cluster has an entry that is neither a file nor a folder: ${name}.`)
  return { name, kind, bytes: kind === '0' ? bytes : 0 }
}

const created = async (folder: string, { name, kind }: Entry): Promise<FileHandle | null> => {
  const path = join(folder, name)
  await mkdir(kind === '5' ? path : dirname(path), { recursive: true, mode: 0o700 })
  return kind === '5' ? null : open(path, 'w', 0o600)
}

/** Throws Unreadable if the archive ends in the middle of an entry. */
export const unpack = async (archive: AsyncIterable<Buffer>, folder: string): Promise<void> => {
  let header: Buffer[] = []
  let headerBytes = 0
  let file: FileHandle | null = null
  let left = 0
  let padding = 0
  try {
    for await (let part of archive) {
      while (part.length > 0) {
        if (left > 0) {
          const content = part.subarray(0, left)
          await file?.writeFile(content)
          left -= content.length
          part = part.subarray(content.length)
          if (left > 0) continue
          await file?.close()
          file = null
        } else if (padding > 0) {
          const skipped = Math.min(padding, part.length)
          padding -= skipped
          part = part.subarray(skipped)
        } else {
          const piece = part.subarray(0, block - headerBytes)
          header.push(piece)
          headerBytes += piece.length
          part = part.subarray(piece.length)
          if (headerBytes < block) continue
          const entry = entryOf(Buffer.concat(header))
          header = []
          headerBytes = 0
          if (!entry) continue
          file = await created(folder, entry)
          left = entry.bytes
          padding = (block - (entry.bytes % block)) % block
          if (left > 0) continue
          await file?.close()
          file = null
        }
      }
    }
    if (left > 0 || headerBytes > 0) throw new Unreadable('The archive of the cluster ends in the middle of a file.')
  } finally {
    // Still open if the archive breaks off in the middle of the file.
    await file?.close()
  }
}
