/**
 * Who is signed in, in this browser: `accessToken`, `refreshToken` and `user` in local storage (spec §3, §4), shared by
 * all tabs. Parsed by hand and not with zod, so that the public pages do not load it.
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
  /** Null until the address is confirmed; undefined when what is stored does not say. */
  emailVerifiedAt?: string | null | undefined
  /** The profile's; undefined when what is stored does not say. */
  timeZone?: string | undefined
}

/** What the server answers when a session is refreshed, and when one begins. */
export type Tokens = { accessToken: string; refreshToken: string }
type Session = Tokens & { user: SessionUser }

/** `accessToken` stands last when writing and first when clearing: it alone says that somebody is signed in. */
const keys = ['accessToken', 'refreshToken', 'user'] as const
const allKeys = [...keys, 'refreshAttempt', 'whyEnded'] as const

/** Longer than a page takes to answer, short enough that nobody is left before a screen that is no longer theirs. */
const leaveMs = 5000

const listeners = new Set<() => void>()
let current: SessionUser | null = null
let whyEnded: string | null = null
/** What another tab says of a session that it ends. */
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
  /** Whose tokens are stored: another tab may have signed in as somebody else a moment ago. */
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
   * The name of the refresh under way, stored before it is asked for: whoever left the page before the answer came, or lost
   * it on the way, asks for the same answer again, and is not taken for a thief with a used token.
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

  /** What of the profile is stored has changed. */
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

  /** The server's sentence, when it was the server that ended the session; until the next sign-in. */
  whyEnded: () => whyEnded,

  /** Runs `leave` at once, or when the user has agreed to lose what they changed in a form. */
  beforeLeaving: (leave: () => void) => (asks ? asks(leave) : leave()),

  /** A form has changes that a logout would lose; gives what ends it. */
  askBeforeLeaving: (ask: Ask) => {
    asks = ask
    return () => {
      if (asks === ask) asks = undefined
    }
  },

  /** Forgets all three. Screens that need a user then show the sign-in page, with the reason if there is one; other tabs, too. */
  clear: (reason: string | null = null) => {
    whyEnded = reason
    if (reason !== null) localStorage.setItem('whyEnded', reason)
    for (const key of allKeys) localStorage.removeItem(key)
    become(null)
  },

  /**
   * Forgets all three while another document is on its way: the screen stays as it is until that one comes, and knows of
   * nobody when the browser brings it back. Should no document come, screens learn of it a little later.
   */
  leave: () => {
    for (const key of allKeys) localStorage.removeItem(key)
    // Somebody may have signed in meanwhile, where a document that was left was brought back.
    addEventListener('pagehide', session.restore, { once: true })
    setTimeout(session.restore, leaveMs)
  },

  /** On load: any error in what is stored signs out (spec §8). */
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
addEventListener('storage', ({ key, newValue }) => {
  if (key === 'whyEnded') said = newValue ?? said
  if (key !== null && !keys.some(own => own === key)) return
  try {
    const user = readUser()
    if (current && !user) whyEnded = said ?? 'You were signed out in another tab.'
    said = null
    become(user)
  } catch {
    // Half written; the next event completes it.
  }
})
