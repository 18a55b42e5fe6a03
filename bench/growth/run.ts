/** Measures the product on a small database, and then on a big one. */
import { type Compared, compare } from './print.ts'
import type { Measured } from './measured.ts'
import type { Seeded } from './place.ts'
import { startProduct } from './product.ts'
import { measureReads } from './reads.ts'
import { measureWrites } from './writes.ts'

type Say = (line: string) => void

const measureOn = async ({ url, db }: Seeded, only: string | undefined, say: Say) => {
  const product = await startProduct(url)
  try {
    const reads = await measureReads(product, db, only, say)
    const writes: Measured[] = only === undefined || only === 'writes' ? await measureWrites(product, db, say) : []
    return { reads, writes }
  } finally {
    await product.stop()
  }
}

/** `only`: measures calls whose name contains it, or just `writes`. */
export const run = async (small: Seeded, big: Seeded, only: string | undefined, say: Say): Promise<Compared[]> => {
  say('small')
  const before = await measureOn(small, only, say)
  say('big')
  const after = await measureOn(big, only, say)
  return [...compare('read', before.reads, after.reads), ...compare('write', before.writes, after.writes)]
}
