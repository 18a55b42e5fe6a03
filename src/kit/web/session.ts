/**
 * Who is signed in, in this browser: `accessToken`, `refreshToken` and `user` in local storage (spec §3, §4), shared by all tabs.
 * Parsed by hand instead of with zod, so the public pages do not load it.
 */
import { setReaderZone } from '../clock.ts'
import { type Role, roles } from '../roles.ts'
import { logFailure } from './log.ts'
import { randomId } from './randomId.ts'

export type SessionUser = {
  id: string
  email: string
  name: string
  role: Role
  /** Null until the address is confirmed; undefined if the stored user does not say. */
  emailVerifiedAt?: string | null | undefined
  /** The profile's time zone; undefined if the stored user does not say. */
  timeZone?: string | undefined
}

/** The server's answer when a session is refreshed, and part of that when one begins. */
export type Tokens = { accessToken: string; refreshToken: string }
type Session = Tokens & { user: SessionUser }

/** `accessToken` is written last and cleared first, because it alone says that somebody is signed in. */
const keys = ['accessToken', 'refreshToken', 'user'] as const
const allKeys = [...keys, 'refreshAttempt', 'whyEnded'] as const

/** Longer than a page takes to answer, but short enough that nobody is left with a screen that is no longer theirs. */
const leaveMs = 5000

const listeners = new Set<() => void>()
let current: SessionUser | null = null
let whyEnded: string | null = null
/** Why another tab ended the session. */
let said: string | null = null

const text = (value: unknown): value is string => typeof value === 'string' && value !== ''

const parseUser = (json: string | null): SessionUser => {
  const user: Partial<Record<keyof SessionUser, unknown>> | null = JSON.parse(json ?? 'null')
  const role = roles.find(known => known === user?.role)
  if (!user || !role || !text(user.id) || !text(user.email) || !text(user.name)) {
    throw new Error('The stored user is not one')
  }
  const { id, email, name, emailVerifiedAt, timeZone } = user
  const says = emailVerifiedAt === null || text(emailVerifiedAt)
  return { id, email, name, role, ...(says && { emailVerifiedAt }), ...(text(timeZone) && { timeZone }) }
}

const readUser = (): SessionUser | null =>
  localStorage.getItem('accessToken') ? parseUser(localStorage.getItem('user')) : null

type Ask = (leave: () => void) => void

let asks: Ask | undefined

const become = (user: SessionUser | null) => {
  current = user
  setReaderZone(user?.timeZone)
  for (const listener of listeners) listener()
}

export const session = {
  user: () => current,
  /** The user whose tokens are stored: another tab may have signed in as somebody else a moment ago. */
  ownerId: () => {
    try {
      return readUser()?.id
    } catch {
      return undefined
    }
  },

  accessToken: () => localStorage.getItem('accessToken'),
  refreshToken: () => localStorage.getItem('refreshToken'),

  /**
   * The name of the refresh under way, stored before the request: a user who left the page before the answer came, or lost the
   * answer, asks for the same one again instead of being taken for a thief with a used token.
   */
  refreshAttempt: () => {
    const begun = localStorage.getItem('refreshAttempt')
    if (begun) return begun
    const fresh = randomId()
    localStorage.setItem('refreshAttempt', fresh)
    return fresh
  },

  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },

  signIn: ({ accessToken, refreshToken, user }: Session) => {
    localStorage.setItem('refreshToken', refreshToken)
    localStorage.setItem('user', JSON.stringify(user))
    localStorage.setItem('accessToken', accessToken)
    whyEnded = null
    become(readUser())
  },

  /** Called when the part of the profile that is stored has changed. */
  update: (user: SessionUser) => {
    if (!localStorage.getItem('accessToken')) return
    localStorage.setItem('user', JSON.stringify(user))
    become(readUser())
  },

  rotate: ({ accessToken, refreshToken }: Tokens) => {
    localStorage.setItem('refreshToken', refreshToken)
    localStorage.setItem('accessToken', accessToken)
    localStorage.removeItem('refreshAttempt')
  },

  /** The server's sentence, if it was the server that ended the session; until the next sign-in. */
  whyEnded: () => whyEnded,

  /** Runs `leave` at once, or after the user has agreed to lose the changes in a form. */
  beforeLeaving: (leave: () => void) => (asks ? asks(leave) : leave()),

  /** For a form with changes that a logout would lose; returns the function that ends it. */
  askBeforeLeaving: (ask: Ask) => {
    asks = ask
    return () => {
      if (asks === ask) asks = undefined
    }
  },

  /**
   * Forgets the user and tokens. Screens that need a user then show the sign-in page, with the reason if there is one; so do
   * other tabs.
   */
  clear: (reason: string | null = null) => {
    whyEnded = reason
    if (reason !== null) localStorage.setItem('whyEnded', reason)
    for (const key of allKeys) localStorage.removeItem(key)
    become(null)
  },

  /**
   * Forgets the user and tokens while another document is on its way: the screen stays as it is until that one comes, and has no
   * user if the browser brings it back. If no document comes, screens are notified a little later.
   */
  leave: () => {
    for (const key of allKeys) localStorage.removeItem(key)
    // Somebody may have signed in meanwhile, if a document that was left was brought back.
    addEventListener('pagehide', session.restore, { once: true })
    setTimeout(session.restore, leaveMs)
  },

  /** Called on load: any error in the stored session signs out (spec §8). */
  restore: () => {
    try {
      become(readUser())
    } catch (error) {
      logFailure('The stored session cannot be read', error)
      session.clear()
    }
  },
}

/** Another tab signed in or out. It writes item by item: what cannot be read yet is followed by one more event. */
const follow = () => {
  try {
    const user = readUser()
    if (current && !user) whyEnded = said ?? 'You were signed out in another tab.'
    said = null
    become(user)
  } catch {
    // Half written; the next event completes it.
  }
}

addEventListener('storage', ({ key, newValue }) => {
  if (key === 'whyEnded') said = newValue ?? said
  if (key === null || keys.some(own => own === key)) follow()
})

// A document that Back brings back as it was left has heard of nothing meanwhile.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) follow()
})
