/** What storages keep. */
import type { FileHandle } from 'node:fs/promises'

export type Content = Uint8Array | OpenFile
export type OpenFile = { handle: FileHandle; length: number }

export type Storage = {
  /** Whole and lasting, or not there at all. Throws INSUFFICIENT_STORAGE. */
  put: (name: string, content: Content) => Promise<void>
  get: (name: string) => Promise<AsyncIterable<Uint8Array>>
  /** Also when there is none. */
  remove: (name: string) => Promise<void>
}

/** Whether `get` failed because there is no such file, such as after a disk was lost. */
export const isMissingFile = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && error.code === 'ENOENT') || (error.cause instanceof Error && error.cause.name === 'NoSuchKey'))

const chunkBytes = 65_536

/** The bytes of an open file from its beginning. */
export async function* bytesOf({ handle, length }: OpenFile): AsyncGenerator<Buffer> {
  for (let at = 0; at < length;) {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(chunkBytes, length - at)), { position: at })
    if (bytesRead === 0) throw new Error('the file is shorter than it was')
    yield buffer.subarray(0, bytesRead)
    at += bytesRead
  }
}

/** All of them at once: for what is small. */
export const wholeOf = async ({ handle, length }: OpenFile): Promise<Buffer> => {
  const whole = Buffer.alloc(length)
  let at = 0
  for await (const chunk of bytesOf({ handle, length })) at += chunk.copy(whole, at)
  return whole
}
