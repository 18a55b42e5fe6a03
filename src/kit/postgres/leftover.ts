import { readFileSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { scratchPrefix } from './identity.ts'
import { allProcesses, commandLine, isAlive, isRunning, signal, workingFolder } from './processes.ts'

/** How long each stop signal is given; the shutdown checkpoint of a busy database takes seconds. */
const stopSteps = [
  { name: 'SIGINT', forMs: 10_000 },
  { name: 'SIGQUIT', forMs: 5_000 },
  { name: 'SIGKILL', forMs: 5_000 },
] as const

/** A postmaster's command line begins with its path; its children's begin with "postgres: ". */
const postgresCommand = /^[^\0]*\bpostgres[\s\0:]/

/**
 * Stops what a killed server left running on this cluster, and removes a pid file whose pid now belongs to another
 * program, which PostgreSQL would mistake for a running server. Call it only while holding the folder's lock.
 */
export const stopLeftover = async (cluster: string, log: (line: string) => void): Promise<void> => {
  const pid = readPidFile(cluster)?.pid
  if (pid !== undefined && isAlive(pid)) {
    if (isPostgresOn(pid, cluster)) await stopProcess(pid, log)
    else rmSync(join(cluster, 'postmaster.pid'), { force: true })
  }
  await lastBackendsGone(cluster)
}

/** Clears what a killed first start left: an incomplete cluster, and perhaps an initdb that is still working on it. */
export const clearScratch = async (dataDir: string): Promise<void> => {
  const prefix = join(dataDir, scratchPrefix)
  const left = readdirSync(dataDir).filter(name => name.startsWith(scratchPrefix))
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
  return postgresCommand.test(command) && (workingFolder(pid) === realpathSync(cluster) || command.includes(cluster))
}

const stopProcess = async (pid: number, log: (line: string) => void) => {
  log(`Stopping a PostgreSQL that an earlier server left behind (process ${pid}).`)
  for (const { name, forMs } of stopSteps) {
    for (const until = performance.now() + forMs; isRunning(pid) && performance.now() < until; await pause(50))
      signal(pid, name)
  }
  if (isRunning(pid))
    throw new Error(`The PostgreSQL that an earlier server left behind (process ${pid}) cannot be stopped.`)
}

/**
 * A backend outlives its killed postmaster until it notices, and meanwhile a new postmaster refuses to start. On Linux
 * they are found by their working directory, the cluster's folder; elsewhere PostgreSQL itself refuses.
 */
const lastBackendsGone = (cluster: string) => {
  const folder = realpathSync(cluster)
  return killAndWait(
    () => allProcesses().filter(pid => workingFolder(pid) === folder && postgresCommand.test(commandLine(pid))),
    5_000,
  )
}

/** Waits for these processes to exit; kills them after a grace period. */
const killAndWait = async (remaining: () => number[], graceMs: number) => {
  const patience = performance.now() + graceMs
  for (let left = remaining(); left.length > 0 && performance.now() < patience + 5_000; left = remaining()) {
    if (performance.now() >= patience) for (const pid of left) signal(pid, 'SIGKILL')
    await pause(25)
  }
}
