/** `npm run resume`: lets jobs continue. In a restored copy, only once everything that the provider did is accounted for. */
import { auditServerCommand } from '../../audit/server/audit.ts'
import { clock } from '../../kit/clock.ts'
import { DomainError } from '../../kit/errors.ts'
import { transact, type Tx } from '../../kit/server/db.ts'
import { keysOpenSample } from '../../kit/server/keySample.ts'
import { endPause, openPause, type Pause } from '../../kit/server/pauses.ts'
import type { History } from './history.ts'
import { bookLostCharge } from './lostMovements.queries.ts'
import { coverRefundPart } from './payouts.queries.ts'
import { claimHistory, compare, type Finding } from './reconciling.ts'
import * as queries from './reconciling.queries.ts'

const refused = (sentence: string) => new DomainError('WRONG_STATE', sentence)

const again = 'Run `npm run reconcile`, and then `npm run resume`.'

/** Refuses, and says why a restored copy has to wait. */
const assertReady = (
  pause: Pause,
  provider: History['provider'],
  found: queries.Found | null,
  keysOpen: boolean | null,
) => {
  const isCompared = pause.providerFile !== null && pause.reconciledAt !== null && found !== null
  if (provider === 'stripe' && (!isCompared || found.provider !== 'stripe'))
    throw refused(`This copy has not been compared with Stripe yet. ${again}`)
  if (!isCompared) throw refused(`This copy has not been compared with the provider’s file yet. ${again}`)
  if (pause.keysFoundAt === null || keysOpen === false) {
    throw refused(
      `The current encryption key cannot decrypt the data stored here: set ENCRYPTION_KEY, or use --keys. ${again}`,
    )
  }
}

const assertExplained = (found: queries.Found, accept: boolean) => {
  const open = found.UNKNOWN + found.DIFFERS
  if (open === 0 || accept) return
  throw refused(
    `${open} ${open === 1 ? 'movement does' : 'movements do'} not match the provider’s records. Look at what \`npm run reconcile\` lists, and then run \`npm run resume -- --accept-differences\`.`,
  )
}

type Resume = {
  /** Set for a restored copy only. */
  history: History | undefined
  acceptDifferences: boolean
  sendOldEmails: boolean
  /** The queues of emails that the original has sent already. */
  emailQueues: readonly string[]
}

export type Resumed = { pause: Pause; lost: number; emails: number }

export const resume = async (how: Resume): Promise<Resumed> => {
  if (how.history) await claimHistory(how.history)
  const findings = how.history ? await compare(how.history) : []
  const size = how.history ? (await how.history.all()).size : 0
  return transact(async tx => {
    const locked = await queries.lockPause(tx)
    const pause = await openPause(tx)
    if (!locked || !pause) throw refused('Jobs are not paused.')
    const settled = pause.reason === 'RESTORED' ? await settle(tx, { ...how, locked, pause, findings, size }) : nothing
    await endPause(tx, { reason: pause.reason, by: null })
    const { reason, note } = pause
    const facts = { pause: reason, pausedBecause: note, lostMovements: settled.lost, emailsNotSent: settled.emails }
    await auditServerCommand(tx, { action: 'jobs.resume', subjectType: 'jobs', subjectId: pause.id, facts })
    return { pause, ...settled }
  })
}

const nothing = { lost: 0, emails: 0 }

type Settling = Resume & {
  locked: { pausedOn: string; found: queries.Found | null }
  pause: Pause
  findings: readonly Finding[]
  size: number
}

/** Records what the copy did not know before any job runs. */
const settle = async (tx: Tx, { locked, pause, findings, size, ...how }: Settling) => {
  const provider = how.history?.provider ?? 'sandbox'
  if (provider === 'sandbox' && (await queries.movedElsewhere(tx)))
    throw refused('This copy has moved money through Stripe: set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET.')
  assertReady(pause, provider, locked.found, await keysOpenSample(tx))
  if (locked.found?.movements !== size) throw refused(`The provider has moved money since the comparison. ${again}`)
  assertExplained(locked.found, how.acceptDifferences)
  const lost = findings.flatMap(({ kind, what, id, of, amountCents, at }) =>
    (kind === 'LOST_PAYOUT' || kind === 'LOST_REFUND') && at !== null ? [{ id, kind: what, of, amountCents, at }] : [],
  )
  await queries.insertLost(tx, provider, lost)
  const charges = findings.filter(({ kind }) => kind === 'LOST_CHARGE')
  let kept = 0
  for (const charge of charges) if (await keepCharge(tx, charge, provider)) kept++
  const paid = findings.flatMap(({ kind, what, id }) => (kind === 'ARRIVED' && what === 'PAYOUT' ? [id] : []))
  await queries.letThrough(tx, paid, clock.now())
  const asked = findings.flatMap(({ id, earlierCents }) => (earlierCents === undefined ? [] : [{ id, earlierCents }]))
  await queries.setCovered(tx, asked)
  await coverAnew(tx, findings)
  const emails = how.sendOldEmails ? 0 : await queries.cancelJobsBefore(tx, how.emailQueues, locked.pausedOn)
  return { lost: lost.length + kept, emails }
}

/**
 * Reopens refunds that are still to be paid or came back, since more may have been given back in the meantime than was known when
 * they were requested.
 */
const coverAnew = async (tx: Tx, findings: readonly Finding[]): Promise<void> => {
  const lost = findings.flatMap(({ kind, of }) => (kind === 'LOST_REFUND' ? [of] : []))
  const arrived = findings.filter(({ kind, what }) => kind === 'ARRIVED' && what === 'REFUND')
  const decided = arrived.flatMap(({ id, earlierCents }) => (earlierCents === undefined ? [] : [id]))
  const cameBack = arrived.flatMap(({ id, earlierCents }) => (earlierCents === undefined ? [id] : []))
  for (const { id, paymentId } of await queries.uncover(tx, lost, { decided, cameBack }))
    await coverRefundPart(tx, id, paymentId)
}

/** For Stripe only: the sandbox's own file keeps its charges. */
const keepCharge = async (tx: Tx, found: Finding, provider: History['provider']): Promise<boolean> => {
  const { id, of: campaignId, at, wholeCents: amountCents, reference, feeCents } = found
  if (at === null || amountCents === undefined || reference === undefined || feeCents === undefined) return false
  return bookLostCharge(tx, { id, campaignId, amountCents, feeCents, provider, reference, at }, clock.now())
}
