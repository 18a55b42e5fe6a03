/** The server of `npm run dev`, started by dev.ts: as `npm start`, but the page comes from Vite and not from dist/. */
import type { FastifyInstance } from 'fastify'
import { createServer, type ViteDevServer } from 'vite'
import { ensureAdmin } from '../src/accounts/server/accounts.ts'
import { createApp } from '../src/app/server/app.ts'
import { startBackend } from '../src/app/server/boot.ts'
import { readEnv } from '../src/app/server/env.ts'
import { projectRoot } from '../src/kit/server/root.ts'

const stopMs = 1500

/**
 * Vite writes the start of its fast refresh into the page, and waits in a worker for a server that starts again;
 * everything else is held to the product's own policy.
 */
const relaxed = (policy: string) =>
  `${policy.replace("script-src 'self'", "script-src 'self' 'unsafe-inline'")};worker-src 'self' blob:`

/** What no route answers goes to Vite, with the headers that every answer of ours has. */
const servePageFromVite = (app: FastifyInstance, vite: ViteDevServer) => {
  app.setNotFoundHandler((request, reply) => {
    const headers = reply.getHeaders()
    reply.hijack()
    for (const [name, value] of Object.entries(headers)) {
      if (value !== undefined)
        reply.raw.setHeader(name, name === 'content-security-policy' ? relaxed(String(value)) : value)
    }
    vite.middlewares(request.raw, reply.raw)
  })
}

const start = async () => {
  const env = readEnv(process.env)
  const url = env.DATABASE_URL
  if (!url) throw new Error('Start the development server with npm run dev.')
  const stopBackend = await startBackend(env, url, {
    onError: (error, where) => process.stderr.write(`${where}: ${String(error)}\n`),
  })
  const admin = await ensureAdmin({ email: env.ADMIN_EMAIL, password: env.ADMIN_PASSWORD })
  const app = await createApp({ ...env, RATE_LIMIT: false })
  const vite = await createServer({
    root: projectRoot,
    // Bundled, the configuration would be a new file at every start, and that a change that starts us again.
    configLoader: 'native',
    server: { middlewareMode: true, hmr: { server: app.server } },
    appType: 'spa',
  })
  servePageFromVite(app, vite)
  await app.listen({ port: env.PORT, host: env.HOST })
  const address = app.server.address()
  const port = typeof address === 'object' && address ? address.port : env.PORT
  process.stdout.write(`Fieldtest in development: http://localhost:${port}\n`)
  if (admin?.password)
    process.stdout.write(`Sign in as admin: ${admin.email} with ${admin.password} (not shown again)\n`)
  return async () => {
    await vite.close()
    await stopBackend()
  }
}

let stop = async () => undefined as void
const end = () => {
  // A page that is open holds its connection for ever; the database outlives us.
  setTimeout(() => process.exit(0), stopMs).unref()
  void stop().finally(() => process.exit(0))
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
// dev.ts is gone, however that came: nobody else ends the watcher above us.
process.stdin.once('end', () => process.kill(process.ppid, 'SIGTERM')).resume()

try {
  stop = await start()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
