/** With BACKUP_TO, what the product writes leaves for the backups while it runs. */
import { followDatabase, forgetSlots } from '../../backups/server/following.ts'
import { openVault } from '../../backups/server/vault.ts'
import { parseEncryptionKey } from '../../kit/server/encryption.ts'
import type { Database } from './database.ts'
import type { Env } from './env.ts'

/** Resolves with what ends it. Call it once the backend has started, and end it after the backend. */
export const startFollowing = async (
  { BACKUP_TO, BACKUP_KEY, BACKUP_KEEP_DAYS: keepDays = 14 }: Env,
  { backupSource: source }: Database,
  onError: (error: unknown, where: string) => void,
): Promise<() => Promise<void>> => {
  const key = BACKUP_KEY === undefined ? null : parseEncryptionKey(BACKUP_KEY)
  if (BACKUP_TO === undefined || !key) {
    // Of a given database, another server may have it.
    if (source.embedded) await forgetSlots(source)
    return async () => undefined
  }
  const vault = await openVault(BACKUP_TO, key)
  return followDatabase({ vault, source, keepDays, onError: error => onError(error, 'backups') })
}
