/**
 * How backups are encrypted: compressed, then AES-256-GCM in chunks, so that gigabytes pass through without being held in memory.
 * Each chunk is bound to its position and to the file's name, and the last one is marked as the last. So a changed byte, a
 * truncated file, a renamed file or a wrong key is detected before anything of the chunk is used.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'

const magic = Buffer.from('FTB1')
const saltBytes = 16
const keyIdBytes = 8
const headerBytes = magic.length + keyIdBytes + saltBytes
const chunkBytes = 256 * 1024
const tagBytes = 16
const level = { [constants.ZSTD_c_compressionLevel]: 3 }

/** Tells a wrong key from a changed file without revealing the key. */
const idOf = (key: Buffer) => createHmac('sha256', key).update('fieldtest backup key').digest().subarray(0, keyIdBytes)

/** Each file has a key of its own, so that all may number their chunks from 0. */
const keyOf = (key: Buffer, salt: Buffer, name: string) =>
  Buffer.from(hkdfSync('sha256', key, salt, `file:${name}`, 32))

const nonceOf = (chunk: number, isLast: boolean) => {
  const nonce = Buffer.alloc(12)
  nonce.writeUInt8(isLast ? 1 : 0, 0)
  nonce.writeUIntBE(chunk, 6, 6)
  return nonce
}

type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** Pieces of exactly `size` bytes; the last one is shorter, or empty. */
async function* inPieces(source: Bytes, size: number): AsyncGenerator<{ piece: Buffer; isLast: boolean }> {
  let held: Buffer[] = []
  let length = 0
  for await (const part of source) {
    held.push(Buffer.from(part.buffer, part.byteOffset, part.byteLength))
    length += part.byteLength
    if (length < size) continue
    const all = Buffer.concat(held)
    let at = 0
    for (; length - at >= size; at += size) yield { piece: all.subarray(at, at + size), isLast: false }
    held = [all.subarray(at)]
    length -= at
  }
  yield { piece: Buffer.concat(held), isLast: true }
}

async function* encrypted(source: Bytes, backupKey: Buffer, name: string): AsyncGenerator<Buffer> {
  const salt = randomBytes(saltBytes)
  yield Buffer.concat([magic, idOf(backupKey), salt])
  const key = keyOf(backupKey, salt, name)
  let chunk = 0
  for await (const { piece, isLast } of inPieces(source, chunkBytes)) {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(chunk++, isLast))
    yield Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()])
  }
}

/** Says what is wrong with a file of the backups, in a sentence for the person who restores. */
export class Unreadable extends Error {
  override name = 'Unreadable'
}

/** As far as we know, the file itself is fine. */
export class OtherKey extends Unreadable {
  override name = 'OtherKey'
  constructor(file: string) {
    super(`${file} was encrypted with a key other than this BACKUP_KEY.`)
  }
}

const damaged = (name: string) => new Unreadable(`${name} of the backups is damaged: it was changed or cut short.`)

const opened = (sealed: Buffer, key: Buffer, nonce: Buffer, name: string) => {
  if (sealed.length < tagBytes) throw damaged(name)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  decipher.setAuthTag(sealed.subarray(-tagBytes))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, -tagBytes)), decipher.final()])
  } catch {
    throw damaged(name)
  }
}

/** Returns the file's key, from its header. */
const readHeader = (header: Buffer, backupKey: Buffer, name: string) => {
  if (header.length < headerBytes || !header.subarray(0, magic.length).equals(magic)) throw damaged(name)
  if (!header.subarray(magic.length, magic.length + keyIdBytes).equals(idOf(backupKey))) throw new OtherKey(name)
  return keyOf(backupKey, header.subarray(magic.length + keyIdBytes), name)
}

async function* decrypted(source: Bytes, backupKey: Buffer, name: string): AsyncGenerator<Buffer> {
  let key: Buffer | undefined
  let chunk = 0
  // Reads the header, which gives the key, and passes on everything after it.
  async function* afterHeader() {
    let start = Buffer.alloc(0)
    for await (const part of source) {
      if (key) {
        yield part
        continue
      }
      start = Buffer.concat([start, part])
      if (start.length < headerBytes) continue
      key = readHeader(start.subarray(0, headerBytes), backupKey, name)
      yield start.subarray(headerBytes)
    }
    if (!key) throw damaged(name)
  }
  for await (const { piece, isLast } of inPieces(afterHeader(), chunkBytes + tagBytes))
    yield opened(piece, key!, nonceOf(chunk++, isLast), name)
}

/** A stream through `make`. Ending it early also ends the stream that it reads from. */
const through = (source: Bytes, make: () => ReturnType<typeof createZstdCompress>): AsyncIterable<Buffer> => {
  const transform = make()
  const input = Readable.from(source, { objectMode: false })
  input.on('error', error => transform.destroy(error))
  // The reader gets the error. Before the first read nobody listens, and without this listener the process would end.
  transform.on('error', () => undefined)
  transform.once('close', () => input.destroy())
  return input.pipe(transform)
}

export const sealed = (source: Bytes, key: Buffer, name: string): AsyncIterable<Buffer> =>
  encrypted(
    through(source, () => createZstdCompress({ params: level })),
    key,
    name,
  )

export const unsealed = (source: Bytes, key: Buffer, name: string): AsyncIterable<Buffer> =>
  through(decrypted(source, key, name), () => createZstdDecompress())
