/**
 * A place has the backups of one installation. Those of another would be tidied away as old, its files marked as gone, and a
 * restore could bring back the wrong one.
 */
import { autocommit } from '../../kit/server/db.ts'
import * as queries from './queries.ts'
import type { Vault } from './vault.ts'

export class ForeignPlace extends Error {
  constructor(place: string) {
    super(
      `${place} has the backups of another installation. Give each installation a place of its own in BACKUP_TO. If that one is gone for good, move its backups away.`,
    )
    this.name = 'ForeignPlace'
  }
}

const folder = 'installation'

/** Claims a new place for this installation; refuses one that another has claimed. The mark is a name, which no key is needed to read. */
export const assertOurs = async (vault: Vault): Promise<void> => {
  const ours = `${folder}/${await queries.installation(autocommit)}`
  const marks = async () => (await vault.list(folder)).map(({ name }) => name)
  if ((await marks()).length === 0) await vault.write(ours, [])
  // Two that claim it at once both find the other's.
  if ((await marks()).some(name => name !== ours)) throw new ForeignPlace(vault.says)
}
