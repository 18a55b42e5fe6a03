/** Turns the bytes of an upload into what we keep: determines the type from the bytes, and removes metadata. */
import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { acceptedType, emptyFile, flawed, maxBytesOf, tooLarge } from '../rules.ts'
import { isImage } from '../terms.ts'
import type { AttachmentType } from '../contract.ts'
import { bytesOf, type Content, type OpenFile, wholeOf } from './content.ts'
import { cleanImage } from './images.ts'
import { cleanMp4 } from './mp4.ts'
import { namelessFile, onDisk } from './storage.ts'

/** Enough bytes to determine a type. */
const headBytes = 4100

export type Received = {
  type: AttachmentType
  content: Content
  bytes: number
  sha256: Buffer
  image: { preview: Uint8Array; width: number; height: number; lookHash: Buffer } | null
}

/** Runs `keep` with the cleaned file, which is gone afterwards. */
export const receive = async <T>(
  uploaderId: string,
  bytes: AsyncIterable<Uint8Array>,
  keep: (received: Received) => Promise<T>,
): Promise<T> => {
  const handle = await namelessFile()
  try {
    const { type, length } = await write(bytes, handle)
    return await keep(await cleaned(uploaderId, type, { handle, length }))
  } finally {
    await handle.close()
  }
}

/** Refuses the file as soon as its type or size is wrong. */
const write = async (bytes: AsyncIterable<Uint8Array>, handle: FileHandle) => {
  let type: AttachmentType | undefined
  let head = Buffer.alloc(0)
  let length = 0
  for await (const chunk of bytes) {
    await onDisk(() => handle.writeFile(chunk))
    length += chunk.length
    if (type === undefined) {
      head = Buffer.concat([head, chunk])
      if (head.length >= headBytes) type = await typeOf(head)
    }
    if (type !== undefined && length > maxBytesOf(type)) throw tooLarge(type)
  }
  if (length === 0) throw emptyFile()
  type ??= await typeOf(head)
  return { type, length }
}

/** Loads the library with the first file. */
const typeOf = async (head: Uint8Array) => {
  const { fileTypeFromBuffer } = await import('file-type')
  return acceptedType((await fileTypeFromBuffer(head))?.mime)
}

const cleaned = async (uploaderId: string, type: AttachmentType, file: OpenFile): Promise<Received> => {
  if (!isImage(type)) {
    if (!(await onDisk(() => cleanMp4(file.handle, file.length)))) throw flawed('BROKEN_VIDEO')
    return { type, content: file, bytes: file.length, sha256: await hashOf(bytesOf(file)), image: null }
  }
  const { bytes, preview, width, height, lookHash } = await cleanImage(uploaderId, () => wholeOf(file))
  const image = { preview, width, height, lookHash: Buffer.from(lookHash) }
  return { type, content: bytes, bytes: bytes.length, sha256: await hashOf([bytes]), image }
}

const hashOf = async (chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const hash = createHash('sha256')
  for await (const chunk of chunks) hash.update(chunk)
  return hash.digest()
}
