/** `npm run resume`: lets the jobs go on, of a restored copy once everything that the provider did is accounted for. */
import { auditServerCommand } from '../../audit/server/audit.ts'
import { DomainError } from '../../kit/errors.ts'
import { autocommit, transact, type Tx } from '../../kit/server/db.ts'
import { keysOpenSample } from '../../kit/server/keySample.ts'
import { endPause, openPause, type Pause } from '../../kit/server/pauses.ts'
import type { Movements } from './movements.ts'
import { compare, type Finding } from './reconciling.ts'
import { claimFile } from './sandboxFile.ts'
import * as queries from './reconciling.queries.ts'

const refused = (sentence: string) => new DomainError('WRONG_STATE', sentence)

const again = 'Run `npm run reconcile`, and then `npm run resume`.'

/** Why a restored copy has to wait. */
const assertReady = (pause: Pause, keysOpen: boolean | null) => {
  if (pause.providerFile === null || pause.reconciledAt === null)
    throw refused(`This copy has not found the provider’s file yet. ${again}`)
  if (pause.keysFoundAt === null || keysOpen === false) {
    throw refused(
      `The encryption key at hand does not open what is stored here: set ENCRYPTION_KEY, or --keys. ${again}`,
    )
  }
}

const assertExplained = (found: queries.Found, accept: boolean) => {
  const open = found.UNKNOWN + found.DIFFERS
  if (open === 0 || accept) return
  throw refused(
    `${open} ${open === 1 ? 'movement is' : 'movements are'} not what the provider knows. Look at what \`npm run reconcile\` lists, and then run \`npm run resume -- --accept-differences\`.`,
  )
}

type Resume = {
  /** Only of a restored copy. */
  movements: Movements | undefined
  acceptDifferences: boolean
  sendOldEmails: boolean
  /** Queues of the emails that the original has sent. */
  emailQueues: readonly string[]
}

export type Resumed = { pause: Pause; lost: number; emails: number }

export const resume = async (how: Resume): Promise<Resumed> => {
  if (how.movements) await claimFile(autocommit, how.movements)
  const findings = how.movements ? await compare(how.movements) : []
  const size = how.movements ? (await how.movements.all()).size : 0
  return transact(async tx => {
    const locked = await queries.lockPause(tx)
    const pause = await openPause(tx)
    if (!locked || !pause) throw refused('Jobs are not paused.')
    const settled = pause.reason === 'RESTORED' ? await settle(tx, { ...how, locked, pause, findings, size }) : nothing
    await endPause(tx, { reason: pause.reason, by: null })
    const { reason, note } = pause
    const facts = { pause: reason, reason: note, lostMovements: settled.lost, emailsNotSent: settled.emails }
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

/** What the copy did not know of is written down before any job runs. */
const settle = async (tx: Tx, { locked, pause, findings, size, ...how }: Settling) => {
  assertReady(pause, await keysOpenSample(tx))
  if (locked.found?.movements !== size) throw refused(`The provider has moved money since it was asked. ${again}`)
  assertExplained(locked.found, how.acceptDifferences)
  const lost = findings.flatMap(({ kind, what, id, of, amountCents, at }) =>
    (kind === 'LOST_PAYOUT' || kind === 'LOST_REFUND') && at !== null ? [{ id, kind: what, of, amountCents, at }] : [],
  )
  await queries.insertLost(tx, lost)
  const asked = findings.flatMap(({ id, earlierCents }) => (earlierCents === undefined ? [] : [{ id, earlierCents }]))
  await queries.setCovered(tx, asked)
  const emails = how.sendOldEmails ? 0 : await queries.cancelJobsBefore(tx, how.emailQueues, locked.pausedOn)
  return { lost: lost.length, emails }
}
