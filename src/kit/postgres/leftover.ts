import { readFileSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { SCRATCH } from './identity.ts'
import { allProcesses, commandLine, isAlive, isRunning, signal, workingFolder } from './processes.ts'

/** How long each way of stopping is given; the shutdown checkpoint of a busy database takes seconds. */
const STEPS = [
  { name: 'SIGINT', forMs: 10_000 },
  { name: 'SIGQUIT', forMs: 5_000 },
  { name: 'SIGKILL', forMs: 5_000 },
] as const

/** A postmaster's command begins with its path, those of its children with "postgres: " and what they do. */
const POSTGRES = /^[^\0]*\bpostgres[\s\0:]/

/**
 * Ends what a killed server left running on this cluster, and clears away a pid file whose number now belongs to
 * another program, which PostgreSQL would take for a running one. Only to be called under the folder's lock.
 */
export const stopLeftover = async (cluster: string, log: (line: string) => void): Promise<void> => {
  const pid = readPidFile(cluster)?.pid
  if (pid !== undefined && isAlive(pid)) {
    if (isPostgresOn(pid, cluster)) await stopProcess(pid, log)
    else rmSync(join(cluster, 'postmaster.pid'), { force: true })
  }
  await lastBackendsGone(cluster)
}

/** What a first start that was killed in the middle left: a half-made cluster, and perhaps an initdb still at work on it. */
export const clearScratch = async (dataDir: string): Promise<void> => {
  const prefix = join(dataDir, SCRATCH)
  const left = readdirSync(dataDir).filter(name => name.startsWith(SCRATCH))
  if (left.length === 0) return
  const isAtWork = (pid: number) => {
    const command = commandLine(pid)
    return workingFolder(pid)?.startsWith(prefix) || (command.includes(prefix) && command.includes('initdb'))
  }
  await killAndWait(() => allProcesses().filter(isAtWork), 0)
  for (const name of left) rmSync(join(dataDir, name), { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
}

type PidFile = { pid: number; status: string }

/** Lines of postmaster.pid: number, folder, start time, port, socket folder, address, shared memory, status. */
export const readPidFile = (cluster: string): PidFile | undefined => {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
    const pid = Number(lines[0])
    return Number.isSafeInteger(pid) && pid > 0 ? { pid, status: (lines[7] ?? '').trim() } : undefined
  } catch {
    return undefined
  }
}

const isPostgresOn = (pid: number, cluster: string) => {
  const command = commandLine(pid)
  return POSTGRES.test(command) && (workingFolder(pid) === realpathSync(cluster) || command.includes(cluster))
}

const stopProcess = async (pid: number, log: (line: string) => void) => {
  log(`A PostgreSQL that an earlier server left behind (process ${pid}) is being stopped.`)
  for (const { name, forMs } of STEPS) {
    for (const until = performance.now() + forMs; isRunning(pid) && performance.now() < until; await pause(50))
      signal(pid, name)
  }
  if (isRunning(pid))
    throw new Error(`The PostgreSQL that an earlier server left behind (process ${pid}) cannot be stopped.`)
}

/**
 * After its postmaster was killed, a backend lives until it notices, and a new postmaster refuses to start beside it.
 * All of them stand in the cluster's folder, by which Linux lets us find them; elsewhere PostgreSQL itself refuses.
 */
const lastBackendsGone = (cluster: string) => {
  const folder = realpathSync(cluster)
  return killAndWait(
    () => allProcesses().filter(pid => workingFolder(pid) === folder && POSTGRES.test(commandLine(pid))),
    5_000,
  )
}

/** Waits for these processes to end; after a time of grace it ends them. */
const killAndWait = async (remaining: () => number[], graceMs: number) => {
  const patience = performance.now() + graceMs
  for (let left = remaining(); left.length > 0 && performance.now() < patience + 5_000; left = remaining()) {
    if (performance.now() >= patience) for (const pid of left) signal(pid, 'SIGKILL')
    await pause(25)
  }
}
