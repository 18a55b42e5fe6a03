/** Recovers a cluster as of a moment: from a base backup and the log between it and the moment. */
import { mkdir, open, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  basesIn,
  firstSegmentOf,
  folderOf,
  isSegment,
  type Manifest,
  segmentNumber,
  seriesOf,
  startOf,
} from './bases.ts'
import { readSegment, readUntil, segmentsOf } from './log.ts'
import { isMarkedByKey } from './ownership.ts'
import { OtherKey, Unreadable } from './sealing.ts'
import { unpack } from './tar.ts'
import type { Vault } from './vault.ts'

export type Moment = {
  base: Manifest
  at: string | null
  until: string
  /** The first base backup after that moment: log beyond its beginning is not needed. */
  next: Manifest | null
}

/** Finds the base backup that leads to `at`, or the newest one. If none leads there, it throws an error that says so. */
export const momentOf = async (
  vault: Vault,
  at: string | null,
  onUnreadable: (error: Error) => void,
): Promise<Moment> => {
  const { bases, unread } = await basesIn(vault)
  for (const { error } of unread) onUnreadable(error)
  if (bases.length === 0) throw new Error(`There is no backup in ${vault.says}.`)
  const base = at === null ? bases.at(-1) : bases.findLast(({ endedAt }) => endedAt <= at)
  if (!base) throw new Error(`The oldest backup can restore ${bases[0]?.endedAt} and later, not ${at}.`)
  const archived = await readUntil(vault, base.series)
  const until = archived !== null && archived > base.endedAt ? archived : base.endedAt
  // Within a series the log also continues from an older base backup, but another series is another history.
  const later = unread.filter(
    ({ folder }) => seriesOf(folder) !== base.series && startOf(folder) > startOf(folderOf(base)),
  )
  const [lost] = (await isMarkedByKey(vault)) ? later.filter(({ error }) => !(error instanceof OtherKey)) : later
  if (at === null && lost)
    throw new Error(
      `${lost.error.message} It is newer than the backups that can be read, which end at ${until}. To restore that moment, name it with --at.`,
    )
  const next = at === null ? undefined : bases.find(one => one.series === base.series && one.startedAt > at)
  return { base, at, until, next: next ?? null }
}

/**
 * Writes the cluster of that moment to a new folder. If the log has a hole, it writes everything up to the hole, which PostgreSQL
 * takes for the end of the log, and returns the hole. If the log is wanted to its end, it throws the hole.
 */
export const unpackMoment = async (vault: Vault, moment: Moment, cluster: string): Promise<Unreadable | null> => {
  const { base, at } = moment
  await mkdir(cluster, { recursive: true, mode: 0o700 })
  await unpack(vault.read(`${folderOf(base)}/cluster`), cluster)
  const log = join(cluster, 'pg_wal')
  const came = (await readdir(log)).filter(name => isSegment(name))
  let { unbroken, hole } = await logOf(vault, moment, came)
  // While a server writes there, a listing may miss a file that was just renamed.
  if (hole) ({ unbroken, hole } = await logOf(vault, moment, came))
  if (hole && at === null) throw hole
  for (const [segment, pieces] of unbroken) {
    const content = await readSegment(vault, base.series, segment, pieces, base.segmentBytes)
    await writeWhole(join(log, segment), content)
  }
  await writeFile(join(cluster, 'recovery.signal'), '', { mode: 0o600 })
  return hole
}

/** The segments to take from the vault. Those that came with the base backup are complete, and the vault's may not be. */
const logOf = async (vault: Vault, { base, next }: Moment, came: readonly string[]) => {
  const numberOf = (segment: string) => segmentNumber(segment, base.segmentBytes)
  const first = firstSegmentOf(base)
  const last = next && firstSegmentOf(next)
  const isNeeded = (number: bigint) => number >= first && (last === null || number <= last)
  const listed = [...(await segmentsOf(vault, base.series))].filter(([segment]) => isNeeded(numberOf(segment)))
  const names = new Map([...came, ...listed.map(([segment]) => segment)].map(name => [numberOf(name), name]))
  let end = first
  while (names.has(end)) end += 1n
  const unbroken = listed.filter(([segment]) => numberOf(segment) < end && !came.includes(segment))
  const beyond = [...names.keys(), ...(last === null ? [] : [last])].filter(number => number >= end)
  return { unbroken, hole: beyond.length === 0 ? null : holeIn(base, names, end, beyond) }
}

const holeIn = ({ series, startedAt }: Manifest, names: Map<bigint, string>, end: bigint, beyond: bigint[]) => {
  const after = beyond.reduce((least, number) => (number < least ? number : least))
  const before = names.get(end - 1n)
  const from = before === undefined ? `the backup of ${startedAt}` : before
  const to = names.get(after) ?? 'the next base backup'
  return new Unreadable(
    `The log of ${series} has a gap: at least one file between ${from} and ${to} is missing. Use --at to restore a moment before the gap.`,
  )
}

const writeWhole = async (path: string, content: Buffer) => {
  const handle = await open(`${path}.part`, 'w', 0o600)
  await handle.writeFile(content)
  await handle.sync()
  await handle.close()
  await rename(`${path}.part`, path)
}

/** The whole log is in the cluster already, so nothing is fetched. */
const settingsFor = (at: string | null): Record<string, string> => ({
  restore_command: 'false',
  hot_standby: 'off',
  archive_mode: 'off',
  recovery_target_action: 'promote',
  ...(at !== null && { recovery_target_time: at.replace('T', ' ').replace('Z', '+00') }),
})

const nothingAfter = 'recovery ended before configured recovery target was reached'

/**
 * PostgreSQL refuses a target beyond its log. If the log is known to lead to that moment, nothing was committed in between, so we
 * recover to the end of the log.
 */
export const recover = async <Started>(
  { at, until }: Moment,
  hole: Unreadable | null,
  start: (settings: Record<string, string>) => Promise<Started>,
): Promise<Started> => {
  try {
    return await start(settingsFor(at))
  } catch (error) {
    if (at === null || !(error as Error).message.includes(nothingAfter)) throw error
    if (hole) throw hole
    if (at > until) throw new Error(`The backups of that time end at ${until}, before ${at}.`, { cause: error })
    return start(settingsFor(null))
  }
}
