/**
 * Budgets for wrong passwords. Strangers' guesses must not lock the owner out, so each device and network from which an account
 * has signed in has a budget of its own, and all unknown ones share one. Checks of one's own password are counted per user
 * (decision 011).
 */
import { clock, daysAfter, hoursAfter } from '../../kit/clock.ts'
import { autocommit, transact, type Tx } from '../../kit/server/db.ts'
import { networkOf } from '../../kit/server/network.ts'
import { loginLimits, tooManyLogins } from '../rules.ts'
import * as queries from './passwordGuesses.queries.ts'

export type Source = { ip: string; device: string | undefined }

/** Whether the account has signed in from this device or this network within 90 days. */
const knownSource = (tx: Tx, email: string, { ip, device }: Source): Promise<KnownSource> =>
  queries.knownSource(tx, {
    email,
    device: device ?? '',
    network: networkOf(ip),
    since: daysAfter(clock.now(), -loginLimits.knownDays),
  })
type KnownSource = { device: boolean; network: boolean }

const ownBudget = (userId: string) => `OWN ${userId}`

const budgetOf = (email: string, { ip, device }: Source, known: KnownSource) => {
  if (known.device) return `DEVICE ${email} ${device}`
  return known.network ? `NETWORK ${email} ${networkOf(ip)}` : `UNKNOWN ${email}`
}

/** A guess that counts until it is forgiven. */
export type Guess = { id: number; budget: string }

const reserve = async (guess: queries.Guess, limited: boolean): Promise<Guess> => {
  const now = clock.now()
  const { windowMinutes, perAccount, perAddress } = loginLimits
  const limits = {
    now,
    since: hoursAfter(now, -windowMinutes / 60),
    perBudget: limited ? perAccount : unlimited,
    perNetwork: limited ? perAddress : unlimited,
  }
  const id = await transact(tx => queries.reserve(tx, guess, limits))
  if (id === undefined) throw tooManyLogins()
  return { id, budget: guess.budget }
}
const unlimited = 1_000_000

/** Counts a sign-in before its password is checked. Throws TOO_MANY_REQUESTS if the budget is used up. */
export const reserveSignIn = async (email: string, source: Source, limited: boolean): Promise<Guess> => {
  const budget = budgetOf(email, source, await knownSource(autocommit, email, source))
  return reserve({ email, budget, ip: source.ip, network: networkOf(source.ip) }, limited)
}

/** The same for a signed-in user's own password, which could otherwise be guessed with a stolen token. */
export const reserveOwn = (user: { id: string; email: string }): Promise<Guess> =>
  reserve({ email: user.email, budget: ownBudget(user.id), ip: 'signed in', network: null }, true)

/** The guess was right, so earlier wrong ones of its budget no longer count either. */
export const forgive = (tx: Tx, { id, budget }: Guess): Promise<void> => queries.clear(tx, budget, id)

/** Runs `check`; if it throws, the guess does not count. */
export const checked = async (guess: Guess, check: () => Promise<boolean>): Promise<boolean> => {
  try {
    return await check()
  } catch (error) {
    await queries.forget(autocommit, guess.id)
    throw error
  }
}

/** After a password reset, guesses at the old password no longer count. */
export const clearGuesses = async (tx: Tx, user: { id: string; email: string }): Promise<void> => {
  await queries.clearAll(tx, user.email, ownBudget(user.id))
}
