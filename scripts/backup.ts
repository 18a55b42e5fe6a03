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
import { optionsOf } from './options.ts'

const usage = `Usage: npm run backup -- [--to PLACE] [--without-database]
       npm run backup -- --verify [--from PLACE]

PLACE is a folder, or s3://KEY:SECRET@host/bucket?region=…; without it, the one of BACKUP_TO. BACKUP_KEY encrypts: 32 bytes in
base64 (openssl rand -base64 32). Keep it away from the backups: without it they cannot be read. --without-database leaves the
database to something else, such as pgBackRest, and takes files and the ids of what was erased. What is older than
BACKUP_KEEP_DAYS is deleted only where that is set.

${whichDatabase}`

const vaultOf = (place: string | undefined, { BACKUP_KEY }: Env) => {
  const key = BACKUP_KEY === undefined ? null : parseEncryptionKey(BACKUP_KEY)
  if (place === undefined || !key) throw new Error(`A place and BACKUP_KEY are needed.\n\n${usage}`)
  return openVault(place, key)
}

const warn = ({ message }: Error) => say(message)

const sayWhatStays = ({ BACKUP_KEEP_DAYS }: Env) => {
  if (BACKUP_KEEP_DAYS === undefined) say('Nothing older was deleted: that takes BACKUP_KEEP_DAYS.')
}

const backUp = async (env: Env, to: string | undefined, withDatabase: boolean) => {
  const vault = await vaultOf(to ?? env.BACKUP_TO, env)
  const database = await runningDatabase(env, say)
  try {
    connect({ url: database.url, max: 2 })
    await openStorage({ url: env.STORAGE_URL, dataDir: env.DATA_DIR, minFreeMb: 0 })
    if (!withDatabase) {
      await takeBeside(vault, env.BACKUP_KEEP_DAYS, warn)
      say(`Files and erased ids are in ${vault.says}.`)
      return sayWhatStays(env)
    }
    const { startedAt, tookMs } = await takeBackup(vault, database.backupSource, env.BACKUP_KEEP_DAYS, warn)
    say(`Backup of ${startedAt} taken into ${vault.says}, in ${(tookMs / 1000).toFixed(1)} s.`)
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
  if (broken.length > 0) throw new Error('The restored data breaks checks.')
  if (unread.length > 0) throw new Error('Not every base backup can be read.')
  say('Every check of the data holds.')
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
  const env = readEnv(process.env)
  await (values.verify ? verify(env, values.from) : backUp(env, values.to, !values['without-database']))
}

await runCommand(main)
