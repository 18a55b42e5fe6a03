/**
 * `npm run dev`: server and page on one port, both on watch. The database (embedded, or the one of DATABASE_URL) starts
 * once here; the server of dev-server.ts starts again whenever a file of its own changes, and Vite inside it replaces
 * the page's modules while they run. Ctrl-C ends everything.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { openDatabase } from '../src/app/server/boot.ts'
import { readEnv } from '../src/app/server/env.ts'

const stopMs = 5000

let server: ChildProcess | undefined
let stopDatabase = async () => undefined as void
let stopping = false

const stop = async (code: number): Promise<void> => {
  if (stopping) return
  stopping = true
  if (server && server.exitCode === null && server.signalCode === null) {
    const ended = once(server, 'exit')
    server.kill('SIGTERM')
    const timer = setTimeout(() => server?.kill('SIGKILL'), stopMs)
    await ended
    clearTimeout(timer)
  }
  await stopDatabase()
  process.exit(code)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0))

try {
  const env = readEnv(process.env)
  if (env.production) throw new Error('npm run dev is for development: NODE_ENV=production is set. Use npm start.')
  const database = await openDatabase(env, {
    log: line => process.stdout.write(`${line}\n`),
    onUnexpectedExit: why => {
      process.stderr.write(`${why}\n`)
      void stop(1)
    },
  })
  stopDatabase = database.stop
  // The pipe's end tells dev-server.ts that we are gone, however that came.
  server = spawn(process.execPath, ['--watch', '--watch-preserve-output', join(import.meta.dirname, 'dev-server.ts')], {
    env: { ...process.env, DATABASE_URL: database.url },
    stdio: ['pipe', 'inherit', 'inherit'],
    // A group of its own: Ctrl-C reaches only us, and we end it in order.
    detached: true,
  })
  server.once('exit', code => void stop(code ?? 0))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  await stop(1)
}
