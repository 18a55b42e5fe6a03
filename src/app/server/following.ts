/** With BACKUP_TO, sends what the product writes to the backups while it runs. */
import { followDatabase, forgetSlots } from '../../backups/server/following.ts'
import { openVault } from '../../backups/server/vault.ts'
import { parseEncryptionKey } from '../../kit/server/encryption.ts'
import type { Database } from './database.ts'
import type { Env } from './env.ts'

/** Resolves with the function that stops it. Start it after the backend, and stop it after the backend. */
export const startFollowing = async (
  { BACKUP_TO, BACKUP_KEY, BACKUP_KEEP_DAYS: keepDays = 14 }: Env,
  { backupSource: source }: Database,
  onError: (error: unknown, where: string) => void,
): Promise<() => Promise<void>> => {
  const key = BACKUP_KEY === undefined ? null : parseEncryptionKey(BACKUP_KEY)
  if (BACKUP_TO === undefined || !key) {
    // If the database is not embedded, another server may be using the slots.
    if (source.embedded) await forgetSlots(source)
    return async () => undefined
  }
  const vault = await openVault(BACKUP_TO, key)
  return followDatabase({ vault, source, keepDays, onError: error => onError(error, 'backups') })
}
