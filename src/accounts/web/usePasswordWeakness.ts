import { useSyncExternalStore } from 'react'
import { logFailure } from '../../kit/web/log.ts'
import type { Owner } from '../weakPasswords.ts'

type WeaknessOf = (password: string, owner: Owner) => string | null

let loaded: WeaknessOf | null = null
let loading: Promise<void> | undefined
const listeners = new Set<() => void>()

const load = async () => {
  try {
    const [{ commonPasswords }, { weaknessOf }] = await Promise.all([
      import('../commonPasswords.ts'),
      import('../weakPasswords.ts'),
    ])
    loaded = (password, owner) => weaknessOf(password, owner, commonPasswords)
    for (const listener of listeners) listener()
  } catch (error) {
    logFailure('The common passwords could not be loaded', error)
    loading = undefined
  }
}

const subscribe = (listener: () => void) => {
  loading ??= load()
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

const never = () => () => undefined

/** Why the password is weak; null if it is not, or not known to be. The list is loaded when the first letter is typed. */
export const usePasswordWeakness = (password: string, owner: Owner): string | null => {
  const weaknessOf = useSyncExternalStore(password === '' ? never : subscribe, () => loaded)
  return weaknessOf?.(password, owner) ?? null
}
