/**
 * Lists of what was erased, as ids only, beside the backups. A restore to an earlier moment erases it again. The lists outlive the
 * base backups that they concern.
 */
import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { deletedSince, forgetAgain } from '../../accounts/server/accounts.ts'
import { clock, hoursAfter } from '../../kit/clock.ts'
import { autocommit } from '../../kit/server/db.ts'
import { addressesErasedSince, eraseAgain } from '../../playAddresses/server/playAddresses.ts'
import { Unreadable } from './sealing.ts'
import type { Vault } from './vault.ts'

const Erased = z.object({ kind: z.enum(['ACCOUNT', 'PLAY_ADDRESS']), id: z.uuid(), at: z.string() })
type Erased = z.output<typeof Erased>

const folder = 'erased'
/** For the reasons given in files.ts. */
const lookBackHours = 0.2
const ever = '1970-01-01T00:00:00.000Z'

type List = { name: string; erased: Erased[] }

const readList = async (vault: Vault, name: string): Promise<List> => {
  const text = (await vault.readWhole(name)).toString()
  try {
    return { name, erased: z.array(Erased).parse(JSON.parse(text)) }
  } catch (cause) {
    throw new Unreadable(`${name} of the backups cannot be read: ${(cause as Error).message}`, { cause })
  }
}

const namesIn = async (vault: Vault) => (await vault.list(folder)).map(({ name }) => name)

/** If a list has vanished, a server is merging them, so we start over. */
const readLists = async (vault: Vault): Promise<List[]> => {
  const names = await namesIn(vault)
  try {
    return await Promise.all(names.map(name => readList(vault, name)))
  } catch (error) {
    const left = new Set(await namesIn(vault))
    if (names.every(name => left.has(name))) throw error
    return readLists(vault)
  }
}

export const readErased = async (vault: Vault): Promise<Erased[]> =>
  (await readLists(vault)).flatMap(({ erased }) => erased)

const mostLists = 100

/**
 * Merges all lists into one, so that a restore need not read a file for each batch. A list is removed only after its content was
 * written elsewhere, even if another server merges at the same time. A crash in between leaves entries in two lists.
 */
export const mergeErased = async (vault: Vault): Promise<void> => {
  if ((await namesIn(vault)).length <= mostLists) return
  const lists = await readLists(vault)
  const entries = new Set(lists.flatMap(({ erased }) => erased.map(one => JSON.stringify(one))))
  const text = `[${[...entries].toSorted().join()}]`
  // Named after its content, so that a place that forbids removals does not get another list each time.
  const merged = `${folder}/merged-${createHash('sha256').update(text).digest('hex').slice(0, 32)}`
  if (!lists.some(({ name }) => name === merged)) await vault.write(merged, [Buffer.from(text)])
  for (const { name } of lists) if (name !== merged) await vault.remove(name)
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
    const known = this.#known ?? new Set((await readErased(this.#vault)).map(({ id }) => id))
    const next = hoursAfter(clock.now(), -lookBackHours)
    const erased = await erasedSince(this.#since)
    const found = erased.filter(({ id }) => !known.has(id))
    if (found.length > 0) {
      const name = `${folder}/${clock.now().replaceAll(':', '-')}-${randomBytes(4).toString('hex')}`
      await this.#vault.write(name, [Buffer.from(JSON.stringify(found))])
    }
    this.#known = new Set(erased.map(({ id }) => id))
    this.#since = next
  }
}

/** Runs in a restored copy before it serves requests. */
export const eraseAll = async (erased: readonly Erased[]): Promise<{ accounts: number; addresses: number }> => {
  let accounts = 0
  for (const { kind, id } of erased) if (kind === 'ACCOUNT' && (await forgetAgain(id))) accounts += 1
  const ids = erased.filter(({ kind }) => kind === 'PLAY_ADDRESS').map(({ id }) => id)
  return { accounts, addresses: await eraseAgain(autocommit, ids) }
}
