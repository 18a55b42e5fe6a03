import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Exists in a data folder while a restore fills it; the database is moved up last. */
export const unfinishedRestore = 'restore.unfinished'

/** Otherwise a server would start an empty product there. */
export const refuseUnfinishedRestore = (dataDir: string): void => {
  if (existsSync(join(dataDir, unfinishedRestore)))
    throw new Error(
      `A restore into ${dataDir} is still running, or was interrupted. If it is no longer running, delete the folder and ` +
        'restore again.',
    )
}
