/** A small load balancer like HAProxy: passes each request on to a server that says it is ready, and repeats none. */
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

const askEveryMs = 100

type Backend = { address: URL; ready: boolean; agent: Agent; timer: NodeJS.Timeout }

export type Balancer = {
  url: string
  /** Resolves once the server is ready. */
  add: (address: URL) => Promise<void>
  remove: (address: URL) => void
  stop: () => Promise<void>
}

const isReady = (address: URL): Promise<boolean> =>
  fetch(new URL('/health/ready', address)).then(
    reply => reply.arrayBuffer().then(() => reply.ok),
    () => false,
  )

export const startBalancer = async (): Promise<Balancer> => {
  const backends = new Map<string, Backend>()
  let turn = 0

  const pass = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const ready = [...backends.values()].filter(backend => backend.ready)
    const backend = ready[turn++ % ready.length]
    if (!backend) return void outgoing.writeHead(502).end('no server is ready')
    const { hostname, port } = backend.address
    const passed = request({
      hostname,
      port,
      // Uses both kept and new connections.
      agent: turn % 4 < 2 ? backend.agent : false,
      method: incoming.method,
      path: incoming.url,
      headers: incoming.headers,
    })
    passed.once('response', answer => {
      outgoing.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(outgoing)
      answer.once('error', () => outgoing.destroy())
    })
    passed.once('error', error => {
      if (!outgoing.headersSent) outgoing.writeHead(502).end(error.message)
      else outgoing.destroy()
    })
    outgoing.once('close', () => passed.destroy())
    incoming.pipe(passed)
  }

  const server = createServer(pass).listen(0, '127.0.0.1')
  await once(server, 'listening')

  const remove = (address: URL) => {
    const backend = backends.get(address.href)
    clearInterval(backend?.timer)
    backend?.agent.destroy()
    backends.delete(address.href)
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: async address => {
      const agent = new Agent({ keepAlive: true })
      const look = async () => {
        backend.ready = await isReady(address)
      }
      const backend: Backend = { address, ready: false, agent, timer: setInterval(() => void look(), askEveryMs) }
      await look()
      if (!backend.ready) throw new Error(`${address.href} is not ready`)
      backends.set(address.href, backend)
    },
    remove,
    stop: async () => {
      for (const { address } of backends.values()) remove(address)
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
