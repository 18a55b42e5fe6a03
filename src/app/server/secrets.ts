/**
 * The secrets of a server, and whether its encryption key belongs to this database: with another key, nothing stored can be
 * decrypted, and what is encrypted meanwhile is lost once the right key is back. So such a server does not start.
 */
import { join } from 'node:path'
import { auditServerCommand } from '../../audit/server/audit.ts'
import { autocommit, sql, transact, type Tx } from '../../kit/server/db.ts'
import { keyIds, useEncryptionKeys } from '../../kit/server/encryption.ts'
import { hasKeySample, keepKeySample, keysOpenSample, replaceKeySample } from '../../kit/server/keySample.ts'
import { useLinkSecret } from '../../kit/server/linkTokens.ts'
import { useCursorSecret } from '../../kit/server/numberedCursors.ts'
import { isServerRunning } from '../../kit/server/releases.ts'
import { encryptionKey, howToReplaceKey, jwtSecret, keptSecret } from '../../kit/server/secret.ts'
import { useJwtSecret } from '../../kit/server/session.ts'
import { settingsId } from '../../settings/server/settings.ts'
import type { Env } from './env.ts'

/** The key ids of everything that is encrypted; needed only without a sample, as before the first start that makes one. */
const sealedKeys = sql`(select substring(secret from 2 for 4) as id from totp_secrets
  union all select substring(sealed from 2 for 4) from play_addresses where sealed is not null
  union all select substring(address_sealed from 2 for 4) from bench_entries where address_sealed is not null) sealed_keys`

const isAnythingSealed = (tx: Tx): Promise<boolean> => tx.value(sql`select exists (select from ${sealedKeys})`)

/** Null if there is nothing to tell by. */
const opens = async (tx: Tx): Promise<boolean | null> => {
  const sample = await keysOpenSample(tx)
  if (sample !== null) return sample
  if (!(await isAnythingSealed(tx))) return null
  return tx.value(sql`select exists (select from ${sealedKeys} where id = any(${keyIds()}))`)
}

/** Counts what none of the current keys opens. */
const unreadable = (tx: Tx): Promise<{ apps: number; addresses: number }> =>
  tx.one(
    sql`select (select count(*) from totp_secrets where not substring(secret from 2 for 4) = any(${keyIds()})) as apps,
      (select count(*) from play_addresses where not substring(sealed from 2 for 4) = any(${keyIds()}))
      + (select count(*) from bench_entries where not substring(address_sealed from 2 for 4) = any(${keyIds()})) as addresses`,
    'Keys',
  )

type Keys = Pick<Env, 'ENCRYPTION_KEY' | 'ENCRYPTION_KEY_PREVIOUS' | 'DATA_DIR'>

/** False if it does not open what the database keeps. */
const useEncryptionKey = async (
  { ENCRYPTION_KEY, ENCRYPTION_KEY_PREVIOUS, DATA_DIR }: Keys,
  keeping: Parameters<typeof keptSecret>[2],
): Promise<boolean> => {
  useEncryptionKeys([
    ENCRYPTION_KEY ?? (await keptSecret(DATA_DIR, encryptionKey, keeping)),
    ...(ENCRYPTION_KEY_PREVIOUS ? [ENCRYPTION_KEY_PREVIOUS] : []),
  ])
  return (await opens(autocommit)) !== false
}

const refuseKey = ({ ENCRYPTION_KEY, DATA_DIR }: Keys): never => {
  const what = ENCRYPTION_KEY ? 'ENCRYPTION_KEY' : `The key in ${join(DATA_DIR, encryptionKey.name)}`
  const how = ENCRYPTION_KEY
    ? 'Set the key that the data was encrypted with; if the key has been changed since, set the old one as ENCRYPTION_KEY_PREVIOUS.'
    : 'Put the right file back, or set ENCRYPTION_KEY.'
  throw new Error(`${what} cannot decrypt the data in this database. ${how} ${howToReplaceKey}`)
}

/** Nothing has been encrypted yet. */
const isNewHere = async () => !(await hasKeySample(autocommit)) && !(await isAnythingSealed(autocommit))

export const useSecrets = async (env: Env, say: (line: string) => void): Promise<void> => {
  const isNew = await isNewHere()
  if (!(await useEncryptionKey(env, { isNew, say }))) refuseKey(env)
  await keepKeySample(autocommit)
  // Another server that started at the same time may have made the sample, with another key.
  if ((await keysOpenSample(autocommit)) === false) refuseKey(env)
  // Only now, so that a refused start makes no new one, which would sign everybody out.
  const secret = env.JWT_SECRET ?? (await keptSecret(env.DATA_DIR, jwtSecret, { isNew, say }))
  useJwtSecret(secret, env.JWT_SECRET_PREVIOUS)
  useLinkSecret(secret)
  useCursorSecret(secret, env.JWT_SECRET_PREVIOUS)
}

/**
 * Called once other processes see this server as running (releases.ts), since the key may have been replaced while it started.
 * Waits for a replacement that is under way.
 */
export const assertKeyIsStillTheOne = async (env: Keys): Promise<void> => {
  if ((await keysOpenSample(autocommit, { wait: true })) === false) refuseKey(env)
}

export type Replaced = { key: string; before: string | null; apps: number; addresses: number }

/**
 * Replaces a key that is lost for good with the current one; with `make`, makes one if there is none. Null if the current key
 * opens everything. Refused while a server runs, since it would continue with the previous key; one that starts meanwhile checks
 * again.
 */
export const replaceEncryptionKey = async (
  keys: Keys,
  { make, say }: { make: boolean; say: (line: string) => void },
): Promise<Replaced | null> => {
  await assertNoServer(autocommit)
  if (await useEncryptionKey(keys, { isNew: await isNewHere(), make, say })) return null
  return transact(async tx => {
    const before = await replaceKeySample(tx)
    await assertNoServer(tx)
    await auditServerCommand(tx, {
      action: 'settings.replace-key',
      subjectType: 'settings',
      subjectId: settingsId,
    })
    return { key: keyIds()[0]!.toString('hex'), before: before?.toString('hex') ?? null, ...(await unreadable(tx)) }
  })
}

const assertNoServer = async (tx: Tx) => {
  if (await isServerRunning(tx)) throw new Error('A server is still running on this database. Stop all servers first.')
}
