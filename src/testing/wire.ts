/**
 * The connection from the server to its PostgreSQL, for tests that interrupt it: a frozen machine or a lost route leaves
 * connections open, but nobody answers.
 */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'

export type Wire = {
  /** The database's URL through this wire. */
  url: string
  /** From now on nothing passes, in either direction. */
  freeze: () => void
  /** From now on nothing passes on the connections that have sent `text`. */
  freezeThose: (text: string) => void
  /** Delivers what was held back, as a frozen machine does when it continues. */
  thaw: () => void
  /** Drops what was held back. New connections pass. */
  cut: () => void
  /** Resolves when a query containing `text` has arrived, and lets nothing more pass; if `delivered`, that query still passes. */
  freezeAt: (text: string, options: { delivered: boolean }) => Promise<void>
  /** Resolves when a query containing `text` has been passed on. */
  passed: (text: string) => Promise<void>
  /** Sends new connections to another PostgreSQL; existing ones stay. */
  lead: (databaseUrl: string) => void
  stop: () => Promise<void>
}

type Held = { client: Socket; to: Socket; bytes: Buffer | null }

export const openWire = async (databaseUrl: string): Promise<Wire> => {
  let target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const sent = new Map<Socket, string>()
  let frozen = false
  let frozenText: string | undefined
  let held: Held[] = []
  let trap: { text: string; delivered: boolean; sprung: () => void } | undefined
  let watched: { text: string; seen: () => void } | undefined

  const isStopped = (client: Socket) =>
    frozen || (frozenText !== undefined && (sent.get(client) ?? '').includes(frozenText))
  const pass = (client: Socket, to: Socket, bytes: Buffer | null) => {
    if (isStopped(client)) held.push({ client, to, bytes })
    else if (bytes) to.write(bytes)
    else to.end()
  }
  const link = (from: Socket, to: Socket, client: Socket) => {
    const isClient = from === client
    sockets.add(from)
    from.on('error', () => from.destroy())
    from.on('close', () => {
      sockets.delete(from)
      pass(client, to, null)
    })
    from.on('data', bytes => {
      if (isClient) sent.set(client, (sent.get(client) ?? '') + bytes.toString('latin1').slice(0, 1_000))
      if (isClient && watched && bytes.includes(watched.text)) {
        watched.seen()
        watched = undefined
      }
      if (!isClient || !trap || !bytes.includes(trap.text)) return pass(client, to, bytes)
      const { delivered, sprung } = trap
      trap = undefined
      if (delivered) pass(client, to, bytes)
      frozen = true
      if (!delivered) pass(client, to, bytes)
      return sprung()
    })
  }
  const server = createServer(client => {
    const database = connect(Number(target.port), target.hostname)
    link(client, database, client)
    link(database, client, client)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    url: url.href,
    freeze: () => {
      frozen = true
    },
    freezeThose: text => {
      frozenText = text
    },
    thaw: () => {
      frozen = false
      frozenText = undefined
      for (const { client, to, bytes } of held.splice(0)) pass(client, to, bytes)
    },
    cut: () => {
      frozen = false
      frozenText = undefined
      held = []
      for (const socket of sockets) socket.destroy()
    },
    freezeAt: (text, { delivered }) =>
      new Promise(sprung => {
        trap = { text, delivered, sprung }
      }),
    passed: text =>
      new Promise(seen => {
        watched = { text, seen }
      }),
    lead: to => {
      target = new URL(to)
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
