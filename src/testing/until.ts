import { setTimeout as pause } from 'node:timers/promises'

/** Without a pause, asking would take processor time from what is waited for. */
const askEveryMs = 4

/** Asks until the answer is yes; otherwise the test's time limit ends it. */
export const until = async (isSo: () => Promise<boolean> | boolean): Promise<void> => {
  while (!(await isSo())) await pause(askEveryMs)
}
