/** A bad line to a provider: it cuts connections before a request, after it or within its answer, and delays some requests. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Random } from './random.ts'

type Fault = 'cut before the request' | 'answer lost' | 'half an answer' | 'late'

/** Per hundred requests. */
const shares: [Fault, number][] = [
  ['cut before the request', 4],
  ['answer lost', 5],
  ['half an answer', 4],
  ['late', 8],
]
const longestMs = 1_000

export type BadLine = {
  origin: string
  counts: Record<string, number>
  /** For so long nothing is lost or late. */
  calm: (ms: number) => void
  heal: () => void
  stop: () => Promise<void>
}

export const openBadLine = async (port: number, random: Random): Promise<BadLine> => {
  const counts: Record<string, number> = {}
  const sockets = new Set<Socket>()
  let calmUntil = 0

  const next = (): Fault | undefined => {
    let place = random.below(100)
    const fault = performance.now() < calmUntil ? undefined : shares.find(([, share]) => (place -= share) < 0)?.[0]
    if (fault) counts[fault] = (counts[fault] ?? 0) + 1
    return fault
  }

  const server = createServer(client => {
    const provider = connect(port, '127.0.0.1')
    let fault: Fault | undefined
    let lateMs = 0
    let isAsking = false
    const end = () => {
      client.destroy()
      provider.destroy()
    }
    for (const socket of [client, provider]) {
      sockets.add(socket)
      socket.on('error', end)
      socket.on('close', () => {
        sockets.delete(socket)
        end()
      })
    }
    client.on('data', bytes => {
      if (!isAsking) {
        isAsking = true
        fault = next()
        lateMs = random.below(longestMs)
      }
      if (fault === 'cut before the request') end()
      // In order, because all parts of a request are delayed equally.
      else if (fault === 'late') setTimeout(() => provider.write(bytes), lateMs)
      else provider.write(bytes)
    })
    provider.on('data', bytes => {
      isAsking = false
      if (fault === 'answer lost') end()
      else if (fault === 'half an answer') client.end(bytes.subarray(0, Math.ceil(bytes.length / 2)))
      else client.write(bytes)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    calm: ms => {
      calmUntil = Math.max(calmUntil, performance.now() + ms)
    },
    heal: () => {
      calmUntil = Infinity
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
