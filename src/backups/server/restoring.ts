/**
 * `npm run restore`. All of it happens beside the present data. An interrupted restore leaves nothing that a server would start on;
 * a completed one has paused its jobs and repeated later erasures.
 */
import { copyFile, lstat, mkdir, mkdtemp, readdir, realpath, rename, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { filesSince, putFile, sweepAttachments, useStorage } from '../../attachments/server/attachments.ts'
import { forgetAllEvents } from '../../events/server/events.ts'
import { unfinishedRestore } from '../../kit/postgres/unfinishedRestore.ts'
import { connect, disconnect, transact } from '../../kit/server/db.ts'
import { type AnyJob, startJobs, stopJobs } from '../../kit/server/jobs.ts'
import { migrate } from '../../kit/server/migrate.ts'
import { type Started, startCluster } from './clusters.ts'
import { fileName } from './files.ts'
import { assertEmpty, clientPrograms, pourInto, saidOf } from './given.ts'
import { type Moment, momentOf, recover, unpackMoment } from './recovering.ts'
import { type Settled, settle } from './settling.ts'
import type { Vault } from './vault.ts'

type RestoreOptions = {
  vault: Vault
  /** The data folder to restore into, which must be new or empty. */
  to: string
  at: string | null
  /** An empty database to restore into, instead of a cluster in `to`. */
  databaseUrl: string | undefined
  /** The database has already been restored by other means, so only the follow-up is done. */
  settleOnly: boolean
  storageUrl: string | undefined
  /** A folder with the files that `DATA_DIR` keeps beside the database. */
  keys: string | undefined
  /** The sandbox's file: used where it is, and never written to here. */
  providerFile: string | undefined
  jobs: readonly AnyJob[]
  /** The jobs among them that delete what has come due. */
  dueDeletions: readonly AnyJob[]
  say: (line: string) => void
}

/** Where a copy looks for the sandbox's file. */
const providerLink = 'sandbox.jsonl'
const keyFiles = ['jwt-secret', 'encryption-key']

const openEmpty = async (to: string): Promise<string> => {
  const folder = resolve(to)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const names = await readdir(folder)
  if (names.includes(unfinishedRestore))
    throw new Error(`A restore into ${folder} was interrupted. Delete the folder, then restore again.`)
  if (names.length > 0) throw new Error(`${folder} is not empty. Restore into a new folder.`)
  return folder
}

/** Migrates and settles the database, and leaves the product connected to it. */
const settledOn = async (
  { vault, storageUrl, say, jobs, dueDeletions }: RestoreOptions,
  url: string,
  work: string,
  note: string,
) => {
  await migrate(url, { say })
  connect({ url })
  await useStorage({ dataDir: work, minFreeMb: 0 })
  await startJobs(jobs, { work: false, onError: error => say(String(error)) })
  // The files of a bucket still exist. Their rows stay until the job that deletes both runs on the restored product.
  const due = dueDeletions.filter(job => storageUrl === undefined || job !== sweepAttachments)
  return settle(vault, note, due)
}

/** Recovers into `work`/postgres. Resolves with the running database and with what was erased in it again. */
const recovered = async (options: RestoreOptions, moment: Moment, work: string): Promise<[Started, Settled]> => {
  const { vault, say } = options
  const { base, at, until } = moment
  say(`Restoring the backup of ${base.startedAt} to ${at ?? until}.`)
  const hole = await unpackMoment(vault, moment, join(work, 'postgres'))
  const database = await recover(moment, hole, settings => startCluster(work, base, settings))
  const note = `Restored to ${at ?? until} from ${vault.says}, backup of ${base.startedAt}.`
  try {
    return [database, await settledOn(options, database.url, work, note)]
  } catch (error) {
    await stopJobs()
    await disconnect()
    await database.stop()
    throw error
  }
}

/** Restores the files that the restored rows refer to, and reports those that the backups lack. */
const restoreFiles = async ({ vault, storageUrl, say }: RestoreOptions, work: string) => {
  if (storageUrl) await useStorage({ url: storageUrl, dataDir: work, minFreeMb: 0 })
  const listed = new Set((await vault.list('files')).map(({ name }) => name))
  const missing: string[] = []
  let count = 0
  for await (const name of filesSince('-infinity')) {
    if (listed.has(fileName(name))) await putFile(name, await vault.readWhole(fileName(name)))
    else missing.push(name)
    count += 1
  }
  say(`${count - missing.length} of ${count} files restored.`)
  if (missing.length > 0) say(`Missing from the backups: ${missing.slice(0, 20).join(', ')}`)
}

const restoreKeys = async (from: string, work: string) => {
  for (const name of keyFiles)
    await copyFile(join(from, name), join(work, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
}

/** Moves the cluster last, because a server would start once it is there. */
const moveUp = async (work: string, folder: string) => {
  const names = (await readdir(work)).filter(name => name !== 'postgres' && !/^(server\.|postgres\.)/.test(name))
  for (const name of names) await rename(join(work, name), join(folder, name))
  const cluster = join(work, 'postgres')
  if (await lstat(cluster).catch(() => null)) await rename(cluster, join(folder, 'postgres'))
  await rm(work, { recursive: true })
}

/** Restores the database of that moment, its files and its keys into `work`; a given database is restored into that database. */
const restoreInto = async (options: RestoreOptions, moment: Moment, work: string): Promise<Settled> => {
  const { databaseUrl } = options
  const [database, settled] = await recovered(options, moment, work)
  try {
    await restoreBeside(options, work)
    if (databaseUrl) await transact(forgetAllEvents)
    await stopJobs()
    await disconnect()
    if (databaseUrl) await pourInto(databaseUrl, database.url, moment.base)
  } finally {
    await stopJobs()
    await disconnect()
    await database.stop()
  }
  if (databaseUrl) await rm(join(work, 'postgres'), { recursive: true })
  return settled
}

/** Restores what is kept beside the database. */
const restoreBeside = async (options: RestoreOptions, work: string) => {
  await restoreFiles(options, work)
  if (options.providerFile) await symlink(await realpath(options.providerFile), join(work, providerLink))
  if (options.keys) await restoreKeys(options.keys, work)
}

/** For a database that was restored by other means, for example pgBackRest: does everything that makes it a restored copy. */
const settleThere = async (options: RestoreOptions, url: string, work: string): Promise<Settled> => {
  try {
    const settled = await settledOn(
      options,
      url,
      work,
      `Settled a database that was restored by other means, from ${options.vault.says}.`,
    )
    await restoreBeside(options, work)
    return settled
  } finally {
    await stopJobs()
    await disconnect()
  }
}

const fromBackup = async (options: RestoreOptions) => {
  const { vault, at, databaseUrl, say } = options
  const moment = await momentOf(vault, at, ({ message }) => say(message))
  if (databaseUrl) {
    clientPrograms(moment.base.major)
    await assertEmpty(databaseUrl)
  } else if (!moment.base.embedded)
    throw new Error('This is a backup of a database set with DATABASE_URL: name an empty one with --database.')
  return (work: string) => restoreInto(options, moment, work)
}

export const restore = async (options: RestoreOptions): Promise<void> => {
  const { to, databaseUrl, settleOnly, say } = options
  if (settleOnly && !databaseUrl) throw new Error('--settle needs the restored database: name it with --database.')
  if (databaseUrl) say(`${saidOf(databaseUrl)} becomes the restored copy.`)
  const work = settleOnly && databaseUrl ? settleThere.bind(null, options, databaseUrl) : await fromBackup(options)
  const folder = await openEmpty(to)
  const scratch = join(folder, unfinishedRestore)
  await mkdir(scratch, { mode: 0o700 })
  try {
    const settled = await work(scratch)
    await moveUp(scratch, folder)
    say(
      `Erased again, because they were erased after that moment: ${settled.accounts} accounts, ${settled.addresses} Play addresses.`,
    )
  } catch (error) {
    await rm(scratch, { recursive: true, force: true })
    throw error
  }
  const key = join(folder, 'encryption-key')
  if (!(await lstat(key).catch(() => null)))
    say(
      `${key} is missing: put your copy there, or set ENCRYPTION_KEY. Without the key, no server starts on the restored copy.`,
    )
  say(`Restored into ${folder}. Its jobs are paused: run “npm run reconcile”, then “npm run resume”.`)
}

/** For a rehearsal: starts the newest backup in a temporary cluster, unchanged. Returns what `look` returns. */
export const rehearse = async <T>(
  vault: Vault,
  look: (url: string, moment: Moment) => Promise<T>,
  onUnreadable: (error: Error) => void,
): Promise<T> => {
  const moment = await momentOf(vault, null, onUnreadable)
  const work = await mkdtemp(join(tmpdir(), 'fieldtest-verify-'))
  try {
    const hole = await unpackMoment(vault, moment, join(work, 'postgres'))
    const database = await recover(moment, hole, settings => startCluster(work, moment.base, settings))
    try {
      await migrate(database.url)
      return await look(database.url, moment)
    } finally {
      await database.stop()
    }
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}
