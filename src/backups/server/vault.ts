/** A place whose files are encrypted with the backups' key. */
import { folderPlace, type Listed, parsePlace, type Place } from './places.ts'
import { sealed, Unreadable, unsealed } from './sealing.ts'

type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

export type Vault = {
  says: string
  write: (name: string, content: Bytes) => Promise<void>
  read: (name: string) => AsyncIterable<Buffer>
  readWhole: (name: string) => Promise<Buffer>
  list: (folder: string) => Promise<Listed[]>
  remove: (name: string) => Promise<void>
  forgetUnfinished: (beforeMs: number) => Promise<void>
}

async function* contentOf({ get }: Place, name: string, key: Buffer): AsyncGenerator<Buffer> {
  const content = await get(name).catch((error: unknown) => {
    throw new Unreadable(`${name} of the backups cannot be read: ${(error as Error).message}`)
  })
  yield* unsealed(content, key, name)
}

const placeOf = async (text: string): Promise<Place> => {
  const parsed = parsePlace(text)
  if (!parsed) throw new Error('A place for backups is a folder, or s3://KEY:SECRET@host/bucket?region=…')
  return 'folder' in parsed ? folderPlace(parsed.folder) : (await import('./bucketPlace.ts')).bucketPlace(parsed.bucket)
}

export const openVault = async (to: string, key: Buffer): Promise<Vault> => {
  const place = await placeOf(to)
  const read = (name: string) => contentOf(place, name, key)
  return {
    says: place.says,
    write: (name, content) => place.put(name, sealed(content, key, name)),
    read,
    readWhole: async name => {
      const parts: Buffer[] = []
      for await (const part of read(name)) parts.push(part)
      return Buffer.concat(parts)
    },
    list: place.list,
    remove: place.remove,
    forgetUnfinished: place.forgetUnfinished,
  }
}
