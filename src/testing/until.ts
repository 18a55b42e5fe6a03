import { setTimeout as pause } from 'node:timers/promises'

/** Without a pause, the questions would take the processor from what is waited for. */
const askEveryMs = 4

/** Asks until it is so; otherwise the test's time limit ends it. */
export const until = async (isSo: () => Promise<boolean> | boolean): Promise<void> => {
  while (!(await isSo())) await pause(askEveryMs)
}
