/**
 * Our books against what the provider holds for us (decision 058): before each batch of payouts, and every night. What is on its way
 * may have arrived there or not, so it makes a span of what is right, and no breach.
 */
import { clock, hoursBetween, type Instant } from '../../kit/clock.ts'
import { autocommit, transact, type Tx } from '../../kit/server/db.ts'
import * as queries from './books.queries.ts'
import { endBreach, isNews, recordBreach } from './breaches.ts'
import type { PaymentProvider } from './provider.ts'
import { currentProvider } from './providers.ts'

const balanceCheck = 'provider-balance'

export type BooksAndProvider = {
  provider: string
  /** What it holds for us, as it says. */
  balanceCents: number
  /** The least and the most that it can hold by our books, given what is on its way. */
  leastCents: number
  mostCents: number
  /** By how much it is beyond that; 0 when both agree. */
  offCents: number
}

const tries = 3

type How = {
  /** Sums up all transfers. */
  inFull: boolean
  /** Where a command asks itself. */
  provider?: Pick<PaymentProvider, 'name' | 'balanceCents' | 'unclaimedCents'>
}

/** Money that moves meanwhile widens the span; a difference counts when it is seen three times. */
export const compareWithProvider = async ({ inFull, provider = currentProvider() }: How): Promise<BooksAndProvider> => {
  for (let attempt = 1; ; attempt++) {
    const compared = await compareOnce(inFull, provider)
    if (compared.offCents === 0 || attempt === tries) return compared
  }
}

const compareOnce = async (inFull: boolean, provider: NonNullable<How['provider']>): Promise<BooksAndProvider> => {
  const before = await spanOf(inFull)
  const balanceCents = await provider.balanceCents()
  const after = await spanOf(inFull)
  const leastCents = Math.min(before.leastCents, after.leastCents)
  const mostCents = Math.max(before.mostCents, after.mostCents)
  const beyond = (cents: number) => Math.min(0, cents - leastCents) + Math.max(0, cents - mostCents)
  const isExplained = beyond(balanceCents) === 0 || !provider.unclaimedCents
  const offCents = beyond(isExplained ? balanceCents : balanceCents - (await provider.unclaimedCents!()))
  return { provider: provider.name, balanceCents, leastCents, mostCents, offCents }
}

const spanOf = async (inFull: boolean): Promise<{ leastCents: number; mostCents: number }> => {
  if (!inFull) await transact(tx => queries.countCash(tx))
  const { cashCents, lostCents, outCents, inCents, unsentCents, returnedCents } = await queries.booksNow(
    autocommit,
    inFull,
  )
  const known = cashCents - lostCents
  // Charges on their way stand in our cash already, payouts and refunds are still in it.
  return { leastCents: known - inCents - outCents, mostCents: known - unsentCents + returnedCents }
}

/** So long may an event of the provider be on its way: a difference that has stood for longer is one. */
const standsHours = 5 / 60

/** With since when a difference is seen that may still explain itself; null where there is none, and of one that is a breach. */
export type Looked = BooksAndProvider & { offSince: Instant | null }

/**
 * A difference that stands stops withdrawals, like any other breach of the books: the same direction at every look for five
 * minutes, between which `lookAtDifference` fetches what the provider has to tell. Throws when the provider cannot be asked.
 */
export const checkBalance = async (how: { inFull: boolean }): Promise<Looked> => {
  const compared = await compareWithProvider(how)
  return transact(tx => bookComparison(tx, compared))
}

const bookComparison = async (tx: Tx, compared: BooksAndProvider): Promise<Looked> => {
  const { provider, offCents, leastCents, mostCents } = compared
  const [now, last] = [clock.now(), await queries.lockComparison(tx)]
  const foundOff = (cents: number) => ({
    check: balanceCheck,
    rowCount: 1,
    offCents: { [provider]: cents },
    examples: [compared],
    // What is on its way may hide a difference, or a part of it.
    isPartial: leastCents !== mostCents,
  })
  const isNew = offCents !== 0 && (await isNews(tx, foundOff(offCents)))
  const standing = isNew ? standingWith(last, compared, now) : { since: null, cents: 0 }
  const isBreach = standing.since !== null && hoursBetween(standing.since, now) >= standsHours
  const offSince = isBreach ? null : standing.since
  await queries.recordComparison(tx, { ...compared, offSince, standingCents: standing.cents, now })
  if (isBreach) await recordBreach(tx, foundOff(standing.cents))
  else if (offCents !== 0 && !isNew) await recordBreach(tx, foundOff(offCents))
  else if (offCents === 0 && leastCents === mostCents) await endBreach(tx, balanceCheck)
  return { ...compared, offSince }
}

/** What comes and goes beside a difference that stays makes it no smaller: the least of it counts. */
const standingWith = (
  last: queries.LastComparison | undefined,
  { provider, offCents }: BooksAndProvider,
  now: Instant,
): { since: Instant; cents: number } => {
  const goesOn = last?.provider === provider && last.offSince !== null && last.standingCents * offCents > 0
  if (!goesOn) return { since: now, cents: offCents }
  const cents = Math.abs(offCents) < Math.abs(last.standingCents) ? offCents : last.standingCents
  return { since: last.offSince!, cents }
}

/** False while a difference may still explain itself: payouts wait for that. */
export const mayPayOut = async (): Promise<boolean> => {
  const last = await queries.lastComparison(autocommit)
  if (last && last.offSince !== null) return false
  return (await checkBalance({ inFull: false })).offSince === null
}
