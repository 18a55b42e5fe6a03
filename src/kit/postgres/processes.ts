import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync, readlinkSync } from 'node:fs'

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Running, and not a zombie, which some containers never reap. */
export const isRunning = (pid: number): boolean => isAlive(pid) && linuxState(pid) !== 'Z'

const linuxState = (pid: number) => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.[0]
  } catch {
    return undefined
  }
}

/** Arguments are separated by NUL on Linux and by spaces elsewhere. Empty when the process has exited. */
export const commandLine = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return process.platform === 'linux' ? '' : listedCommand(pid)
  }
}

const listedCommand = (pid: number) => {
  try {
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return ''
  }
}

/** Undefined if the system does not tell: not on Linux, or for another user's process. */
export const workingFolder = (pid: number): string | undefined => {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}

/** Every process visible on Linux; none elsewhere. */
export const allProcesses = (): number[] => {
  try {
    return readdirSync('/proc')
      .filter(name => /^\d+$/.test(name))
      .map(Number)
  } catch {
    return []
  }
}

export const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return
    throw new Error(
      `PostgreSQL (process ${pid}) still runs on the data folder and belongs to another user. Stop it first.`,
      { cause: error },
    )
  }
}
