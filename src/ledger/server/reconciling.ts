/** `npm run reconcile`: what the provider did that this database does not know of, and the reverse (decision 044). */
import { clock } from '../../kit/clock.ts'
import { autocommit } from '../../kit/server/db.ts'
import { keysOpenSample } from '../../kit/server/keySample.ts'
import { type FindingKind, findingKinds } from '../terms.ts'
import type { Movement, Movements } from './movements.ts'
import { claimFile } from './sandboxFile.ts'
import * as queries from './reconciling.queries.ts'

export type Finding = {
  kind: FindingKind
  what: Movement['kind']
  id: string
  of: string
  amountCents: number
  at: string | null
  /** What happens to it. */
  outcome: string
  /** Of a refund that has arrived: the part of it that had been paid before. */
  earlierCents?: number
}

const atOnce = 2_000
const sentence = {
  paid: 'is recorded as paid when the jobs go on, and not paid again',
  declined: 'is recorded as declined when the jobs go on',
  payout: 'is booked as soon as the balance allows it; until then they cannot withdraw',
  nobody: 'nobody here has this id: look for the person by hand',
  refund: 'is taken off the next refunds of this payment',
  draft: 'is given back at the next press of Pay for the same amount, or after 24 hours',
  charge: 'is given back 24 hours after the jobs go on',
  unknown: 'look for it in the provider’s file by hand: it may be the wrong file, or have lost lines',
  differs: 'look at both by hand',
}

/** What follows from other movements, and has no row of its own here. */
const isOnlyThere = (kind: Movement['kind']) => ['VOID', 'RETURN', 'DISPUTE'].includes(kind)

/** Compares everything; changes nothing. */
export const compare = async (movements: Movements): Promise<Finding[]> => {
  const all = await movements.all()
  const found: Finding[] = []
  let chunk: Movement[] = []
  for (const movement of all.values()) {
    if (isOnlyThere(movement.kind)) continue
    if (chunk.push(movement) < atOnce) continue
    found.push(...(await unknownHere(movements, chunk)))
    chunk = []
  }
  found.push(...(await unknownHere(movements, chunk)))
  const doneThere = new Set([...all.values()].flatMap(({ id, declined }) => (declined === null ? [id] : [])))
  for await (const page of queries.believedDone(autocommit)) {
    const missing = page.filter(({ id }) => !doneThere.has(id))
    found.push(
      ...missing.map(m => ({ ...m, what: m.kind, kind: 'UNKNOWN', at: null, outcome: sentence.unknown }) as const),
    )
  }
  return found
}

const idsOf = (all: readonly Movement[], kind: Movement['kind']) =>
  all.flatMap(movement => (movement.kind === kind ? [movement.id] : []))
const ofOf = (all: readonly Movement[], kind: Movement['kind']) =>
  all.flatMap(movement => (movement.kind === kind ? [movement.of] : []))

const unknownHere = async (movements: Movements, chunk: readonly Movement[]): Promise<Finding[]> => {
  const [payments, withdrawals, parts, lost, users, drafts] = await Promise.all([
    queries.paymentsAmong(autocommit, [...idsOf(chunk, 'CHARGE'), ...ofOf(chunk, 'REFUND')]),
    queries.withdrawalsAmong(autocommit, idsOf(chunk, 'PAYOUT')),
    queries.refundPartsAmong(autocommit, idsOf(chunk, 'REFUND')),
    queries.lostAmong(
      autocommit,
      chunk.map(({ id }) => id),
    ),
    queries.usersAmong(autocommit, ofOf(chunk, 'PAYOUT')),
    queries.draftsAmong(autocommit, ofOf(chunk, 'CHARGE')),
  ])
  const known = new Map([...payments, ...withdrawals, ...parts].map(row => [row.id, row]))
  const findings: Finding[] = []
  for (const movement of chunk) {
    if (lost.has(movement.id)) continue
    const here = known.get(movement.id)
    const finding = here
      ? differenceOf(movement, here)
      : await lossOf(movement, { users, drafts, paid: known.has(movement.of), movements })
    if (finding) findings.push(finding)
  }
  return findings
}

const findingOf = (m: Movement, kind: FindingKind, outcome: string, amountCents = m.amountCents): Finding => ({
  kind,
  what: m.kind,
  id: m.id,
  of: m.of,
  amountCents,
  at: m.at,
  outcome,
  ...(kind === 'ARRIVED' && m.kind === 'REFUND' && { earlierCents: m.earlierCents ?? 0 }),
})

/** Both know of it. */
const differenceOf = (movement: Movement, here: queries.Known): Finding | undefined => {
  const isDone = movement.declined === null
  if (here.amountCents !== movement.amountCents) return findingOf(movement, 'DIFFERS', sentence.differs)
  if (here.status === 'PENDING') return findingOf(movement, 'ARRIVED', isDone ? sentence.paid : sentence.declined)
  return (here.status === 'COMPLETED') === isDone ? undefined : findingOf(movement, 'DIFFERS', sentence.differs)
}

type Around = { users: Set<string>; drafts: Set<string>; paid: boolean; movements: Movements }

/** Only the provider knows of it. */
const lossOf = async (m: Movement, { users, drafts, paid, movements }: Around): Promise<Finding | undefined> => {
  if (m.declined !== null) return undefined
  if (m.kind === 'PAYOUT') {
    return findingOf(m, 'LOST_PAYOUT', users.has(m.of) ? sentence.payout : sentence.nobody)
  }
  if (m.kind === 'REFUND') {
    // That of a lost charge is counted there.
    const left = m.amountCents - (m.earlierCents ?? 0)
    return paid && left > 0 ? findingOf(m, 'LOST_REFUND', sentence.refund, left) : undefined
  }
  const givenBack = await movements.givenBack(m.id)
  if (givenBack >= m.amountCents) return undefined
  const then = givenBack === 0 && drafts.has(m.of) ? sentence.draft : sentence.charge
  return findingOf(m, 'LOST_CHARGE', then, m.amountCents - givenBack)
}

const countsOf = async (movements: Movements, findings: readonly Finding[]): Promise<queries.Found> => {
  const counts = Object.fromEntries(
    findingKinds.map(kind => [kind, findings.filter(finding => finding.kind === kind).length]),
  ) as Record<FindingKind, number>
  return { ...counts, movements: (await movements.all()).size }
}

/** Null when there was nothing to try the keys on. */
export type Reconciled = { findings: Finding[]; found: queries.Found; keysOpen: boolean | null; wasPaused: boolean }

/** Compares, and notes on the pause of a restored copy that it did. */
export const reconcile = async (movements: Movements): Promise<Reconciled> => {
  await claimFile(autocommit, movements)
  const findings = await compare(movements)
  const [found, keysOpen] = await Promise.all([countsOf(movements, findings), keysOpenSample(autocommit)])
  const recorded = await queries.recordReconciled(autocommit, {
    keysFound: keysOpen !== false,
    providerFile: movements.path,
    found,
    now: clock.now(),
  })
  return { findings, found, keysOpen, wasPaused: recorded > 0 }
}
