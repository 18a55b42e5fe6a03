/** Starts, waits for and stops the programs of a rehearsal. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

type Options = {
  cwd?: string
  env?: NodeJS.ProcessEnv
  /** The file for its output. */
  log: string
  uid?: number | undefined
  gid?: number | undefined
}

let leaving = false
/** From now on nothing can be started, so that no program is left over. */
export const startNoMore = (): void => {
  leaving = true
}

/** Has a process group of its own, so that Ctrl-C reaches only us, and we can stop programs in our own order. */
export const started = (
  program: string,
  args: readonly string[],
  { log, uid, gid, ...more }: Options,
): ChildProcess => {
  if (leaving) throw new Error('Stopped')
  const child = spawn(program, args, {
    ...more,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid !== undefined && { uid }),
    ...(gid !== undefined && { gid }),
  })
  const kept = createWriteStream(log, { flags: 'a' })
  child.stdout?.pipe(kept, { end: false })
  child.stderr?.pipe(kept, { end: false })
  child.once('error', error => kept.write(`${String(error)}\n`))
  return child
}

const isOver = ({ exitCode, signalCode, pid }: ChildProcess) =>
  pid === undefined || exitCode !== null || signalCode !== null

/** Waits until it has exited, and kills it if that takes too long. */
export const stopped = async (
  child: ChildProcess,
  { signal = 'SIGTERM', withinMs = 20_000 }: { signal?: NodeJS.Signals; withinMs?: number } = {},
): Promise<void> => {
  if (isOver(child)) return
  const ended = once(child, 'exit')
  child.kill(signal)
  const timer = setTimeout(() => child.kill('SIGKILL'), withinMs)
  await ended
  clearTimeout(timer)
}

/** Asks repeatedly; an error counts as no. */
export const until = async (what: string, isSo: () => Promise<boolean>, withinMs = 60_000): Promise<void> => {
  const end = performance.now() + withinMs
  while (!(await isSo().catch(() => false))) {
    if (performance.now() > end) throw new Error(`Not within ${withinMs / 1000} s: ${what}`)
    await pause(100)
  }
}
