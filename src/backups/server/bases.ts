/** Base backups: the whole cluster at one moment, which the log continues. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { clock } from '../../kit/clock.ts'
import { autocommit } from '../../kit/server/db.ts'
import * as queries from './queries.ts'
import { baseBackup, connectForReplication, cutOff, lsnOf } from './replication.ts'
import { Unreadable } from './sealing.ts'
import type { Vault } from './vault.ts'

const Manifest = z.object({
  /** The unbroken stretch of log that the backup belongs to. Its slot and its folders carry this name. */
  series: z.string(),
  /**
   * By PostgreSQL's clock. The backup may contain anything committed before `endedAt`, so it can be restored only to later
   * moments.
   */
  startedAt: z.string(),
  endedAt: z.string(),
  startLsn: z.string(),
  /** PostgreSQL's major version. */
  major: z.number(),
  segmentBytes: z.number(),
  /** The owner of the tables; in older backups, the role that the product used. */
  role: z.string(),
  database: z.string(),
  /** Taken from the PostgreSQL that comes with the product. */
  embedded: z.boolean(),
})
export type Manifest = z.output<typeof Manifest>

/** Where to request backups: as a role that may replicate, and not through a pooler. */
export type Source = { replicationUrl: string; embedded: boolean }

export const folderOf = ({ series, startedAt }: Pick<Manifest, 'series' | 'startedAt'>): string =>
  `bases/${series}/${startedAt.replaceAll(':', '-')}`

export const seriesOf = (folder: string): string => folder.split('/')[1] ?? ''
export const startOf = (folder: string): string => folder.split('/')[2] ?? ''

const stamp = () => clock.now().replaceAll(/\D/g, '').slice(0, 14)

/** `once` stands for a backup without a log that continues it. */
const newSeries = (of: string): string => `fieldtest_backup_${of}_${stamp()}_${randomBytes(4).toString('hex')}`

/**
 * Names a series after a new slot. All databases of a PostgreSQL see each other's slots, so the name contains our database's
 * number.
 */
export const newFollowed = (timeline: number, databaseId: string): string => newSeries(`${timeline}_db${databaseId}`)

const megabytes = /^(\d+)(kB|MB|GB)$/
const bytesOf = (text: string) => {
  const [, amount, unit = ''] = megabytes.exec(text) ?? []
  return Number(amount) * ({ kB: 1, MB: 1024, GB: 1024 * 1024 }[unit] ?? Number.NaN) * 1024
}

export const segmentBytesOf = async (replication: { show: (setting: string) => Promise<string> }): Promise<number> =>
  bytesOf(await replication.show('wal_segment_size'))

/** A base backup is complete once its manifest is there. */
export const takeBase = async (
  vault: Vault,
  { replicationUrl, embedded }: Source,
  { series = newSeries('once'), signal }: { series?: string; signal?: AbortSignal } = {},
): Promise<Manifest> => {
  const begun = performance.now()
  const replication = await connectForReplication(replicationUrl)
  const cut = () => void cutOff(replication)
  signal?.addEventListener('abort', cut)
  try {
    if (series.includes('_once_'))
      await replication.client.query(`CREATE_REPLICATION_SLOT "${series}" TEMPORARY PHYSICAL RESERVE_WAL`)
    const segmentBytes = await segmentBytesOf(replication)
    const { at: startedAt, role, database, major } = await queries.aboutServer(autocommit)
    const folder = folderOf({ series, startedAt })
    const { archive, bounds } = baseBackup(replication)
    let bytes = 0
    const counted = async function* () {
      for await (const chunk of archive) {
        bytes += chunk.length
        yield chunk
      }
    }
    await vault.write(`${folder}/cluster`, counted())
    const { at: endedAt } = await queries.aboutServer(autocommit)
    const { startLsn } = bounds()
    const manifest = { series, startedAt, endedAt, startLsn, major, segmentBytes, role, database, embedded }
    await vault.write(`${folder}/manifest`, [Buffer.from(JSON.stringify(manifest))])
    const tookMs = Math.ceil(performance.now() - begun)
    await queries.recordBackup(autocommit, { takenAt: startedAt, tookMs, bytes, place: vault.says })
    return manifest
  } finally {
    signal?.removeEventListener('abort', cut)
    await cutOff(replication)
  }
}

const manifestEnd = '/manifest'

export type Unread = { folder: string; error: Error }

const readManifest = async (vault: Vault, name: string): Promise<Manifest | Unread> => {
  try {
    return Manifest.parse(JSON.parse((await vault.readWhole(name)).toString()))
  } catch (cause) {
    const error =
      cause instanceof Unreadable
        ? cause
        : new Unreadable(`${name} of the backups cannot be read: ${(cause as Error).message}`, { cause })
    return { folder: name.slice(0, -manifestEnd.length), error }
  }
}

/** Oldest first. With `beforeMs`, only those that were there by then. */
export const manifestsIn = async (vault: Vault, beforeMs = Infinity): Promise<string[]> =>
  (await vault.list('bases'))
    .filter(({ name, atMs }) => name.endsWith(manifestEnd) && atMs < beforeMs)
    .map(({ name }) => name)
    .toSorted((a, b) => (startOf(a) < startOf(b) ? -1 : 1))

/**
 * All complete base backups, oldest first, and those that cannot be read. Throws if none can be read, for example because of a
 * wrong key.
 */
export const basesIn = async (vault: Vault): Promise<{ bases: Manifest[]; unread: Unread[] }> => {
  const found = await Promise.all((await manifestsIn(vault)).map(name => readManifest(vault, name)))
  const unread = found.filter(one => 'error' in one)
  const bases = found.filter((one): one is Manifest => !('error' in one))
  if (bases.length === 0 && unread[0]) throw unread[0].error
  return { bases: bases.toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1)), unread }
}

/** All that can be read, oldest first. Reports the others to `onUnreadable` and continues. */
export const allBases = async (vault: Vault, onUnreadable: (error: Error) => void): Promise<Manifest[]> => {
  const { bases, unread } = await basesIn(vault)
  for (const { error } of unread) onUnreadable(error)
  return bases
}

const perLogFile = (segmentBytes: number) => 0x1_0000_0000n / BigInt(segmentBytes)

/** Builds PostgreSQL's name of a log segment: the timeline, then the number in two parts. */
export const segmentName = (timeline: number, lsn: bigint, segmentBytes: number): string => {
  const number = lsn / BigInt(segmentBytes)
  const perFile = perLogFile(segmentBytes)
  const parts = [BigInt(timeline), number / perFile, number % perFile]
  return parts
    .map(part => part.toString(16).padStart(8, '0'))
    .join('')
    .toUpperCase()
}

export const isSegment = (name: string): boolean => /^[0-9A-F]{24}$/.test(name)

export const segmentNumber = (name: string, segmentBytes: number): bigint =>
  BigInt(`0x${name.slice(8, 16)}`) * perLogFile(segmentBytes) + BigInt(`0x${name.slice(16, 24)}`)

export const firstSegmentOf = ({ startLsn, segmentBytes }: Manifest): bigint => lsnOf(startLsn) / BigInt(segmentBytes)
