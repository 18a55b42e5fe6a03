/**
 * Compares our books with what the provider holds for us (decision 058), before each batch of payouts and every night. Money on its
 * way may or may not have arrived at the provider, so we expect a range rather than an exact balance, and anything within it is no
 * breach.
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
  /** The balance that the provider reports. */
  balanceCents: number
  /** The lowest and highest balance that our books allow, given the money on its way. */
  leastCents: number
  mostCents: number
  /** How far the balance is outside that range; 0 when both agree. */
  offCents: number
}

const tries = 3

type How = {
  /** Sums up all transfers instead of only recent changes. */
  inFull: boolean
  /** Set by a command that compares with a provider of its own. */
  provider?: Pick<PaymentProvider, 'name' | 'balanceCents' | 'unclaimedCents'>
}

/** Money that moves during the comparison widens the range, so a difference counts only when it is seen three times. */
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
  // Our cash already includes charges on their way, and still includes payouts and refunds on their way.
  return { leastCents: known - inCents - outCents, mostCents: known - unsentCents + returnedCents }
}

/** How long a provider's event may be on its way. A difference that lasts longer is a breach, if it is looked at this often. */
const standsHours = 5 / 60

/** `offSince`: when a difference was first seen that may still resolve itself; null if there is none, or if it is a breach. */
export type Looked = BooksAndProvider & { offSince: Instant | null }

/**
 * A lasting difference stops withdrawals like any other breach of the books. It lasts if every look within five minutes sees it in
 * the same direction, while `lookAtDifference` fetches the provider's news in between. Throws when the provider cannot be asked.
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
    // Money on its way may hide a difference, or part of one.
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

/**
 * Other money may come and go on top of a lasting difference, so the smallest amount seen counts. After a time in which nobody
 * looked, such as an outage, it starts over: the provider's news of that time has not been fetched yet.
 */
const standingWith = (
  last: queries.LastComparison | undefined,
  { provider, offCents }: BooksAndProvider,
  now: Instant,
): { since: Instant; cents: number } => {
  const goesOn =
    last?.provider === provider &&
    last.offSince !== null &&
    hoursBetween(last.at, now) < standsHours &&
    last.standingCents * offCents > 0
  if (!goesOn) return { since: now, cents: offCents }
  const cents = Math.abs(offCents) < Math.abs(last.standingCents) ? offCents : last.standingCents
  return { since: last.offSince!, cents }
}

/** Returns false while a difference may still resolve itself, because payouts wait for that. */
export const mayPayOut = async (): Promise<boolean> => {
  const last = await queries.lastComparison(autocommit)
  if (last && last.offSince !== null) return false
  return (await checkBalance({ inFull: false })).offSince === null
}
