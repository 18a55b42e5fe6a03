/** Sends a file and reports progress, which `fetch` cannot. Like every call it refreshes the token once after a 401. */
import { callOf } from './api.ts'
import { ApiError } from './apiError.ts'
import { logFailure } from './log.ts'
import { basePath, errorOf, tokenAfter } from './request.ts'
import { session } from './session.ts'

export type Sending = { onProgress: (share: number) => void; signal: AbortSignal }

type Answer = { status: number; body: Record<string, unknown> }

/** Resolves with the reply, or rejects with an `ApiError`. */
export const uploadTo = async <T>(contract: string, name: string, file: Blob, sending: Sending): Promise<T> => {
  const { path } = callOf(contract, name)
  const caller = session.user()?.id
  const token = session.accessToken() ?? ''
  let answer = await send(path, file, token, sending)
  if (answer.status === 401) {
    const fresh = await tokenAfter(token)
    if (fresh && session.ownerId() === caller) answer = await send(path, file, fresh, sending)
  }
  if (answer.status < 300) return answer.body as T
  const error = errorOf(answer.status, answer.body)
  logFailure(`POST ${path}: ${error.status} ${error.message}`, error.requestId ?? '')
  throw error
}

const send = (path: string, file: Blob, token: string, { onProgress, signal }: Sending): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const lost = () => reject(new ApiError(0, 'Network error', { code: 'NETWORK' }))
    request.open('POST', basePath + path)
    request.setRequestHeader('accept', 'application/json')
    request.setRequestHeader('authorization', `Bearer ${token}`)
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0))
    request.addEventListener('load', () => resolve({ status: request.status, body: parsed(request.responseText) }))
    for (const end of ['error', 'timeout', 'abort']) request.addEventListener(end, lost)
    signal.addEventListener('abort', () => request.abort(), { once: true })
    const form = new FormData()
    // The server does not need the name, and it may reveal who somebody is.
    form.append('file', file, 'file')
    request.send(form)
  })

const parsed = (text: string): Record<string, unknown> => {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return {}
  }
}
