/**
 * Files that were picked for a proof or check-in that is not sent yet, stored in IndexedDB, so that they survive a reload, a crash
 * and a dead network. Without IndexedDB, as in some private windows, they live as long as the page.
 */
import type { Attachment } from '../contract.ts'

/** `place` is the draft that the files belong to, for example `proof:<participation>`. */
export type KeptFile = {
  key: string
  place: string
  addedAt: number
  name: string
  file: Blob
  /** Set once the file has been sent. */
  attachment: Attachment | null
  /** When it arrived. Older entries lack this, and have only `addedAt`. */
  sentAt?: number
}

/** As bytes where the browser refuses to store files, as Safari does in a private window. */
type Stored = Omit<KeptFile, 'file'> & { file: Blob | { bytes: ArrayBuffer; type: string } }

const asBytes = async (kept: KeptFile): Promise<Stored> => {
  const { file } = kept
  return { ...kept, file: { bytes: await file.arrayBuffer(), type: file.type } }
}

const fromStored = ({ file, ...kept }: Stored): KeptFile => ({
  ...kept,
  file: file instanceof Blob ? file : new Blob([file.bytes], { type: file.type }),
})

const store = 'files'

const opened = (): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open('fieldtest-files', 1)
    request.addEventListener('upgradeneeded', () => {
      request.result.createObjectStore(store, { keyPath: 'key' }).createIndex('place', 'place')
    })
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB did not open')))
  })

const inStore = async <T>(
  mode: IDBTransactionMode,
  ask: (files: IDBObjectStore) => IDBRequest<T>,
): Promise<T | null> => {
  try {
    const database = await opened()
    try {
      return await new Promise<T>((resolve, reject) => {
        const request = ask(database.transaction(store, mode).objectStore(store))
        request.addEventListener('success', () => resolve(request.result))
        request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB failed')))
      })
    } finally {
      database.close()
    }
  } catch {
    return null
  }
}

/** Sorted by when they were picked. */
export const keptFiles = async (place: string): Promise<KeptFile[]> => {
  const kept = await inStore<Stored[]>('readonly', files => files.index('place').getAll(place))
  return (kept ?? []).map(fromStored).toSorted((a, b) => a.addedAt - b.addedAt)
}

const put = (stored: Stored) => inStore('readwrite', files => files.put(stored))

export const keepFile = async (kept: KeptFile): Promise<unknown> => (await put(kept)) ?? put(await asBytes(kept))

/** Unless the file was dropped while it was being sent. In one transaction, so that a drop comes before or after it. */
export const keepSent = (sent: Omit<KeptFile, 'file'>): Promise<unknown> =>
  inStore('readwrite', files => {
    const found: IDBRequest<Stored | undefined> = files.get(sent.key)
    found.addEventListener('success', () => found.result && files.put({ ...sent, file: found.result.file }))
    return found
  })

export const dropFile = (key: string): Promise<unknown> => inStore('readwrite', files => files.delete(key))

/** Drops the files of all drafts whose name begins like this, except one. */
export const dropOthers = async (beginning: string, but: string): Promise<void> => {
  const all = await inStore<Stored[]>('readonly', files => files.getAll())
  const others = (all ?? []).filter(({ place }) => place.startsWith(beginning) && place !== but)
  for (const { key } of others) await dropFile(key)
}

/** Of all drafts of this user. */
export const keptFilesOf = async (userId: string): Promise<KeptFile[]> => {
  const all = await inStore<Stored[]>('readonly', files => files.getAll())
  return (all ?? []).filter(({ place }) => place.startsWith(`${userId}:`)).map(fromStored)
}

/** Called once the draft has been sent. */
export const dropFiles = async (place: string): Promise<void> => {
  for (const { key } of await keptFiles(place)) await dropFile(key)
}

export const dropFilesOf = async (userId: string): Promise<void> => {
  for (const { key } of await keptFilesOf(userId)) await dropFile(key)
}
