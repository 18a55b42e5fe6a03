/** A browser's local storage for tests of page logic in Node. */
import { vi } from 'vitest'

type Storage = Record<string, string> & Pick<typeof methods, keyof typeof methods>

const methods = {
  getItem(this: Record<string, string>, key: string) {
    return Object.hasOwn(this, key) ? this[key]! : null
  },
  setItem(this: Record<string, string>, key: string, value: string) {
    this[key] = value
  },
  removeItem(this: Record<string, string>, key: string) {
    delete this[key]
  },
}

/** Empty, and in place until `vi.unstubAllGlobals()`. As in a browser, its own keys are those of the stored values. */
export const stubLocalStorage = (): Storage => {
  const storage: Storage = Object.create(methods)
  vi.stubGlobal('localStorage', storage)
  return storage
}

const refuse = () => {
  throw new Error('The storage is full or forbidden')
}

/** Refuses every call, as a full or forbidden storage does. */
export const refuseLocalStorage = (): void => {
  const forbidden = { getItem: refuse, setItem: refuse, removeItem: refuse }
  vi.stubGlobal('localStorage', new Proxy(forbidden, { ownKeys: refuse }))
}
