/** The network of a page in tests: what the page requested, and the answers to it. */
import { vi } from 'vitest'

type Sent = {
  method: string
  /** The path below `/api/v1`. */
  path: string
  token: string | null
  body: unknown
  signal: AbortSignal | null
}

type Network = { sent: Sent[]; answer: (sent: Sent) => Response | Promise<Response> }

/** In place until `vi.unstubAllGlobals()`. Answers `{}` until `answer` is set. */
export const stubNetwork = (): Network => {
  const network: Network = { sent: [], answer: () => Response.json({}) }
  vi.stubGlobal('fetch', async (address: string, { method, headers, body, signal }: RequestInit) => {
    const one = {
      method: String(method),
      path: address.replace('/api/v1', ''),
      token: new Headers(headers).get('authorization'),
      body: typeof body === 'string' ? (JSON.parse(body) as unknown) : null,
      signal: signal ?? null,
    }
    network.sent.push(one)
    return network.answer(one)
  })
  return network
}
