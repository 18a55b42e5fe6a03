import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { runGuarded, type Guarded } from './guarded.ts'
import type { Identity } from './identity.ts'
import { readPidFile, stopLeftover } from './leftover.ts'
import type { LogFile } from './logfile.ts'

export type Postmaster = Guarded & {
  port: number
  /** It takes no new connections, and waits for the existing ones to close. */
  isShuttingDown: () => boolean
}

/**
 * Passed on the command line at every start, so the configuration file in the data folder needs no maintenance. Errors are logged
 * without their DETAIL line, which would quote user input.
 */
const serverSettings = {
  listen_addresses: '127.0.0.1',
  // A socket's path is limited to 107 bytes, and data folders may be deep.
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
  // Keeps the log that backups have not fetched yet, but not until the disk is full.
  max_slot_wal_keep_size: '4GB',
}

/** For tests: fast, but loses data in a power cut. */
const notDurableSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
}

const portPauseMs = 200

/**
 * Starts PostgreSQL on `samePort` or a free one, and resolves once it accepts connections, which after a crash is when it has
 * recovered.
 */
export const startPostmaster = async (
  place: { cluster: string; postgres: string; durable: boolean; settings?: Record<string, string> },
  identity: Identity,
  logFile: LogFile,
  samePort?: number,
): Promise<Postmaster> => {
  // If another program takes the port before PostgreSQL does, try again.
  for (let attempt = 1; ; attempt++) {
    const port = samePort ?? (await freePort())
    const settings = Object.entries({
      port,
      ...serverSettings,
      ...(place.durable ? {} : notDurableSettings),
      ...place.settings,
    })
    const command = [
      place.postgres,
      '-D',
      place.cluster,
      ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ]
    const run = await runGuarded(identity, 'INT', command, logFile.fd)
    const why = await readyOrEnded(place.cluster, run)
    if (why === undefined) {
      const isShuttingDown = () => readPidFile(place.cluster)?.status === 'stopping'
      return { ...run, port, isShuttingDown }
    }
    const said = logFile.newest(6)
    if (attempt < 4 && /could not bind|could not create any TCP/.test(said)) {
      // An immediate retry would find the same port still taken.
      if (samePort !== undefined) await pause(portPauseMs * attempt)
      continue
    }
    // The pid in a dead postmaster's pid file has been reused since we checked: check again and remove it.
    if (attempt < 4 && said.includes('lock file "postmaster.pid" already exists')) {
      await stopLeftover(place.cluster, () => undefined)
      continue
    }
    throw new Error(
      `PostgreSQL did not start on ${place.cluster} (${why}). Its output:\n${said}\nIts log is ${logFile.path}`,
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

/** PostgreSQL's fast shutdown (open transactions are rolled back), then an immediate one, then SIGKILL: 8 s in all. */
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
      // It exited before the signal.
    }
    const timer = new AbortController()
    await Promise.race([ended, pause(forMs, undefined, { signal: timer.signal }).catch(() => {})])
    timer.abort()
  }
}
