/** A fresh access token for a refused one: once for all requests that wait, in this tab and in all others. */
import { ApiError } from './apiError.ts'
import { logFailure } from './log.ts'
import { type Tokens, session } from './session.ts'

type PostRefresh = (refreshToken: string) => Promise<Response>

let underWay: Promise<string | null> | null = null

/** The new access token, or null when nobody is signed in any more. Throws when the server cannot be reached. */
export const refreshAccess = (refused: string, post: PostRefresh): Promise<string | null> => {
  underWay ??= alone(() => refreshOnce(refused, post)).finally(() => {
    underWay = null
  })
  return underWay
}

/** What one tab stores is read by the others a little later: they live in processes of their own. */
const spreadMs = 250

/**
 * One tab at a time; the lock is kept until the other tabs can read what was stored, or the next one would use a refresh
 * token a second time. Pages served without TLS from another host have no locks and go without.
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
  // Another tab was faster: a refresh token must not be used twice, its family would end.
  if (stored !== refused) return stored
  const refreshToken = session.refreshToken()
  if (!refreshToken) return signOut(new Error('No refresh token available'))
  const response = await post(refreshToken)
  if ([400, 401, 403].includes(response.status))
    return signOut(new Error(`Refresh was refused: HTTP ${response.status}`), await sentenceOf(response))
  if (!response.ok) throw new ApiError(response.status, `HTTP ${response.status}`)
  const tokens: Tokens = await response.json()
  // Signed out while waiting, or somebody else signed in: stay so.
  if (session.refreshToken() !== refreshToken) return null
  session.rotate(tokens)
  return tokens.accessToken
}

/** Why, in the server's words: suspended, or ended elsewhere. */
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
