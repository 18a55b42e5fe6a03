/**
 * A place holds the backups of one installation, under one key. A second installation's backups would be deleted as old and its
 * files marked as gone, and a restore could bring back the wrong one. A second key would overwrite files that the first one wrote
 * under the same names, and neither set would be complete.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { autocommit, transact } from '../../kit/server/db.ts'
import { during, jobLimits, workOf } from '../../kit/server/limits.ts'
import { manifestsIn } from './bases.ts'
import * as queries from './queries.ts'
import { OtherKey } from './sealing.ts'
import type { Vault } from './vault.ts'

/** Only a person can fix it. */
export abstract class RefusedPlace extends Error {}

class ForeignPlace extends RefusedPlace {
  override name = 'ForeignPlace'
  constructor(place: string, mark: string) {
    super(
      `${place} has the backups of another installation (${mark}). Give each installation its own place in BACKUP_TO. If the other one is gone for good, or has nothing there but this file, move its files away.`,
    )
  }
}

class PlaceOfOtherKey extends RefusedPlace {
  override name = 'PlaceOfOtherKey'
  constructor(place: string) {
    super(
      `The backups in ${place} were encrypted with a key other than this BACKUP_KEY, so nothing was written there. Set the key that they were made with, or set BACKUP_TO to an empty place for the new key.`,
    )
  }
}

const folder = 'installation'

const marksIn = (vault: Vault) => vault.list(folder)

/** Whether the file was encrypted with the present key. Throws if that cannot be determined. */
const opens = async (vault: Vault, name: string): Promise<boolean> => {
  try {
    await vault.readWhole(name)
    return true
  } catch (error) {
    if (error instanceof OtherKey) return false
    throw error
  }
}

/** Asks the first file that gives an answer; null if there are no files. */
const opensFirst = async (vault: Vault, names: readonly string[]): Promise<boolean | null> => {
  let untold: unknown
  for (const name of names) {
    try {
      return await opens(vault, name)
    } catch (error) {
      untold ??= error
    }
  }
  if (untold !== undefined) throw untold
  return null
}

/** Asks the files of a release that wrote no marks; null if there are none. */
const opensUnmarked = async (vault: Vault): Promise<boolean | null> => {
  const byBase = await opensFirst(vault, await manifestsIn(vault))
  if (byBase !== null) return byBase
  for (const other of ['log', 'files', 'erased']) {
    const [first] = await vault.list(other)
    if (first) return opens(vault, first.name)
  }
  return null
}

const foreignAmong = (marks: readonly { name: string }[], ours: string) => marks.find(({ name }) => name !== ours)?.name

/** The mark `ours`, if it is there. Refuses a place that another installation has marked. */
const markIn = async (vault: Vault, ours: string) => {
  const marks = await marksIn(vault)
  const foreign = foreignAmong(marks, ours)
  if (foreign) throw new ForeignPlace(vault.says, foreign)
  return marks[0]
}

/** Returns the mark of another installation that claimed the place at the same time; nobody's mark may be left then. */
const claim = async (vault: Vault, ours: string): Promise<string | undefined> => {
  const mark = await markIn(vault, ours)
  if (mark && (await opens(vault, ours))) return undefined
  // A mark younger than the base backups was added later, perhaps with a wrong key. Then the base backups decide.
  const isOfKey = mark
    ? (await opensFirst(vault, await manifestsIn(vault, mark.atMs))) === true
    : (await opensUnmarked(vault)) !== false
  if (!isOfKey) throw new PlaceOfOtherKey(vault.says)
  await vault.write(ours, [])
  // Of two that write at the same time, the one that looks last finds both marks, and withdraws its own.
  const foreign = foreignAmong(await marksIn(vault), ours)
  if (foreign) {
    await vault.remove(ours)
    return foreign
  }
  if (!(await opens(vault, ours))) throw new PlaceOfOtherKey(vault.says)
  return undefined
}

/** If both find the other's mark, both withdraw, and try again at different times. */
const mostTries = 6
const pauseBefore = (nextTry: number) => pause(Math.random() * 100 * 2 ** nextTry)

/** `ours` is the name of the mark. Servers of one installation share it, and take turns: with two keys, one would overwrite it. */
export const claimPlace = async (vault: Vault, ours: string): Promise<void> => {
  const inTurn = () =>
    transact(async tx => {
      await queries.holdPlace(tx, ours)
      return claim(vault, ours)
    })
  for (let tries = 1; ; tries++) {
    const foreign = await during(workOf('jobs', jobLimits), inTurn)
    if (foreign === undefined) return
    if (tries === mostTries) throw new ForeignPlace(vault.says, foreign)
    await pauseBefore(tries)
  }
}

/**
 * Claims a new place for this installation and its key, and refuses a place that another has claimed. The mark's name can be read
 * without a key, and its content shows whether the key is right. Call it before anything is written or removed.
 */
export const assertOurs = async (vault: Vault): Promise<void> => {
  const ours = `${folder}/${await queries.installation(autocommit)}`
  if ((await markIn(vault, ours)) && (await opens(vault, ours))) return
  await claimPlace(vault, ours)
}

/** Whether the place is marked with the present key. Then files under another key are not among its backups. */
export const isMarkedByKey = async (vault: Vault): Promise<boolean> => {
  const marks = await marksIn(vault)
  const opened = await Promise.all(marks.map(({ name }) => opens(vault, name)))
  return opened.length > 0 && opened.every(Boolean)
}
