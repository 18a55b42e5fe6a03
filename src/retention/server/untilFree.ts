import { setTimeout as pause } from 'node:timers/promises'

/** A timeout while waiting for a lock, or a deadlock with running transactions. */
const inTheWay = ['55P03', '40P01']
const patience = { tries: 20, pauseMs: 3_000 }

/** Retries a change of a table that others hold, as migrations do, so that nobody waits behind us for long. */
export const untilFree = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      if (!inTheWay.includes(code) || attempt === patience.tries) throw error
      await pause(patience.pauseMs)
    }
  }
}
