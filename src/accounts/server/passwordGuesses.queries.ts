import { lockOf } from '../../kit/server/advisoryLocks.ts'
import { sql, type Tx } from '../../kit/server/db.ts'

export type Sighting = { email: string; device: string; network: string; since: string }

/**
 * Whether the account of this email has signed in from this device or network since then. One round trip, even if there is no
 * account.
 */
export const knownSource = async (
  tx: Tx,
  { email, device, network, since }: Sighting,
): Promise<{ device: boolean; network: boolean }> =>
  (await tx.maybe<{ device: boolean; network: boolean }>(sql`
    select
      exists (select from sessions s where s.user_id = u.id and s.device_fingerprint = ${device}
        and s.device_fingerprint <> '' and s.created_at > ${since}) as device,
      exists (select from sessions s where s.user_id = u.id and s.network = ${network} and s.network <> ''
        and s.created_at > ${since}) as network
    from users u where u.email = ${email} and u.deleted_at is null`)) ?? { device: false, network: false }

export type Guess = {
  email: string
  budget: string
  ip: string
  /** Null for a check of one's own password, which does not count against any network. */
  network: string | null
}

type Limits = { now: string; since: string; perBudget: number; perNetwork: number }

/**
 * Counts the guess before the password is checked, so concurrent guesses cannot exceed a limit. Returns its id, or undefined if
 * the budget or the network is used up. Both counts stop at their limits, so an attack does not slow down the next check. Holds
 * locks until the end of `tx`, so keep that short.
 */
export const reserve = async (tx: Tx, guess: Guess, limits: Limits): Promise<number | undefined> => {
  const { email, budget, ip, network } = guess
  const { now, since, perBudget, perNetwork } = limits
  // Guesses of one budget, or from one network, are serialized, because concurrent ones would not see each other.
  await tx.rows(sql`select ${lockOf('GUESS_BUDGET', budget)}, ${lockOf('GUESS_NETWORK', network)}`)
  const reserved = await tx.maybe<{ id: number }>(sql`
    insert into login_failures (email, budget, ip, network, at)
    select ${email}::text, ${budget}::text, ${ip}::text, ${network}::text, ${now}::timestamptz
    where (select count(*) from (select from login_failures where budget = ${budget} and at > ${since} and not cleared limit ${perBudget}) a)
        < ${perBudget}::int
      and (select count(*) from (select from login_failures where network = ${network} and at > ${since} and not cleared limit ${perNetwork}) b)
        < ${perNetwork}::int returning id`)
  return reserved?.id
}

/** After a success, removes the guess itself; earlier failures no longer count but are kept for the security report. */
export const clear = async (tx: Tx, budget: string, id: number): Promise<void> => {
  // Without this lock, two concurrent successes could deadlock on each other's rows.
  await tx.rows(sql`select ${lockOf('GUESS_BUDGET', budget)}`)
  await tx.run(sql`delete from login_failures where id = ${id}`)
  await tx.run(sql`update login_failures set cleared = true where budget = ${budget} and not cleared`)
}

export const forget = (tx: Tx, id: number): Promise<number> => tx.run(sql`delete from login_failures where id = ${id}`)

/** Clears all budgets of an account: those of its email, and the one for its own password. */
export const clearAll = (tx: Tx, email: string, ownBudget: string): Promise<number> =>
  tx.run(sql`update login_failures set cleared = true
    where id in (select id from login_failures where email = ${email}
      union select id from login_failures where budget = ${ownBudget} and not cleared) and not cleared`)
