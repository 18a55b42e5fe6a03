/** Runs server.ts, and restarts it when a file changes that it may have loaded. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { projectRoot } from '../../src/kit/server/root.ts'
import type { FromServer, ToServer } from './protocol.ts'

export type ServerProcess = {
  /** Waits for the server to start. Null if it could not; a change starts it again. */
  port: () => Promise<number | null>
  /** Reports a changed file, as a path from the root with slashes. Changes in quick succession cause one restart. */
  changed: (path: string) => void
  stop: () => Promise<void>
}

/** Groups the changes of one save, or of a branch being checked out. */
const settleMs = 50
const stopMs = 3000

/** Includes contracts and rules, which the server and the page share. */
const isServerFile = (path: string) =>
  /^(src|migrations)\/.*\.(ts|mjs|sql)$|^scripts\/dev\/(server|protocol)\.ts$/.test(path) &&
  !/\/(web|testing)\/|\.test\.ts$/.test(path)

type Launched = { process: ChildProcess; port: Promise<number | null> }

/** The server can load its modules while the database is still starting. */
const launch = (database: Promise<{ url: string; ownerUrl: string }>): Launched => {
  const compileCache = join(projectRoot, 'src/app/server/compile-cache.mjs')
  const server = spawn(process.execPath, ['--import', compileCache, join(import.meta.dirname, 'server.ts')], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // Has its own process group: Ctrl-C reaches only this process, which stops the server before the database.
    detached: true,
  })
  void database.then(
    ({ url, ownerUrl }) => {
      // A server that has already exited gets no message; `port` is then null.
      if (server.connected) server.send({ databaseUrl: url, ownerUrl } satisfies ToServer, () => {})
    },
    () => undefined,
  )
  const port = new Promise<number | null>(resolve => {
    server.once('message', (started: FromServer) => resolve(started.port))
    server.once('exit', () => resolve(null))
    server.once('error', () => resolve(null))
  })
  return { process: server, port }
}

const hasExited = ({ process: { exitCode, signalCode, pid } }: Launched) =>
  pid === undefined || exitCode !== null || signalCode !== null

/** Asks the process to exit, and kills it if it does not. */
const stopProcess = async (launched: Launched) => {
  if (hasExited(launched)) return
  const exited = once(launched.process, 'exit')
  launched.process.kill('SIGTERM')
  const timer = setTimeout(() => launched.process.kill('SIGKILL'), stopMs)
  await exited
  clearTimeout(timer)
}

export const keepServerRunning = (
  database: Promise<{ url: string; ownerUrl: string }>,
  log: (line: string) => void,
): ServerProcess => {
  const stopping = new Set<Promise<void>>()
  let current: Launched
  let stopped = false
  let settled: NodeJS.Timeout | undefined

  const start = () => {
    const launched = launch(database)
    current = launched
    launched.process.once('exit', () => {
      if (launched === current && !stopped)
        log('The server has stopped. It will restart when one of its files changes.')
    })
  }

  const restart = (path: string) => {
    log(`${path} changed, restarting the server`)
    // The old server finishes its requests while the new one loads.
    const old = stopProcess(current)
    stopping.add(old)
    void old.finally(() => stopping.delete(old))
    start()
  }

  const port = async (): Promise<number | null> => {
    const asked = current
    const opened = await asked.port
    return asked === current ? opened : port()
  }

  start()
  return {
    port,
    changed(path) {
      if (stopped || !isServerFile(path)) return
      clearTimeout(settled)
      settled = setTimeout(restart, settleMs, path)
    },
    async stop() {
      stopped = true
      clearTimeout(settled)
      await Promise.all([stopProcess(current), ...stopping])
    },
  }
}
