/**
 * `npm run dev`: the server and the page on one port, both reloading as files are saved. The database (embedded, or the one of
 * DATABASE_URL) and Vite start once, in this process; the server runs in a process that is restarted. Ctrl-C stops everything.
 */
import { once } from 'node:events'
import { relative, sep } from 'node:path'
import { openDatabase } from '../src/app/server/database.ts'
import { type Env, readEnv } from '../src/app/server/env.ts'
import { projectRoot } from '../src/kit/server/root.ts'
import { openProxy } from './dev/proxy.ts'
import { keepServerRunning } from './dev/serverProcess.ts'
import { watchFiles } from './dev/watchFiles.ts'
import { optionsOf } from './options.ts'

optionsOf({})

const say = (line: string) => process.stdout.write(`${line}\n`)
const sayError = (error: unknown) => process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)

/** Run in reverse order. */
const stops: (() => Promise<void>)[] = []
let stopping = false
const stop = async (code: number): Promise<void> => {
  if (stopping) return
  stopping = true
  for (const stopOne of stops.toReversed()) await stopOne().catch(sayError)
  process.exit(code)
}

/** Folders whose files nobody edits. */
const isGenerated = /^(\.|(node_modules|dist|data|coverage|test-results|playwright-report)$)/

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0))

const open = async (env: Env) => {
  const database = await openDatabase(env, {
    log: say,
    onUnexpectedExit: why => {
      sayError(why)
      void stop(1)
    },
  })
  stops.unshift(database.stop)
  return database
}

try {
  const env = readEnv(process.env)
  if (env.production) throw new Error('npm run dev is for development, but NODE_ENV=production is set. Use npm start.')
  const database = open(env)
  const backend = keepServerRunning(database, say)
  stops.push(backend.stop)
  const [proxy] = await Promise.all([openProxy(backend), database])
  stops.push(proxy.close)
  await watchFiles(projectRoot, {
    skips: folder => folder === env.DATA_DIR || isGenerated.test(relative(projectRoot, folder)),
    onEvent(event, file) {
      proxy.changed(event, file)
      backend.changed(relative(projectRoot, file).replaceAll(sep, '/'))
    },
  })
  const started = await backend.port()
  proxy.server.listen(env.PORT, env.HOST)
  await once(proxy.server, 'listening')
  const address = proxy.server.address()
  const port = typeof address === 'object' && address ? address.port : env.PORT
  say(`Fieldtest in development: http://localhost:${port}${started ? '' : ', as soon as the server starts'}`)
} catch (error) {
  sayError(error)
  await stop(1)
}
