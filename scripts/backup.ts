/**
 * `npm run backup -- --to PLACE`: takes a backup now, even while servers run. `npm run backup -- --verify`: restores the newest
 * one into a temporary cluster, runs the data checks there, and says how old the backup is.
 */
import { type Env, readEnv } from '../src/app/server/env.ts'
import { runningDatabase } from '../src/app/server/runningDatabase.ts'
import { useStorage as openStorage } from '../src/attachments/server/attachments.ts'
import { takeBackup, takeBeside } from '../src/backups/server/backups.ts'
import type { Moment } from '../src/backups/server/recovering.ts'
import { rehearse } from '../src/backups/server/restoring.ts'
import { OtherKey } from '../src/backups/server/sealing.ts'
import { openVault } from '../src/backups/server/vault.ts'
import { clock } from '../src/kit/clock.ts'
import { connect, disconnect } from '../src/kit/server/db.ts'
import { parseEncryptionKey } from '../src/kit/server/encryption.ts'
import { brokenIn } from '../src/operations/server/checkFiles.ts'
import { runCommand, say, whichDatabase } from './command.ts'
import { optionsOf, refuse } from './options.ts'

const usage = `Usage: npm run backup -- [--to PLACE] [--without-database]
       npm run backup -- --verify [--from PLACE]

PLACE is a folder, or s3://KEY:SECRET@host/bucket?region=…; the default is BACKUP_TO. Backups are encrypted with BACKUP_KEY: 32
bytes in base64 (openssl rand -base64 32). Keep a copy of the key in another place: without it, the backups cannot be read.
--without-database backs up only files and the IDs of erased data, and leaves the database to another tool, such as pgBackRest.
Older backups are deleted only if BACKUP_KEEP_DAYS is set.

${whichDatabase}`

const vaultOf = (place: string | undefined, { BACKUP_KEY }: Env) => {
  const key = BACKUP_KEY === undefined ? null : parseEncryptionKey(BACKUP_KEY)
  if (place === undefined || !key) throw new Error(`A place and BACKUP_KEY are required.\n\n${usage}`)
  return openVault(place, key)
}

const warn = ({ message }: Error) => say(message)

const sayWhatStays = ({ BACKUP_KEEP_DAYS }: Env) => {
  if (BACKUP_KEEP_DAYS === undefined) say('No older backups were deleted, because BACKUP_KEEP_DAYS is not set.')
}

const backUp = async (env: Env, to: string | undefined, withDatabase: boolean) => {
  const vault = await vaultOf(to ?? env.BACKUP_TO, env)
  const database = await runningDatabase(env, say)
  try {
    connect({ url: database.url, max: 2 })
    await openStorage({ url: env.STORAGE_URL, dataDir: env.DATA_DIR, minFreeMb: 0 })
    if (!withDatabase) {
      await takeBeside(vault, env.BACKUP_KEEP_DAYS, warn)
      say(`Files and the IDs of erased data were backed up to ${vault.says}.`)
      return sayWhatStays(env)
    }
    const { startedAt, tookMs } = await takeBackup(vault, database.backupSource, env.BACKUP_KEEP_DAYS, warn)
    say(`Backup of ${startedAt} written to ${vault.says} in ${(tookMs / 1000).toFixed(1)} s.`)
    sayWhatStays(env)
  } finally {
    await disconnect()
    await database.stop()
  }
}

const hours = (ms: number) => `${(ms / 3_600_000).toFixed(1)} hours`

const verify = async (env: Env, from: string | undefined) => {
  const vault = await vaultOf(from ?? env.BACKUP_TO, env)
  const look = async (url: string, moment: Moment) => ({ moment, broken: await brokenIn(url) })
  const unread: Error[] = []
  const { moment, broken } = await rehearse(vault, look, error => {
    // Backups encrypted with another key are not ours; if there were no others, there would have been nothing to restore.
    if (!(error instanceof OtherKey)) unread.push(error)
    warn(error)
  })
  say(
    `Backup of ${moment.base.startedAt} in ${vault.says}, ${hours(clock.nowMs() - Date.parse(moment.base.startedAt))} old.`,
  )
  say(`Restored to ${moment.until}, ${hours(clock.nowMs() - Date.parse(moment.until))} ago.`)
  for (const line of broken) say(`broken: ${line}`)
  if (broken.length > 0) throw new Error('The restored data violates data checks.')
  if (unread.length > 0) throw new Error('Some base backups cannot be read.')
  say('All data checks hold.')
}

const main = async () => {
  const { values } = optionsOf({
    options: {
      to: { type: 'string' },
      from: { type: 'string' },
      verify: { type: 'boolean' },
      'without-database': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return say(usage)
  if (values.verify && (values.to !== undefined || values['without-database']))
    refuse('--verify reads backups: name their place with --from.')
  if (!values.verify && values.from !== undefined)
    refuse('--from belongs to --verify: name the place to back up to with --to.')
  const env = readEnv(process.env)
  await (values.verify ? verify(env, values.from) : backUp(env, values.to, !values['without-database']))
}

await runCommand(main)
