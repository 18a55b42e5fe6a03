/** Backups of the product: the database, uploaded files, and the list of what was erased (decision 043). */
import { autocommit } from '../../kit/server/db.ts'
import { type Manifest, type Source, takeBase } from './bases.ts'
import { Erasures } from './erasures.ts'
import { FileCopies } from './files.ts'
import { shipRest } from './following.ts'
import { tidyBeside, tidyUp } from './keeping.ts'
import { assertOurs } from './ownership.ts'
import * as queries from './queries.ts'
import type { Vault } from './vault.ts'

export { followsForSeconds, placeRefusal } from './following.ts'
export { lastBackup, unsentSeconds } from './queries.ts'

const copyBeside = async (vault: Vault, onMissing: (error: Error) => void) => {
  await new FileCopies(vault, onMissing).copyNew()
  await new Erasures(vault).noteNew()
}

/** Backs up uploaded files and the list of erasures, for a database that something else backs up. */
export const takeBeside = async (
  vault: Vault,
  keepDays: number | undefined,
  onMissing: (error: Error) => void,
): Promise<void> => {
  await assertOurs(vault)
  await copyBeside(vault, onMissing)
  if (keepDays === undefined) return
  const { at } = await queries.aboutServer(autocommit)
  await tidyBeside(vault, { keepDays, nowMs: Date.parse(at) })
}

/**
 * Takes a backup that is complete by itself. If a server follows the database, the backup joins that server's log, which leads on
 * from there to every later moment; if that server has died, its remaining log is written first. Without `keepDays` nothing is
 * deleted, since servers may keep backups for longer than a command knows.
 */
export const takeBackup = async (
  vault: Vault,
  source: Source,
  keepDays: number | undefined,
  onMissing: (error: Error) => void,
): Promise<Manifest & { tookMs: number }> => {
  const begun = performance.now()
  await assertOurs(vault)
  const slots = (await queries.backupSlots(autocommit)).filter(({ lost }) => !lost)
  const logs = new Set((await vault.list('log')).map(({ name }) => name.split('/')[1]))
  const slot = slots.find(({ name }) => logs.has(name))
  if (slot && !slot.active) await shipRest(vault, source, slot, onMissing)
  const series = slot && { series: slot.name }
  const manifest = await takeBase(vault, source, series)
  await copyBeside(vault, onMissing)
  if (keepDays !== undefined) await tidyUp(vault, { keepDays, ...series, nowMs: Date.parse(manifest.endedAt) })
  return { ...manifest, tookMs: Math.ceil(performance.now() - begun) }
}
