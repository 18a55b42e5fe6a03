/** IndexedDB for tests with jsdom, which has none: one database, with only what the page uses. */
import { vi } from 'vitest'

type Row = Record<string, unknown>
type Store = { keyPath: string; rows: Map<unknown, Row>; indexes: Map<string, string> }

/** Empty, and in place until `vi.unstubAllGlobals()`. */
export const stubIndexedDb = () => {
  const stores = new Map<string, Store>()
  const faults = new Set<'open' | 'ask' | 'blob'>()
  let version = 0
  let connections = 0
  let waiting = 0

  /** Answers in a later turn of the event loop, as a browser does. */
  const asked = <T>(kind: 'open' | 'ask', work: (request: EventTarget & { result: unknown }) => T) => {
    const request = Object.assign(new EventTarget(), { result: undefined as unknown, error: null })
    waiting += 1
    setTimeout(() => {
      waiting -= 1
      try {
        if (faults.has(kind)) throw new Error('The disk is full')
        request.result = work(request)
      } catch {
        request.dispatchEvent(new Event('error'))
        return
      }
      request.dispatchEvent(new Event('success'))
    })
    return request
  }

  const objectStore = (store: Store, mode: string) => ({
    put: (row: Row) =>
      asked('ask', () => {
        if (mode !== 'readwrite') throw new Error('Only for reading')
        if (faults.has('blob') && Object.values(row).some(value => value instanceof Blob))
          throw new DOMException('BlobURLs are not yet supported.', 'DataCloneError')
        const key = row[store.keyPath]
        store.rows.set(key, row)
        return key
      }),
    get: (key: unknown) => asked('ask', () => store.rows.get(key)),
    getAll: () => asked('ask', () => [...store.rows.values()]),
    delete: (key: unknown) => asked('ask', () => void store.rows.delete(key)),
    index: (name: string) => ({
      getAll: (value: unknown) =>
        asked('ask', () => [...store.rows.values()].filter(row => row[store.indexes.get(name)!] === value)),
    }),
  })

  const database = {
    createObjectStore: (name: string, { keyPath }: { keyPath: string }) => {
      if (stores.has(name)) throw new Error(`There is a store ${name} already`)
      const store: Store = { keyPath, rows: new Map(), indexes: new Map() }
      stores.set(name, store)
      return { createIndex: (index: string, path: string) => void store.indexes.set(index, path) }
    },
    transaction: (name: string, mode: string) => ({ objectStore: () => objectStore(stores.get(name)!, mode) }),
    close: () => {
      connections -= 1
    },
  }

  vi.stubGlobal('indexedDB', {
    open: (_name: string, wanted: number) => {
      if (wanted < 1) throw new TypeError('A version is 1 or more')
      return asked('open', request => {
        connections += 1
        if (wanted > version) {
          version = wanted
          request.result = database
          request.dispatchEvent(new Event('upgradeneeded'))
        }
        return database
      })
    },
  })

  const isBusy = () => waiting > 0 || connections > 0
  const turn = () => new Promise(resolve => setTimeout(resolve))
  return {
    faults,
    connections: () => connections,
    /** Creates a store as an earlier visit has left it. */
    begin: (name: string, keyPath: string, index: string) => {
      version = 1
      stores.set(name, { keyPath, rows: new Map(), indexes: new Map([[index, index]]) })
    },
    rows: () => [...stores.values()].flatMap(({ rows }) => [...rows.values()]),
    put: (row: Row) => stores.values().next().value!.rows.set(row['key'], row),
    /** Resolves once all requests are answered. */
    idle: async () => {
      do await turn()
      while (isBusy())
      await turn()
    },
  }
}
