import { setTimeout as wait } from 'node:timers/promises'
import { type Postmaster, stopPostmaster } from './postmaster.ts'

/** A PostgreSQL that exits more often than this has a fault that another start does not fix. */
const restartsAtMost = 3
const withinMs = 60_000

const lookEveryMs = 1_000

/** Pauses between the attempts of one restart: a full disk or a taken port may soon be free again. */
const pausesMs = [500, 1_000, 2_000, 4_000, 8_000]

type Supervision = {
  /** Starts PostgreSQL; `samePort` is the port that it had before, so that the connection string stays valid. */
  start: (samePort?: number) => Promise<Postmaster>
  onRestart: (why: string) => void
  /** It could not be started again, and another try follows. */
  onFailedTry: (reason: unknown) => void
  /** It exited on its own and was not started again. */
  onGivenUp: (why: string, reason: unknown) => void
}

const interrupt = (pid: number) => {
  try {
    process.kill(pid, 'SIGINT')
  } catch {
    // It has exited.
  }
}

/** Starts PostgreSQL again if it exits on its own or is shut down by somebody else. */
export const supervise = async ({ start, onRestart, onFailedTry, onGivenUp }: Supervision) => {
  let running = await start()
  const { port } = running
  const stopping = new AbortController()
  let restarting: Promise<void> | undefined
  const endings: number[] = []

  const startAgain = async (): Promise<Postmaster> => {
    for (const pauseMs of pausesMs) {
      try {
        return await start(port)
      } catch (error) {
        if (stopping.signal.aborted) throw error
        onFailedTry(error)
        await wait(pauseMs, undefined, { signal: stopping.signal })
      }
    }
    return start(port)
  }
  const restart = async (why: string) => {
    const now = performance.now()
    endings.push(now)
    try {
      if (endings.filter(at => now - at < withinMs).length > restartsAtMost) throw new Error('it ended too often')
      onRestart(why)
      running = await startAgain()
      watch()
    } catch (error) {
      if (!stopping.signal.aborted) onGivenUp(why, error)
    }
  }
  const watch = () => {
    const { pid, isShuttingDown, ended } = running
    // After SIGTERM it would take no new connections, but wait forever for ours to close.
    const look = setInterval(() => {
      if (!stopping.signal.aborted && isShuttingDown()) interrupt(pid)
    }, lookEveryMs).unref()
    void ended.then(why => {
      clearInterval(look)
      if (!stopping.signal.aborted) restarting = restart(why)
    })
  }

  watch()
  return {
    port,
    stop: async () => {
      stopping.abort()
      await restarting
      await stopPostmaster(running)
    },
  }
}
