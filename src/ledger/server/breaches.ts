/** Errors found in the money. Each stops withdrawals until an admin records why they can resume (decision 058). */
import { randomUUIDv7 } from 'node:crypto'
import { adminIds } from '../../accounts/server/accounts.ts'
import { clock } from '../../kit/clock.ts'
import { transact, type Tx } from '../../kit/server/db.ts'
import { everyMinute, scheduled } from '../../kit/server/jobs.ts'
import { notice, notifyMany } from '../../notifications/server/notifications.ts'
import { hasGrown, type OffCents } from '../rules.ts'
import * as queries from './breaches.queries.ts'

export type Found = {
  check: string
  rowCount: number
  offCents: OffCents
  examples: readonly unknown[]
  /** The check looked only at what has changed; earlier errors are still there. */
  isPartial?: boolean
}

/** Call this before locking single breaches. */
export const holdBreaches = (tx: Tx): Promise<void> => queries.holdBreaches(tx)

/**
 * Records what a check of the money found. Returns true if it is a new breach, or an accepted one that has grown: then payouts stop
 * when `tx` commits.
 */
export const recordBreach = async (tx: Tx, found: Found): Promise<boolean> => {
  const now = clock.now()
  const open = await queries.lockOpenBreach(tx, found.check)
  if (!open) return (await queries.insertBreach(tx, { ...found, id: randomUUIDv7(), now })) > 0
  const grown = hasGrown(open.offCents, found.offCents)
  if (found.isPartial && !grown) return false
  const all = found.isPartial ? mergedWith(open, found) : found
  if (!open.isAccepted || !grown) {
    await queries.updateBreach(tx, open.id, all)
    return false
  }
  await queries.endBreach(tx, found.check, now)
  return (await queries.insertBreach(tx, { ...all, id: randomUUIDv7(), now })) > 0
}

/** True if this finding has not stopped payouts yet: it is not open, or it was accepted and has grown since. */
export const isNews = async (tx: Tx, { check, offCents }: Found): Promise<boolean> => {
  const open = await queries.lockOpenBreach(tx, check)
  return !open || (open.isAccepted && hasGrown(open.offCents, offCents))
}

const mergedWith = (open: queries.OpenBreach, found: Found): Found => {
  const offCents = { ...open.offCents, ...found.offCents }
  return { ...found, offCents, rowCount: Object.keys(offCents).length }
}

/** The check passes again. A breach that was not accepted yet still has to be. */
export const endBreach = (tx: Tx, check: string): Promise<number> => queries.endBreach(tx, check, clock.now())

/** Tells each admin once of each breach, even if the check passes again by then, since the breach still has to be accepted. */
export const tellOfBreaches = scheduled(
  'ledger.tell-of-breaches',
  everyMinute,
  () =>
    transact(async tx => {
      const untold = await queries.takeUntold(tx, clock.now())
      if (untold.length === 0) return
      const admins = await adminIds(tx)
      const facts = untold.map(({ id: breachId, ...found }) => ({ breachId, ...found }))
      await notifyMany(
        tx,
        facts.flatMap(each => admins.map(id => notice(id, 'BREACH_FOUND', each))),
      )
    }),
  { neverPaused: 'BY_ADMIN' },
)
