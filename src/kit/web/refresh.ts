/** Refreshes the access token once for all waiting requests, in this tab and in all others. */
import { ApiError } from './apiError.ts'
import { logFailure } from './log.ts'
import { type Tokens, session } from './session.ts'

type PostRefresh = (body: { refreshToken: string; attempt: string }) => Promise<Response>

let underWay: Promise<string | null> | null = null

/** The new access token, or null if nobody is signed in anymore. Throws if the server cannot be reached. */
export const refreshAccess = (refused: string, post: PostRefresh): Promise<string | null> => {
  underWay ??= alone(() => refreshOnce(refused, post)).finally(() => {
    underWay = null
  })
  return underWay
}

/** How long until other tabs, which run in other processes, can read what one tab stores. */
const spreadMs = 250

/**
 * One tab at a time. The lock is held until the other tabs can read what was stored, because the next one would otherwise reuse a
 * refresh token. Pages served without TLS from another host have no Web Locks and do without.
 */
const alone = <T>(work: () => Promise<T>): Promise<T> => {
  if (!('locks' in navigator)) return work()
  return new Promise((resolve, reject) => {
    const held = navigator.locks.request('fieldtest-refresh', async () => {
      await work().then(resolve, reject)
      await new Promise(spread => setTimeout(spread, spreadMs))
    })
    held.catch(reject)
  })
}

const refreshOnce = async (refused: string, post: PostRefresh): Promise<string | null> => {
  const stored = session.accessToken()
  if (stored === null) return null
  // Another tab was faster. Reusing a refresh token would end its family.
  if (stored !== refused) return stored
  const refreshToken = session.refreshToken()
  if (!refreshToken) return signOut(new Error('No refresh token available'))
  const response = await post({ refreshToken, attempt: session.refreshAttempt() })
  if ([400, 401, 403].includes(response.status)) {
    const sentence = await sentenceOf(response)
    if (isAnother(refreshToken)) return null
    return signOut(new Error(`Refresh was refused: HTTP ${response.status}`), sentence)
  }
  if (!response.ok) throw new ApiError(response.status, `HTTP ${response.status}`)
  const tokens: Tokens = await response.json()
  if (isAnother(refreshToken)) return null
  session.rotate(tokens)
  return tokens.accessToken
}

/** Somebody has signed out or in as somebody else meanwhile, perhaps in another tab: leave that as it is. */
const isAnother = (refreshToken: string) => session.refreshToken() !== refreshToken

/** The server's reason, such as that the account is suspended or the session was ended elsewhere. */
const sentenceOf = async (response: Response): Promise<string> => {
  const body: { message?: unknown } | null = await response.json().catch(() => null)
  return typeof body?.message === 'string' ? body.message : endedSentence
}

const endedSentence = 'Your session has ended. Sign in again.'

const signOut = (reason: Error, sentence = endedSentence) => {
  logFailure(reason.message)
  session.clear(sentence)
  return null
}
