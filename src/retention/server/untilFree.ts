import { setTimeout as pause } from 'node:timers/promises'

/** Waited too long for a lock; a deadlock with what is going on. */
const inTheWay = ['55P03', '40P01']
const patience = { tries: 20, pauseMs: 3_000 }

/** Changes a table again and again while others hold it, as migrations do: nobody waits behind us for long. */
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
