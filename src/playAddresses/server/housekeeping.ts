/** Erases the addresses of campaigns that ended long ago, and reseals those sealed with an old key. */
import { clock, daysAfter } from '../../kit/clock.ts'
import { autocommit, transact } from '../../kit/server/db.ts'
import { oldKeyIds } from '../../kit/server/encryption.ts'
import { everyMinute, scheduled } from '../../kit/server/jobs.ts'
import { addressKeptDays } from '../rules.ts'
import * as queries from './queries.ts'
import { openedOf, sealedFor } from './sealing.ts'

const campaignsAtOnce = 200
const addressesAtOnce = 500

export const erasePlayAddresses = scheduled(
  'play-addresses.erase',
  '23 * * * *',
  async () => {
    const endedBefore = daysAfter(clock.now(), -addressKeptDays)
    while ((await transact(tx => queries.eraseOfEnded(tx, endedBefore, clock.now(), campaignsAtOnce))) > 0) {
      // Until none is left.
    }
  },
  { neverPaused: true },
)

const places = [
  [queries.sealedWith, queries.sealAgain],
  [queries.sealedOnBench, queries.sealAgainOnBench],
] as const

/** After a change of the key, while the old one is still there, so that the old key can be removed. */
export const sealPlayAddressesAgain = scheduled(
  'play-addresses.seal-again',
  everyMinute,
  async () => {
    const old = oldKeyIds()
    if (old.length === 0) return
    for (const [load, store] of places) {
      for (let more = true; more;) {
        const rows = await load(autocommit, old, addressesAtOnce)
        for (const row of rows) await store(autocommit, row, sealedFor(row.participationId, openedOf(row)))
        more = rows.length === addressesAtOnce
      }
    }
  },
  { neverPaused: 'BY_ADMIN' },
)
