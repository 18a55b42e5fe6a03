/** A text sealed in the database, for checking whether the encryption keys at hand belong to this database. */
import { empty, sql, type Tx } from './db.ts'
import { isSealedWithOldKey, keyIdOf, seal, unseal } from './encryption.ts'
import { openPause } from './pauses.ts'

const place = 'key sample'

const sampleOf = async (tx: Tx, { wait = false } = {}) =>
  (
    await tx.maybe<{ sealed: Buffer }>(
      sql`select sealed from key_sample where only_row ${wait ? sql`for share` : empty}`,
    )
  )?.sealed

const opens = (sealed: Buffer) => {
  try {
    unseal(sealed, place)
    return true
  } catch {
    return false
  }
}

/** Null if there is no sample, because the database is older than samples. `wait` waits while somebody is replacing it. */
export const keysOpenSample = async (tx: Tx, options?: { wait: boolean }): Promise<boolean | null> => {
  const sealed = await sampleOf(tx, options)
  return sealed ? opens(sealed) : null
}

export const hasKeySample = async (tx: Tx): Promise<boolean> => (await sampleOf(tx)) !== undefined

/**
 * Sealed at the first start, and again with a new key; if servers with different keys start at once, by one of them. Not in a
 * copy restored from before there was a sample, whose keys may still have to be found.
 */
export const keepKeySample = async (tx: Tx): Promise<void> => {
  const sealed = await sampleOf(tx)
  if (sealed && !(opens(sealed) && isSealedWithOldKey(sealed))) return
  if (!sealed && (await openPause(tx))?.reason === 'RESTORED') return
  await tx.run(sql`insert into key_sample (sealed) values (${seal('Fieldtest', place)})
    on conflict (only_row) do update set sealed = excluded.sealed where key_sample.sealed = ${sealed ?? null}`)
}

/** Seals the sample with the key at hand, even if the key before it is missing. Resolves with the id of the key before. */
export const replaceKeySample = async (tx: Tx): Promise<Buffer | null> => {
  const before = await sampleOf(tx)
  await tx.run(sql`insert into key_sample (sealed) values (${seal('Fieldtest', place)})
    on conflict (only_row) do update set sealed = excluded.sealed`)
  return before ? keyIdOf(before) : null
}
