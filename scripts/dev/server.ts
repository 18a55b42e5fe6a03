/**
 * The server of `npm run dev`, in a process that serverProcess.ts restarts after each change. It works like `npm start`, but it
 * leaves the pages to Vite (it answers with the name of the page's file in the header `pageHeader`), has no rate limit, and sends
 * no backups.
 */
import { once } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ensureAdmin } from '../../src/accounts/server/accounts.ts'
import { createApp } from '../../src/app/server/app.ts'
import { startBackend } from '../../src/app/server/boot.ts'
import { readEnv } from '../../src/app/server/env.ts'
import { serveApp } from '../../src/app/server/page.ts'
import { startHeartbeat } from '../../src/kit/server/heartbeat.ts'
import { type FromServer, type ToServer, pageHeader } from './protocol.ts'

/** Work that takes longer is abandoned; the next server runs its jobs again. */
const stopMs = 1500

const start = async ({ databaseUrl: url, ownerUrl }: ToServer) => {
  const env = readEnv(process.env)
  const onError = (error: unknown, where: string) => process.stderr.write(`${where}: ${String(error)}\n`)
  const stopBackend = await startBackend(env, url, { ownerUrl, onError })
  await ensureAdmin({
    email: env.ADMIN_EMAIL,
    password: env.ADMIN_PASSWORD,
    tell: ({ email, password }) =>
      process.stdout.write(`Sign in as admin: ${email} with ${password} (not shown again)\n`),
  })
  // proxy.ts forwards the requests and adds the caller’s address.
  const app = await createApp({ ...env, RATE_LIMIT: false, TRUST_PROXY: true })
  const page = (file: string) => (_request: FastifyRequest, reply: FastifyReply) =>
    reply.header(pageHeader, file).send()
  app.get('/', page('landing.html'))
  serveApp(app, page('index.html'))
  await app.listen({ port: 0, host: '127.0.0.1' })
  const stopHeartbeat = await startHeartbeat(error => onError(error, 'heartbeat'))
  const address = app.server.address()
  const started: FromServer = { port: typeof address === 'object' && address ? address.port : 0 }
  process.send?.(started)
  return async () => {
    await stopHeartbeat()
    await app.close()
    await stopBackend()
  }
}

let stop = async () => undefined as void
const end = () => {
  setTimeout(() => process.exit(0), stopMs).unref()
  void stop().finally(() => process.exit(0))
}
process.once('SIGTERM', end)
// The parent process has exited, for whatever reason.
process.once('disconnect', end)

try {
  const [told] = (await once(process, 'message')) as [ToServer]
  stop = await start(told)
  if (!process.connected) end()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
