/** A cluster as it was at a moment: a base backup, and the log from there to then. */
import { mkdir, open, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { allBases, firstSegmentOf, folderOf, type Manifest, segmentNumber } from './bases.ts'
import { readSegment, readUntil, segmentsOf } from './log.ts'
import { unpack } from './tar.ts'
import type { Vault } from './vault.ts'

export type Moment = {
  base: Manifest
  at: string | null
  until: string
  /** The base backup after that moment: the log is not needed beyond its beginning. */
  next: Manifest | null
}

/** Which base backup leads to `at`, or to the newest there is; refuses with a sentence what no backup leads to. */
export const momentOf = async (vault: Vault, at: string | null): Promise<Moment> => {
  const bases = await allBases(vault)
  if (bases.length === 0) throw new Error(`There is no backup in ${vault.says}.`)
  const base = at === null ? bases.at(-1) : bases.findLast(({ endedAt }) => endedAt <= at)
  if (!base) throw new Error(`The oldest backup leads to ${bases[0]?.endedAt} and later, not to ${at}.`)
  const archived = await readUntil(vault, base.series)
  const until = archived !== null && archived > base.endedAt ? archived : base.endedAt
  const next = at === null ? undefined : bases.find(one => one.series === base.series && one.startedAt > at)
  return { base, at, until, next: next ?? null }
}

/** Writes the cluster of that moment to a new folder; what PostgreSQL then has to be started with is in `settings`. */
export const unpackMoment = async (vault: Vault, { base, next }: Moment, cluster: string): Promise<void> => {
  await mkdir(cluster, { recursive: true, mode: 0o700 })
  await unpack(vault.read(`${folderOf(base)}/cluster`), cluster)
  const log = join(cluster, 'pg_wal')
  for (const [segment, pieces] of await segmentsOf(vault, base.series)) {
    const number = segmentNumber(segment, base.segmentBytes)
    if (number < firstSegmentOf(base) || (next && number > firstSegmentOf(next))) continue
    const path = join(log, segment)
    // Those that came with the base backup are whole, and these may not be.
    if (await stat(path).catch(() => null)) continue
    const content = await readSegment(vault, base.series, segment, pieces, base.segmentBytes)
    await writeWhole(path, content)
  }
  await writeFile(join(cluster, 'recovery.signal'), '', { mode: 0o600 })
}

const writeWhole = async (path: string, content: Buffer) => {
  const handle = await open(`${path}.part`, 'w', 0o600)
  await handle.writeFile(content)
  await handle.sync()
  await handle.close()
  await rename(`${path}.part`, path)
}

/** All of the log lies in the cluster already; nothing is fetched. */
const settingsFor = (at: string | null): Record<string, string> => ({
  restore_command: 'false',
  hot_standby: 'off',
  archive_mode: 'off',
  recovery_target_action: 'promote',
  ...(at !== null && { recovery_target_time: at.replace('T', ' ').replace('Z', '+00') }),
})

const nothingAfter = 'recovery ended before configured recovery target was reached'

/**
 * Nothing was committed between the moment and the end of the log. When the log is known to lead to that moment, its end is as
 * it was then.
 */
export const recover = async <Started>(
  { at, until }: Moment,
  start: (settings: Record<string, string>) => Promise<Started>,
): Promise<Started> => {
  try {
    return await start(settingsFor(at))
  } catch (error) {
    if (at === null || !(error as Error).message.includes(nothingAfter)) throw error
    if (at > until) throw new Error(`The backups of that time lead to ${until}, not to ${at}.`, { cause: error })
    return start(settingsFor(null))
  }
}
