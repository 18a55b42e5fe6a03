import { useSyncExternalStore } from 'react'
import { type SessionUser, session } from './session.ts'

/** The signed-in user, for screens behind the guard. */
export const useUser = (): SessionUser => {
  const user = useSyncExternalStore(session.subscribe, session.user)
  if (!user) throw new Error('This screen needs a signed-in user')
  return user
}
