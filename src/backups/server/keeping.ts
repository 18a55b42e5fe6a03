/** Decides which backups to keep: everything needed for any moment of the last days. */
import { basesIn, firstSegmentOf, folderOf, type Manifest, seriesOf, startOf } from './bases.ts'
import { mergeErased } from './erasures.ts'
import { tidyFiles } from './files.ts'
import { forgetLog } from './log.ts'
import type { Vault } from './vault.ts'

const dayMs = 86_400_000

/** Oldest first: the base backups of the last days, and the one before them, which leads to the first of these days. */
export const keptOf = (bases: readonly Manifest[], keepDays: number, nowMs: number): readonly Manifest[] => {
  const since = nowMs - keepDays * dayMs
  const before = bases.findLastIndex(({ endedAt }) => Date.parse(endedAt) <= since)
  return bases.slice(Math.max(0, before))
}

/** Whether the base backup in this folder is no longer needed, because another one leads to all of the last days. */
const isBefore = (folder: string, [first]: readonly Manifest[], sinceMs: number) =>
  first !== undefined && Date.parse(first.endedAt) <= sinceMs && startOf(folder) < startOf(folderOf(first))

/** After this long, an unfinished base backup is not being taken any more. */
const unfinishedMs = 2 * dayMs

/** `series` is being followed, and may not have a base backup yet. */
export const tidyUp = async (
  vault: Vault,
  { keepDays, series, nowMs }: { keepDays: number; series?: string; nowMs: number },
): Promise<void> => {
  const { bases: all, unread } = await basesIn(vault)
  const kept = keptOf(all, keepDays, nowMs)
  const old = unread.filter(({ folder }) => isBefore(folder, kept, nowMs - keepDays * dayMs))
  // The place may only be failing to answer, so unreadable backups are kept as if they had been read.
  const unknown = unread.filter(one => !old.includes(one)).map(({ folder }) => folder)
  for (const folder of [...all.filter(one => !kept.includes(one)).map(folderOf), ...old.map(one => one.folder)]) {
    // Removes the manifest first: without it the rest is no backup, even if we are interrupted here.
    await vault.remove(`${folder}/manifest`)
    await vault.remove(`${folder}/cluster`)
  }
  const whole = new Set([...kept.map(folderOf), ...unknown].map(folder => `${folder}/cluster`))
  for (const { name, atMs } of await vault.list('bases'))
    if (name.endsWith('/cluster') && !whole.has(name) && atMs < nowMs - unfinishedMs) await vault.remove(name)
  const followed = new Set((await vault.list('log')).map(({ name }) => name.split('/')[1] ?? ''))
  for (const one of followed) {
    if (unknown.some(folder => seriesOf(folder) === one)) continue
    const first = kept.find(base => base.series === one)
    if (first) await forgetLog(vault, one, { segment: firstSegmentOf(first), segmentBytes: first.segmentBytes })
    else if (one !== series) await forgetLog(vault, one, null)
  }
  await tidyFiles(vault, nowMs - keepDays * dayMs)
  await vault.forgetUnfinished(nowMs - unfinishedMs)
  await mergeErased(vault)
}

const besideName = 'tidied/files'

/** Tidies only the files, if something else keeps the database. Runs at most once a day, however often it is called. */
export const tidyBeside = async (
  vault: Vault,
  { keepDays, nowMs }: { keepDays: number; nowMs: number },
): Promise<void> => {
  const last = (await vault.list('tidied')).find(({ name }) => name === besideName)
  if (last && last.atMs > nowMs - dayMs) return
  await tidyFiles(vault, nowMs - keepDays * dayMs)
  await vault.forgetUnfinished(nowMs - unfinishedMs)
  await mergeErased(vault)
  await vault.write(besideName, [])
}
