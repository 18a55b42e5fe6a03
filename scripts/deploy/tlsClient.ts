/** Calls a proxy on this machine as a browser would call https://fieldtest.example. */
import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { text } from 'node:stream/consumers'

type Call = { method?: string; token?: string; body?: Buffer | object; headers?: Record<string, string> }
export type Answer = { status: number; body: string }
export type Client = {
  call: (path: string, call?: Call) => Promise<Answer>
  /** The beginning of an answer that continues. */
  open: (path: string, call?: Call) => Promise<IncomingMessage>
  close: () => void
}

export const clientOf = async (port: number, certificate: string): Promise<Client> => {
  const agent = new Agent({ keepAlive: true, ca: await readFile(certificate), servername: 'fieldtest.example' })
  const open = (path: string, { method = 'GET', token, body, headers = {} }: Call = {}) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const bytes = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
      const sent = request(
        {
          agent,
          port,
          method,
          host: '127.0.0.1',
          path: path.startsWith('/metrics') ? path : `/api/v1${path}`,
          headers: {
            host: 'fieldtest.example',
            ...(bytes && { 'content-length': bytes.length, 'content-type': 'application/json' }),
            ...(token !== undefined && { authorization: `Bearer ${token}` }),
            ...headers,
          },
        },
        resolve,
      )
      sent.once('error', reject)
      sent.setTimeout(30_000, () => sent.destroy(new Error('no answer for 30 s')))
      sent.end(bytes)
    })
  return {
    open,
    call: async (path, call) => {
      const answer = await open(path, call)
      return { status: answer.statusCode ?? 0, body: await text(answer) }
    },
    close: () => agent.destroy(),
  }
}
