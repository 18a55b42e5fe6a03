/** `npm run reconcile`: what the provider did that this database does not know, and vice versa (decision 044). */
import { clock } from '../../kit/clock.ts'
import { DomainError } from '../../kit/errors.ts'
import { autocommit } from '../../kit/server/db.ts'
import { keysOpenSample } from '../../kit/server/keySample.ts'
import { type FindingKind, findingKinds } from '../terms.ts'
import { type Done, type History, nobody } from './history.ts'
import type { Movement } from './movements.ts'
import { claimFile } from './sandboxFile.ts'
import * as queries from './reconciling.queries.ts'

export type Finding = {
  kind: FindingKind
  what: Movement['kind']
  id: string
  of: string
  amountCents: number
  at: string | null
  /** What happens to it, as a sentence. */
  outcome: string
  /** For a refund that has arrived: the part of it that had been paid before. */
  earlierCents?: number
  /** For a lost charge: the whole amount, including what was given back since. */
  wholeCents?: number
  reference?: string
  feeCents?: number
}

const atOnce = 2_000
const sentence = {
  paid: 'is recorded as paid when the jobs resume, and not paid again',
  declined: 'is recorded as declined when the jobs resume',
  payout: 'is booked as soon as the tester’s balance covers it; until then, they cannot withdraw',
  nobody: 'no user here has this ID: find the person manually',
  refund: 'is deducted from the next refunds of this payment',
  otherCopy:
    'was given back by a copy that did not know this payment, and is deducted from its next refunds: cancel its campaign, or it keeps running without that money',
  draft: 'is refunded when Pay is next pressed for the same amount, or after 24 hours',
  charge: 'is refunded 24 hours after the jobs resume',
  stripeCharge: 'is refunded at Stripe within an hour after the jobs resume',
  lostChargesRefund: 'is matched to its charge, which is also listed',
  late: 'is booked and refunded in full when the jobs resume',
  cameBack: 'has been returned since: this is recorded when the jobs resume',
  unknown: 'look for it in the provider’s file manually: it may be the wrong file, or lines may be missing',
  stripeUnknown:
    'look for it in the Stripe Dashboard manually: it may be the wrong account, or the metadata may have been changed',
  differs: 'compare both manually',
}

/** Movements that follow from others, and have no row of their own here. */
const isOnlyThere = (kind: Movement['kind'], provider: History['provider']) =>
  ['RETURN', 'DISPUTE'].includes(kind) || (kind === 'VOID' && provider === 'sandbox')

/** Compares everything, and changes nothing. */
export const compare = async (history: History): Promise<Finding[]> => {
  const all = await history.all()
  const found: Finding[] = []
  let chunk: Done[] = []
  for (const movement of all.values()) {
    if (isOnlyThere(movement.kind, history.provider)) continue
    if (chunk.push(movement) < atOnce) continue
    found.push(...(await unknownHere(history, chunk)))
    chunk = []
  }
  found.push(...(await unknownHere(history, chunk)))
  const doneThere = new Set([...all.values()].flatMap(({ id, declined }) => (declined === null ? [id] : [])))
  for await (const page of queries.believedDone(autocommit, history.provider)) {
    const missing = page.filter(({ id }) => !doneThere.has(id))
    const outcome = history.provider === 'stripe' ? sentence.stripeUnknown : sentence.unknown
    found.push(...missing.map(m => ({ ...m, what: m.kind, kind: 'UNKNOWN', at: null, outcome }) as const))
  }
  return found
}

const idsOf = (all: readonly Movement[], kind: Movement['kind']) =>
  all.flatMap(movement => (movement.kind === kind ? [movement.id] : []))
const ofOf = (all: readonly Movement[], kind: Movement['kind']) =>
  all.flatMap(movement => (movement.kind === kind ? [movement.of] : []))

const unknownHere = async (history: History, chunk: readonly Done[]): Promise<Finding[]> => {
  const [payments, withdrawals, parts, lost, users, drafts] = await Promise.all([
    queries.paymentsAmong(autocommit, [...idsOf(chunk, 'CHARGE'), ...ofOf(chunk, 'REFUND'), ...ofOf(chunk, 'VOID')]),
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
    if (movement.kind === 'VOID') {
      if (here) findings.push(...goneOf(movement))
      continue
    }
    const finding = here
      ? differenceOf(movement, here)
      : await lossOf(movement, { users, drafts, paid: known.has(movement.of), history })
    if (finding) findings.push(finding)
  }
  return findings
}

const findingOf = (m: Done, kind: FindingKind, outcome: string, amountCents = m.amountCents): Finding => ({
  kind,
  what: m.kind,
  id: m.id,
  of: m.of,
  amountCents,
  at: m.at,
  outcome,
  ...(kind === 'ARRIVED' && m.kind === 'REFUND' && m.isReturned !== true && { earlierCents: m.earlierCents ?? 0 }),
})

/** A copy restored from an older backup did not know this payment, and gave it back, but we do know it. */
const goneOf = (m: Done): Finding[] =>
  m.isReturned === true ? [] : [findingOf({ ...m, kind: 'REFUND' }, 'LOST_REFUND', sentence.otherCopy)]

/** For a movement that both sides know. */
const differenceOf = (movement: Done, here: queries.Known): Finding | undefined => {
  const isDone = movement.declined === null
  if (movement.isReturned === true) return returnOf(movement, here)
  if (here.amountCents !== movement.amountCents) return findingOf(movement, 'DIFFERS', sentence.differs)
  if (here.status === 'PENDING') return findingOf(movement, 'ARRIVED', isDone ? sentence.paid : sentence.declined)
  if (here.status === 'CANCELLED') return isDone ? findingOf(movement, 'ARRIVED', sentence.late) : undefined
  return (here.status === 'COMPLETED') === isDone ? undefined : findingOf(movement, 'DIFFERS', sentence.differs)
}

/** For a movement that came back. A refund that came back is retried by whatever code finds it. */
const returnOf = (movement: Done, here: queries.Known): Finding | undefined => {
  const isNews =
    here.status === 'COMPLETED' ? here.isReturned !== true : movement.kind === 'PAYOUT' && here.status === 'PENDING'
  return isNews ? findingOf(movement, 'ARRIVED', sentence.cameBack) : undefined
}

type Around = { users: Set<string>; drafts: Set<string>; paid: boolean; history: History }

/** For a movement that only the provider knows. */
const lossOf = async (m: Done, { users, drafts, paid, history }: Around): Promise<Finding | undefined> => {
  if (m.declined !== null || m.isReturned === true) return undefined
  if (m.kind === 'PAYOUT') return lostPayout(m, users, history)
  if (m.kind === 'REFUND') {
    // A refund of a lost charge is counted with that charge.
    const left = m.amountCents - (m.earlierCents ?? 0)
    if (!paid && history.provider === 'stripe')
      return m.of === nobody ? undefined : findingOf(m, 'LOST_REFUND', sentence.lostChargesRefund, left)
    return paid && left > 0 ? findingOf(m, 'LOST_REFUND', sentence.refund, left) : undefined
  }
  const givenBack = await history.givenBack(m.id)
  if (history.provider === 'stripe') return lostAtStripe(m, givenBack)
  if (givenBack >= m.amountCents) return undefined
  const then = givenBack === 0 && drafts.has(m.of) ? sentence.draft : sentence.charge
  return findingOf(m, 'LOST_CHARGE', then, m.amountCents - givenBack)
}

/** We may know only the account that was paid, and not whose it is. */
const lostPayout = async (m: Done, users: ReadonlySet<string>, history: History): Promise<Finding> => {
  if (m.of !== nobody || m.account === undefined)
    return findingOf(m, 'LOST_PAYOUT', users.has(m.of) ? sentence.payout : sentence.nobody)
  const of = (await history.ownerOf?.(m.account)) ?? nobody
  const isHere = (await queries.usersAmong(autocommit, [of])).has(of)
  return findingOf({ ...m, of }, 'LOST_PAYOUT', isHere ? sentence.payout : sentence.nobody)
}

/** Includes charges that were given back completely, because Stripe's fee has to be booked. */
const lostAtStripe = (m: Done, givenBack: number): Finding => {
  const { amountCents: wholeCents, reference, feeCents } = m
  if (reference === undefined || feeCents === undefined)
    throw new DomainError(
      'UNAVAILABLE',
      `Stripe has not booked the payment of charge ${m.id} yet. Try again in a few minutes.`,
    )
  return {
    ...findingOf(m, 'LOST_CHARGE', sentence.stripeCharge, wholeCents - givenBack),
    wholeCents,
    reference,
    feeCents,
  }
}

const countsOf = async (history: History, findings: readonly Finding[]): Promise<queries.Found> => {
  const counts = Object.fromEntries(
    findingKinds.map(kind => [kind, findings.filter(finding => finding.kind === kind).length]),
  ) as Record<FindingKind, number>
  return { ...counts, movements: (await history.all()).size, provider: history.provider }
}

/** `keysOpen` is null if there was nothing to try the keys on. */
export type Reconciled = { findings: Finding[]; found: queries.Found; keysOpen: boolean | null; wasPaused: boolean }

/** For a file: checks that it belongs to this database. */
export const claimHistory = async ({ id, path }: History): Promise<void> => {
  if (id !== undefined) await claimFile(autocommit, { id, path })
}

/** Compares, and notes on the pause of a restored copy that it has done so. */
export const reconcile = async (history: History): Promise<Reconciled> => {
  await claimHistory(history)
  const findings = await compare(history)
  const [found, keysOpen] = await Promise.all([countsOf(history, findings), keysOpenSample(autocommit)])
  const recorded = await queries.recordReconciled(autocommit, {
    keysFound: keysOpen !== false,
    providerFile: history.path,
    found,
    now: clock.now(),
  })
  return { findings, found, keysOpen, wasPaused: recorded > 0 }
}
