/** Books what the provider did before a restore, and gives back charges that nobody here knows of (decision 044). */
import { clock, hoursAfter } from '../../kit/clock.ts'
import { DomainError } from '../../kit/errors.ts'
import { autocommit, transact, type Tx } from '../../kit/server/db.ts'
import { allDue, eachDue } from '../../kit/server/eachDue.ts'
import { enqueue, everyMinute, scheduled } from '../../kit/server/jobs.ts'
import type { Movement, Movements } from './movements.ts'
import { nameDestination, requestWithdrawal } from './payouts.queries.ts'
import { payOut } from './payouts.ts'
import { giveBack } from './sandbox.ts'
import { chargesAmong } from './sandbox.queries.ts'
import { sandboxMovements } from './sandboxFile.ts'
import { payoutDestination } from './stripe/accounts.ts'
import { stripeClient } from './stripe/client.ts'
import { giveLostChargeBack, refundAgain } from './stripe/lost.ts'
import * as queries from './lostMovements.queries.ts'

/** Keeps the original id, so that the provider answers that it has already paid. */
const book = ({ id, testerId, amountCents }: queries.LostPayout): Promise<void> =>
  transact(async tx => {
    const outcome = await requestWithdrawal(tx, { id, testerId, amountCents, pauseHours: 0, now: clock.now() })
    const destination = await payoutDestination(tx, testerId)
    if (outcome === 'OK' && destination !== null) await nameDestination(tx, id, destination)
    // The balance was spent meanwhile: the next run tries again.
    if (outcome !== 'OK' || (await queries.setBooked(tx, id, clock.now())) === 0)
      throw new DomainError('WRONG_STATE', `the payout ${id} of before the restore could not be booked: ${outcome}`)
    await enqueue(tx, payOut, { withdrawalId: id })
  })

export const bookLostPayouts = scheduled('ledger.book-lost-payouts', everyMinute, () =>
  eachDue(page => queries.bookablePayouts(autocommit, clock.now(), page), book),
)

/** How long a developer who pressed Pay may still repeat the request under the same key. */
const keptHours = 24
const askedAtOnce = 1_000

/** How far this process has gone through a file. */
const doneUntil = new WeakMap<Movements, string>()

export const voidLostCharges = scheduled('ledger.void-lost-charges', '51 * * * *', async () => {
  if (!stripeClient()) return voidInSandbox()
  await allDue([
    () => eachDue(page => queries.returnableCharges(autocommit, page), giveLostChargeBack),
    () => eachDue(page => queries.lostReturns(autocommit, page), refundAgain),
  ])
})

const voidInSandbox = async (): Promise<void> => {
  const before = hoursAfter(clock.now(), -keptHours)
  if (await queries.resumedSince(autocommit, before)) return
  const movements = await sandboxMovements()
  const from = doneUntil.get(movements) ?? ''
  const due = [...(await movements.all()).values()].filter(
    ({ kind, declined, at }) => kind === 'CHARGE' && declined === null && at > from && at <= before,
  )
  for (let first = 0; first < due.length; first += askedAtOnce) {
    const some = due.slice(first, first + askedAtOnce)
    const known = await chargesAmong(
      autocommit,
      some.map(({ id }) => id),
    )
    for (const charge of some) if (!known.has(charge.id)) await giveBackAlone(movements, charge)
  }
  doneUntil.set(movements, before)
}

/** A developer who presses Pay at this moment holds the lock of the campaign, and that request gives the charge back itself. */
const giveBackAlone = (movements: Movements, lost: Movement): Promise<void> =>
  transact(async (tx: Tx) => {
    await queries.lockCampaign(tx, lost.of)
    if (!(await chargesAmong(tx, [lost.id])).has(lost.id)) await giveBack(movements, lost)
  })
