/**
 * Compares what moved a provider's balance with what our books say of the same subjects, for `npm run reconcile` (decision 058).
 */
import type { Instant } from '../../kit/clock.ts'
import { autocommit } from '../../kit/server/db.ts'
import { firstCallAt } from './calls.queries.ts'
import * as queries from './comparing.queries.ts'
import type { PaymentProvider, ProviderMovement } from './provider.ts'

/**
 * `THERE`: only the provider has it. `HERE`: only we have it. `BOTH`: the amounts differ. `ON_ITS_WAY`: pending here and done
 * there, or a fee that we are about to fetch; this resolves itself. `ELSEWHERE`: everything that another installation did on the
 * same account.
 */
export const differenceKinds = ['THERE', 'HERE', 'BOTH', 'ON_ITS_WAY', 'ELSEWHERE'] as const

export type Difference = {
  where: (typeof differenceKinds)[number]
  kind: ProviderMovement['kind']
  /** Our id. For a dispute, or anything that names none of our subjects, the provider's id; for another installation, its id. */
  id: string
  /** The provider's ids of the movements. */
  references: string[]
  /** What the subject adds to the provider's balance. */
  thereCents: number
  hereCents: number
}

type There = Omit<Difference, 'where' | 'hereCents'> & Pick<ProviderMovement, 'movedAt'>

/** The sum of all movements of each subject. */
const sumsOf = async (provider: Required<Pick<PaymentProvider, 'movements'>>): Promise<Map<string, There>> => {
  const sums = new Map<string, There>()
  for await (const { kind, id, reference, cents, movedAt } of provider.movements()) {
    const key = `${kind}:${id}`
    const sum = sums.get(key) ?? { kind, id, references: [], thereCents: 0, movedAt }
    sum.references.push(reference)
    sum.thereCents += cents
    sums.set(key, sum)
  }
  return sums
}

/** The provider's fee is not known before its answer, so any sum in between is fine. */
const isBetween = (cents: number, one: number, other: number) =>
  one !== other && Math.min(one, other) <= cents && cents <= Math.max(one, other)

/** Fees from before our first call are never fetched. */
const isFetched = ({ kind, movedAt }: There, firstCall: Instant | null) =>
  kind === 'FEE' && firstCall !== null && movedAt !== undefined && movedAt >= firstCall

const whereOf = (there: There, firstCall: Instant | null): Difference['where'] =>
  there.kind === 'ELSEWHERE' ? there.kind : isFetched(there, firstCall) ? 'ON_ITS_WAY' : 'THERE'

/**
 * Reads our books after the provider, so anything booked in between is known to the provider too, or is pending here. Changes
 * nothing.
 */
export const compareMovements = async (
  provider: Pick<PaymentProvider, 'name'> & Required<Pick<PaymentProvider, 'movements'>>,
): Promise<Difference[]> => {
  const there = await sumsOf(provider)
  const found: Difference[] = []
  for await (const page of queries.bookedWith(autocommit, provider.name)) {
    for (const { kind, id, cents, pendingCents } of page) {
      const key = `${kind}:${id}`
      const { references = [], thereCents = 0 } = there.get(key) ?? {}
      const isThere = there.delete(key)
      const difference = { kind, id, references, thereCents, hereCents: cents }
      if (thereCents === cents) continue
      if (isBetween(thereCents, cents, cents + pendingCents)) found.push({ ...difference, where: 'ON_ITS_WAY' })
      else found.push({ ...difference, where: isThere ? 'BOTH' : 'HERE' })
    }
  }
  const firstCall = await firstCallAt(autocommit, provider.name)
  for (const each of there.values()) {
    const { kind, id, references, thereCents } = each
    if (thereCents !== 0)
      found.push({ kind, id, references, thereCents, where: whereOf(each, firstCall), hereCents: 0 })
  }
  return found
}
