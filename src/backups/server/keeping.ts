/** What of the backups is kept: everything that leads to a moment of the last days. */
import { basesIn, firstSegmentOf, folderOf, type Manifest, seriesOf, startOf } from './bases.ts'
import { mergeErased } from './erasures.ts'
import { tidyFiles } from './files.ts'
import { forgetLog } from './log.ts'
import type { Vault } from './vault.ts'

const dayMs = 86_400_000

/** Oldest first: those of the last days, and the one before them, which leads to the first of these days. */
export const keptOf = (bases: readonly Manifest[], keepDays: number, nowMs: number): readonly Manifest[] => {
  const since = nowMs - keepDays * dayMs
  const before = bases.findLastIndex(({ endedAt }) => Date.parse(endedAt) <= since)
  return bases.slice(Math.max(0, before))
}

/** Whether a base backup in this folder leads to nothing that has to be kept: another one leads to all of the last days. */
const isBefore = (folder: string, [first]: readonly Manifest[], sinceMs: number) =>
  first !== undefined && Date.parse(first.endedAt) <= sinceMs && startOf(folder) < startOf(folderOf(first))

/** What was not finished for so long is no backup that is being taken. */
const unfinishedMs = 2 * dayMs

/** `series` is the one that is being followed, of which there may be no base backup yet. */
export const tidyUp = async (
  vault: Vault,
  { keepDays, series, nowMs }: { keepDays: number; series?: string; nowMs: number },
): Promise<void> => {
  const { bases: all, unread } = await basesIn(vault)
  const kept = keptOf(all, keepDays, nowMs)
  const old = unread.filter(({ folder }) => isBefore(folder, kept, nowMs - keepDays * dayMs))
  // Perhaps it is only the place that does not answer: then they are needed as if they had been read.
  const unknown = unread.filter(one => !old.includes(one)).map(({ folder }) => folder)
  for (const folder of [...all.filter(one => !kept.includes(one)).map(folderOf), ...old.map(one => one.folder)]) {
    // Without its manifest it is no backup any more, whatever stops us here.
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

/** Of files alone, where something else keeps the database: at most once a day, however often it is asked for. */
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
