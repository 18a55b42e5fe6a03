/** What `npm run reconcile` and `npm run resume` need to look at a restored copy: its keys and the provider's file. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Env } from '../src/app/server/env.ts'
import { autocommit } from '../src/kit/server/db.ts'
import { parseEncryptionKey, useEncryptionKeys } from '../src/kit/server/encryption.ts'
import { openPause } from '../src/kit/server/pauses.ts'
import { type Movements, openMovements } from '../src/ledger/server/movements.ts'
import { fileHistory, type History } from '../src/ledger/server/history.ts'
import { assertStartsWith, sandboxPaths } from '../src/ledger/server/sandboxFile.ts'
import { connectStripe, stripeOrThrow } from '../src/ledger/server/stripe/client.ts'
import { stripeHistory } from '../src/ledger/server/stripe/history.ts'
import { stripeSettings } from '../src/app/server/stripeSettings.ts'

export type Places = { providerFile: string | undefined; keys: string | undefined }

/** Never creates a key, because a new one would decrypt nothing. */
export const findKeys = async (env: Env, folder: string | undefined): Promise<void> => {
  const { ENCRYPTION_KEY, ENCRYPTION_KEY_PREVIOUS } = process.env
  const file = join(folder ?? env.DATA_DIR, 'encryption-key')
  const key = (folder ? undefined : ENCRYPTION_KEY) || (await readFile(file, 'utf8').catch(() => '')).trim()
  if (parseEncryptionKey(key) === null)
    throw new Error(
      `There is no encryption key in ${file}. Set ENCRYPTION_KEY, or set --keys to the folder that has the key.`,
    )
  // oxlint-disable-next-line react-hooks/rules-of-hooks -- no hook
  useEncryptionKeys([key, ...(ENCRYPTION_KEY_PREVIOUS ? [ENCRYPTION_KEY_PREVIOUS] : [])])
}

/** Only reads them. */
export const findMovements = async (env: Env, given: string | undefined): Promise<Movements> => {
  const pause = await openPause(autocommit)
  const noted = pause?.providerFile
  const tried = given
    ? [given]
    : [...(noted ? [noted] : []), ...(await sandboxPaths({ path: env.SANDBOX_FILE, dataDir: env.DATA_DIR }))]
  for (const path of tried) {
    const movements = await openMovements(path, { write: false })
    if (!movements) continue
    if (pause?.reason === 'RESTORED') await assertStartsWith(env.SANDBOX_FILE, movements)
    return movements
  }
  const where = tried.length > 0 ? ` Looked in ${tried.join(', ')}.` : ''
  throw new Error(`The provider’s file was not found: set SANDBOX_FILE or --provider-file.${where}`)
}

/** Runs `work` with Stripe’s history if Stripe is set up, otherwise with that of the sandbox’s file. */
export const withHistory = async (
  env: Env,
  providerFile: string | undefined,
  work: (history: History) => Promise<void>,
): Promise<void> => {
  const settings = stripeSettings(env, 'http://localhost')
  if (settings) {
    await connectStripe(settings)
    return work(stripeHistory(stripeOrThrow()))
  }
  const movements = await findMovements(env, providerFile)
  try {
    await work(fileHistory(movements))
  } finally {
    await movements.close()
  }
}
