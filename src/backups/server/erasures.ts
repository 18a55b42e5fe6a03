/**
 * What was erased, as ids alone, in a list beside the backups that is only added to: a restore to a moment before erases it
 * again. It outlives the base backups that it concerns.
 */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { deletedSince, forgetAgain } from '../../accounts/server/accounts.ts'
import { clock, hoursAfter } from '../../kit/clock.ts'
import { autocommit } from '../../kit/server/db.ts'
import { addressesErasedSince, eraseAgain } from '../../playAddresses/server/playAddresses.ts'
import type { Vault } from './vault.ts'

const Erased = z.object({ kind: z.enum(['ACCOUNT', 'PLAY_ADDRESS']), id: z.uuid(), at: z.string() })
type Erased = z.output<typeof Erased>

const folder = 'erased'
/** As in files.ts. */
const lookBackHours = 0.2
const ever = '1970-01-01T00:00:00.000Z'

export const readErased = async (vault: Vault): Promise<Erased[]> => {
  const lists = await Promise.all((await vault.list(folder)).map(({ name }) => vault.readWhole(name)))
  return lists.flatMap(text => z.array(Erased).parse(JSON.parse(text.toString())))
}

const erasedSince = async (since: string): Promise<Erased[]> => {
  const [accounts, addresses] = await Promise.all([
    deletedSince(autocommit, since),
    addressesErasedSince(autocommit, since),
  ])
  return [
    ...accounts.map(row => ({ ...row, kind: 'ACCOUNT' as const })),
    ...addresses.map(row => ({ ...row, kind: 'PLAY_ADDRESS' as const })),
  ]
}

export class Erasures {
  #vault: Vault
  #known: Set<string> | undefined
  #since = ever

  constructor(vault: Vault) {
    this.#vault = vault
  }

  async noteNew(): Promise<void> {
    const known = (this.#known ??= new Set((await readErased(this.#vault)).map(({ id }) => id)))
    const next = hoursAfter(clock.now(), -lookBackHours)
    const found = (await erasedSince(this.#since)).filter(({ id }) => !known.has(id))
    if (found.length > 0) {
      const name = `${folder}/${clock.now().replaceAll(':', '-')}-${randomBytes(4).toString('hex')}`
      await this.#vault.write(name, [Buffer.from(JSON.stringify(found))])
      for (const { id } of found) known.add(id)
    }
    this.#since = next
  }
}

/** In a restored copy, before it answers anybody. */
export const eraseAll = async (erased: readonly Erased[]): Promise<{ accounts: number; addresses: number }> => {
  let accounts = 0
  for (const { kind, id } of erased) if (kind === 'ACCOUNT' && (await forgetAgain(id))) accounts += 1
  const ids = erased.filter(({ kind }) => kind === 'PLAY_ADDRESS').map(({ id }) => id)
  return { accounts, addresses: await eraseAgain(autocommit, ids) }
}
