/**
 * A place has the backups of one installation, under one key. Those of another would be tidied away as old, its files marked as
 * gone, and a restore could bring back the wrong one. A second key would write over what the first one sent, under the same names,
 * and what is left of either leads nowhere.
 */
import { autocommit } from '../../kit/server/db.ts'
import { manifestsIn } from './bases.ts'
import * as queries from './queries.ts'
import { OtherKey } from './sealing.ts'
import type { Vault } from './vault.ts'

/** Only people can mend it. */
export abstract class RefusedPlace extends Error {}

class ForeignPlace extends RefusedPlace {
  override name = 'ForeignPlace'
  constructor(place: string) {
    super(
      `${place} has the backups of another installation. Give each installation a place of its own in BACKUP_TO. If that one is gone for good, move its backups away.`,
    )
  }
}

class PlaceOfOtherKey extends RefusedPlace {
  override name = 'PlaceOfOtherKey'
  constructor(place: string) {
    super(
      `The backups in ${place} were encrypted with another key than this BACKUP_KEY, and nothing was written there. Set the key that they were made with, or give the new key an empty place in BACKUP_TO.`,
    )
  }
}

const folder = 'installation'

const marksIn = (vault: Vault) => vault.list(folder)

/** Whether the key at hand is the one that this was sealed with. Throws when that cannot be told. */
const opens = async (vault: Vault, name: string): Promise<boolean> => {
  try {
    await vault.readWhole(name)
    return true
  } catch (error) {
    if (error instanceof OtherKey) return false
    throw error
  }
}

/** Of the first that tells; null when there are none. */
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

/** Of what a release that made no marks has written. Null when there is nothing. */
const opensUnmarked = async (vault: Vault): Promise<boolean | null> => {
  const byBase = await opensFirst(vault, await manifestsIn(vault))
  if (byBase !== null) return byBase
  for (const other of ['log', 'files', 'erased']) {
    const [first] = await vault.list(other)
    if (first) return opens(vault, first.name)
  }
  return null
}

/**
 * Claims a new place for this installation and its key; refuses one that another has claimed. The mark is a name, which no key is
 * needed to read, and what is in it opens with the key. To be called before anything is written or removed.
 */
export const assertOurs = async (vault: Vault): Promise<void> => {
  const ours = `${folder}/${await queries.installation(autocommit)}`
  const markThere = async () => {
    const marks = await marksIn(vault)
    if (marks.some(({ name }) => name !== ours)) throw new ForeignPlace(vault.says)
    return marks[0]
  }
  const mark = await markThere()
  if (mark && (await opens(vault, ours))) return
  // A mark that is younger than base backups was made where there had been none, perhaps by a wrong key: then they tell.
  const isOfKey = mark
    ? (await opensFirst(vault, await manifestsIn(vault, mark.atMs))) === true
    : (await opensUnmarked(vault)) !== false
  if (!isOfKey) throw new PlaceOfOtherKey(vault.says)
  await vault.write(ours, [])
  // Two that claim it at once both find the other's.
  await markThere()
  if (!(await opens(vault, ours))) throw new PlaceOfOtherKey(vault.says)
}

/** Whether the place is marked as that of the key at hand: what another key has left in it is none of its backups. */
export const isMarkedByKey = async (vault: Vault): Promise<boolean> => {
  const marks = await marksIn(vault)
  const opened = await Promise.all(marks.map(({ name }) => opens(vault, name)))
  return opened.length > 0 && opened.every(Boolean)
}
