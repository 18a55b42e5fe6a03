/** `npm run restore -- --from PLACE --to FOLDER`: restores the product as it was at a given moment, into a new data folder. */
import { accessSync } from 'node:fs'
import { z } from 'zod'
import { readEnv } from '../src/app/server/env.ts'
import { allJobs, dueDeletions } from '../src/app/server/routes.ts'
import { restore } from '../src/backups/server/restoring.ts'
import { openVault } from '../src/backups/server/vault.ts'
import { parseEncryptionKey } from '../src/kit/server/encryption.ts'
import { runCommand, say } from './command.ts'
import { optionsOf, refuse } from './options.ts'

const usage = `Usage: npm run restore -- --from PLACE --to FOLDER [--at TIME] [--database URL] [--keys FOLDER] [--provider-file FILE]
       npm run restore -- --settle --database URL --from PLACE --to FOLDER [--keys FOLDER] [--provider-file FILE]

PLACE is a folder, or s3://KEY:SECRET@host/bucket?region=…, and BACKUP_KEY is the key that the backups were made with. FOLDER
becomes a data folder: it must be empty or not exist yet.

--at             the moment to restore, to the second, such as 2026-11-22T14:03:05Z; by default, the latest one in the backups
--database       postgres://…: restores the database into this one, which must be empty, instead of into FOLDER. Sign in as the
                 role that will own the tables, without a pooler. The databases in the environment are the original’s and not used
--settle         for a database that was restored by other means (pgBackRest): pauses its jobs, erases again, and restores files
--keys           the old data folder, or a copy of its jwt-secret and encryption-key: required unless ENCRYPTION_KEY is set
--provider-file  the sandbox’s movements: the file in SANDBOX_FILE, which is used where it is and never written by a restore`

/** Requires a time zone, so that nobody has to guess which one is meant. */
const momentOf = (text: string | undefined): string | null => {
  if (text === undefined) return null
  if (!z.iso.datetime({ offset: true }).safeParse(text).success)
    refuse('--at must be a time such as 2026-11-22T14:03:05Z.')
  return new Date(text).toISOString()
}

const main = async () => {
  const { values } = optionsOf({
    options: {
      from: { type: 'string' },
      to: { type: 'string' },
      at: { type: 'string' },
      database: { type: 'string' },
      keys: { type: 'string' },
      settle: { type: 'boolean', default: false },
      'provider-file': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return say(usage)
  const { from, to, keys, 'provider-file': providerFile } = values
  const { BACKUP_KEY, STORAGE_URL } = process.env
  const env = readEnv({ BACKUP_KEY, STORAGE_URL })
  const key = env.BACKUP_KEY === undefined ? null : parseEncryptionKey(env.BACKUP_KEY)
  if (from === undefined || to === undefined || !key)
    throw new Error(`--from, --to and BACKUP_KEY are required.\n\n${usage}`)
  const at = momentOf(values.at)
  for (const path of [keys, providerFile]) if (path !== undefined) accessSync(path)
  await restore({
    vault: await openVault(from, key),
    to,
    at,
    databaseUrl: values.database,
    settleOnly: values.settle,
    storageUrl: env.STORAGE_URL,
    keys,
    providerFile,
    jobs: allJobs,
    dueDeletions,
    say,
  })
}

await runCommand(main)
