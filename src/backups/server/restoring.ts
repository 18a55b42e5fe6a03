/**
 * `npm run restore`. All of it happens beside the data: a restore that is broken off leaves nothing that a server would start
 * on, and one that is done has paused its jobs and erased what was erased since.
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
  /** A data folder that does not exist yet, or is empty. */
  to: string
  at: string | null
  /** An empty database, into which the backup goes instead of a cluster in `to`. */
  databaseUrl: string | undefined
  /** The database has been restored already: only what follows on a restore is done. */
  settleOnly: boolean
  storageUrl: string | undefined
  /** A folder with what `DATA_DIR` keeps beside the database. */
  keys: string | undefined
  /** Of the sandbox: used where it is, and never written here. */
  providerFile: string | undefined
  jobs: readonly AnyJob[]
  /** Those of them that delete what has come due. */
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
    throw new Error(`A restore into ${folder} was broken off. Delete the folder, then restore again.`)
  if (names.length > 0) throw new Error(`${folder} is not empty: restore into a new folder.`)
  return folder
}

/** Migrates and settles; leaves the product connected to it. */
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
  // The files of a bucket are still there: their rows stay until the job that deletes both runs on the restored product.
  const due = dueDeletions.filter(job => storageUrl === undefined || job !== sweepAttachments)
  return settle(vault, note, due)
}

/** Recovers into `work`/postgres; resolves with the running database, and what was erased in it again. */
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

/** The files that the restored rows know; says which the backups do not have. */
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
  say(`${count - missing.length} of ${count} files are restored.`)
  if (missing.length > 0) say(`Missing in the backups: ${missing.slice(0, 20).join(', ')}`)
}

const restoreKeys = async (from: string, work: string) => {
  for (const name of keyFiles)
    await copyFile(join(from, name), join(work, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
}

/** Everything before the cluster, with which a server would start. */
const moveUp = async (work: string, folder: string) => {
  const names = (await readdir(work)).filter(name => name !== 'postgres' && !/^(server\.|postgres\.)/.test(name))
  for (const name of names) await rename(join(work, name), join(folder, name))
  const cluster = join(work, 'postgres')
  if (await lstat(cluster).catch(() => null)) await rename(cluster, join(folder, 'postgres'))
  await rm(work, { recursive: true })
}

/** The database of that moment, its files and its keys in `work`, and for a given one in that database. */
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

/** What stands beside the database. */
const restoreBeside = async (options: RestoreOptions, work: string) => {
  await restoreFiles(options, work)
  if (options.providerFile) await symlink(await realpath(options.providerFile), join(work, providerLink))
  if (options.keys) await restoreKeys(options.keys, work)
}

/** A database that was restored by other means, such as pgBackRest: what makes a restored copy of it is done to it. */
const settleThere = async (options: RestoreOptions, url: string, work: string): Promise<Settled> => {
  try {
    const settled = await settledOn(options, url, work, `Restored by other means; settled from ${options.vault.says}.`)
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
    throw new Error('This is the backup of a given database: name an empty one with --database.')
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
    say(`Erased again since then: ${settled.accounts} accounts, ${settled.addresses} Play addresses.`)
  } catch (error) {
    await rm(scratch, { recursive: true, force: true })
    throw error
  }
  const key = join(folder, 'encryption-key')
  if (!(await lstat(key).catch(() => null)))
    say(`${key} is missing: put your copy of it there, or set ENCRYPTION_KEY. Without it no server starts on the copy.`)
  say(`Restored into ${folder}. Its jobs are paused: run “npm run reconcile”, then “npm run resume”.`)
}

/** For a rehearsal: the newest backup in a temporary cluster, as it was. Gives what `look` finds there. */
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
