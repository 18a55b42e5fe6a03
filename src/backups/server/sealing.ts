/**
 * How what leaves for the backups is sealed: compressed, then AES-256-GCM in chunks, so that gigabytes pass through without
 * being held. Each chunk is bound to its place in the file and to the file's name, and the last one says that it is the last:
 * a changed byte, a cut file, a file under another name and another key are each found before anything of the chunk is used.
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

/** Tells a wrong key from a changed file, and the key to nobody. */
const idOf = (key: Buffer) => createHmac('sha256', key).update('fieldtest backup key').digest().subarray(0, keyIdBytes)

/** No two files share a key, so that their chunks may be numbered alike. */
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

/** What is wrong with a file of the backups, as a sentence for whoever restores. */
export class Unreadable extends Error {
  override name = 'Unreadable'
}

/** Nothing is known to be wrong with the file itself. */
export class OtherKey extends Unreadable {
  override name = 'OtherKey'
  constructor(file: string) {
    super(`${file} was encrypted with another key than this BACKUP_KEY.`)
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

/** Gives the key of the file once its header has been read. */
const readHeader = (header: Buffer, backupKey: Buffer, name: string) => {
  if (header.length < headerBytes || !header.subarray(0, magic.length).equals(magic)) throw damaged(name)
  if (!header.subarray(magic.length, magic.length + keyIdBytes).equals(idOf(backupKey))) throw new OtherKey(name)
  return keyOf(backupKey, header.subarray(magic.length + keyIdBytes), name)
}

async function* decrypted(source: Bytes, backupKey: Buffer, name: string): AsyncGenerator<Buffer> {
  let key: Buffer | undefined
  let chunk = 0
  // The header first, then whole chunks: the first piece is as long as both.
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

/** Ends the stream that it reads from with it, also on the way. */
const through = (source: Bytes, make: () => ReturnType<typeof createZstdCompress>): AsyncIterable<Buffer> => {
  const transform = make()
  const input = Readable.from(source, { objectMode: false })
  input.on('error', error => transform.destroy(error))
  // Whoever reads is told of it; before the first read, nobody would hear it, and that would end the process.
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
