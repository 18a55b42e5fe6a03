/** The content that storages keep. */
import type { FileHandle } from 'node:fs/promises'

export type Content = Uint8Array | OpenFile
export type OpenFile = { handle: FileHandle; length: number }

export type Storage = {
  /** Stores the file completely and durably, or not at all. Throws INSUFFICIENT_STORAGE. */
  put: (name: string, content: Content) => Promise<void>
  get: (name: string) => Promise<AsyncIterable<Uint8Array>>
  /** Succeeds even if there is no such file. */
  remove: (name: string) => Promise<void>
}

/** Whether `get` failed because the file does not exist, for example after a disk was lost. */
export const isMissingFile = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && error.code === 'ENOENT') || (error.cause instanceof Error && error.cause.name === 'NoSuchKey'))

const chunkBytes = 65_536

/** Yields the bytes of an open file from its beginning. */
export async function* bytesOf({ handle, length }: OpenFile): AsyncGenerator<Buffer> {
  for (let at = 0; at < length;) {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(chunkBytes, length - at)), { position: at })
    if (bytesRead === 0) throw new Error('the file is shorter than it was')
    yield buffer.subarray(0, bytesRead)
    at += bytesRead
  }
}

/** Reads all bytes at once; for small files. */
export const wholeOf = async ({ handle, length }: OpenFile): Promise<Buffer> => {
  const whole = Buffer.alloc(length)
  let at = 0
  for await (const chunk of bytesOf({ handle, length })) at += chunk.copy(whole, at)
  return whole
}
