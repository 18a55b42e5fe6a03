import { type Postmaster, stopPostmaster } from './postmaster.ts'

/** A PostgreSQL that ends more often than this has a fault that another start does not mend. */
const restartsAtMost = 3
const withinMs = 60_000

type Supervision = {
  /** Starts PostgreSQL, after the first time on the port that it had, so that the connection string stays valid. */
  start: (samePort?: number) => Promise<Postmaster>
  onRestart: (why: string) => void
  /** It ended by itself and was not started again. */
  onGivenUp: (why: string, reason: unknown) => void
}

/** A PostgreSQL that is started again when it ends by itself. */
export const supervise = async ({ start, onRestart, onGivenUp }: Supervision) => {
  let running = await start()
  const { port } = running
  let stopping = false
  let restarting: Promise<void> | undefined
  const endings: number[] = []

  const restart = async (why: string) => {
    const now = performance.now()
    endings.push(now)
    try {
      if (endings.filter(at => now - at < withinMs).length > restartsAtMost) throw new Error('it ended too often')
      onRestart(why)
      running = await start(port)
      watch()
    } catch (error) {
      if (!stopping) onGivenUp(why, error)
    }
  }
  const watch = () => {
    void running.ended.then(why => {
      if (!stopping) restarting = restart(why)
    })
  }

  watch()
  return {
    port,
    stop: async () => {
      stopping = true
      await restarting
      await stopPostmaster(running)
    },
  }
}
