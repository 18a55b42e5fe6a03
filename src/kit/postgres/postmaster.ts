import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { runGuarded, type Guarded } from './guarded.ts'
import type { Identity } from './identity.ts'
import { readPidFile, stopLeftover } from './leftover.ts'
import type { LogFile } from './logfile.ts'

type Postmaster = Guarded & { port: number }

/**
 * Given on the command line at every start, so that the data folder's own configuration file need not be kept up.
 * Errors are logged without their DETAIL line, which would quote what people typed.
 */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  // A socket's path may not be longer than 107 bytes, and data folders may be deep.
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '128MB',
  random_page_cost: '1.1',
  jit: 'off',
  autovacuum: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
}

/** For tests: as fast as it gets, and broken by a power cut. */
const NOT_DURABLE = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
}

/** Starts PostgreSQL on a free port and resolves when it takes connections, which after a crash means: recovered. */
export const startPostmaster = async (
  place: { cluster: string; postgres: string; durable: boolean },
  identity: Identity,
  logFile: LogFile,
): Promise<Postmaster> => {
  // Somebody may take the port between our look and PostgreSQL's: then with another one.
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    const settings = Object.entries({ port, ...SETTINGS, ...(place.durable ? {} : NOT_DURABLE) })
    const command = [
      place.postgres,
      '-D',
      place.cluster,
      ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ]
    const run = await runGuarded(identity, 'INT', command, logFile.fd)
    const why = await readyOrEnded(place.cluster, run)
    if (why === undefined) return { ...run, port }
    const said = logFile.newest(6)
    if (attempt < 4 && /could not bind|could not create any TCP/.test(said)) continue
    // The number in a dead postmaster's pid file came to life again since our look: another look clears it away.
    if (attempt < 4 && said.includes('lock file "postmaster.pid" already exists')) {
      await stopLeftover(place.cluster, () => undefined)
      continue
    }
    throw new Error(
      `PostgreSQL did not start on ${place.cluster} (${why}). It said:\n${said}\nIts log is ${logFile.path}`,
    )
  }
}

const readyOrEnded = async (cluster: string, run: Guarded) => {
  while (!run.hasEnded()) {
    const state = readPidFile(cluster)
    if (state?.pid === run.pid && state.status === 'ready') return undefined
    await pause(15)
  }
  return run.ended
}

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

/** PostgreSQL's fast shutdown (open transactions are rolled back), then its immediate one, then the axe: 8 s in all. */
export const stopPostmaster = async ({ pid, ended, hasEnded }: Guarded): Promise<void> => {
  const steps = [
    { signal: 'SIGINT', forMs: 6_500 },
    { signal: 'SIGQUIT', forMs: 1_500 },
    { signal: 'SIGKILL', forMs: 2_000 },
  ] as const
  for (const { signal, forMs } of steps) {
    if (hasEnded()) return
    try {
      process.kill(pid, signal)
    } catch {
      // It ended between the look and the signal.
    }
    const timer = new AbortController()
    await Promise.race([ended, pause(forMs, undefined, { signal: timer.signal }).catch(() => {})])
    timer.abort()
  }
}
