import { lockOf } from '../../kit/server/advisoryLocks.ts'
import { sql, type Tx } from '../../kit/server/db.ts'

export type Purpose = 'SIGN_IN' | 'STEP_UP' | 'NEW_PASSKEY'

export type ChallengeRow = {
  userId: string
  sessionId: string | null
  passwordHashDigest: Buffer | null
  device: string | null
  wrongAnswers: number
}

type NewChallenge = Omit<ChallengeRow, 'wrongAnswers'> & {
  hash: Buffer
  purpose: Purpose
  now: string
  expiresAt: string
}

export const insertChallenge = (tx: Tx, c: NewChallenge): Promise<number> =>
  tx.run(sql`
    insert into factor_challenges (token_hash, purpose, user_id, session_id, password_hash_digest, device_fingerprint,
      created_at, expires_at)
    values (${c.hash}, ${c.purpose}, ${c.userId}, ${c.sessionId}, ${c.passwordHashDigest}, ${c.device}, ${c.now},
      ${c.expiresAt})`)

export type Live = { hash: Buffer; purpose: Purpose; sessionId: string | null; now: string; wrongAnswers: number }

const live = ({ hash, purpose, sessionId, now, wrongAnswers }: Live) => sql`
  select user_id as "userId", session_id as "sessionId", password_hash_digest as "passwordHashDigest",
    device_fingerprint as device, wrong_answers as "wrongAnswers"
  from factor_challenges where token_hash = ${hash} and purpose = ${purpose}
    and session_id is not distinct from ${sessionId} and expires_at > ${now} and used_at is null
    and wrong_answers < ${wrongAnswers}`

/** Undefined if the challenge cannot be answered any more, or is for another purpose or session. */
export const liveChallenge = (tx: Tx, which: Live): Promise<ChallengeRow | undefined> => tx.maybe(live(which))

/** Also locks the challenge, so two concurrent answers are checked one after the other. */
export const lockChallenge = (tx: Tx, which: Live): Promise<ChallengeRow | undefined> =>
  tx.maybe(sql`${live(which)} for update`)

export const useChallenge = (tx: Tx, hash: Buffer, now: string): Promise<number> =>
  tx.run(sql`update factor_challenges set used_at = ${now} where token_hash = ${hash}`)

export const countWrongAnswer = (tx: Tx, hash: Buffer): Promise<number> =>
  tx.run(sql`update factor_challenges set wrong_answers = wrong_answers + 1 where token_hash = ${hash}`)

/** A user's wrong codes, either at sign-ins (`SIGN_IN`) or in one session. */
export type Budget = { userId: string; name: string }

export const guessesOf = (
  tx: Tx,
  { userId, name }: Budget,
  since: { window: string; day: string },
): Promise<{ window: number; day: number }> =>
  tx.one(
    sql`select count(*) filter (where at > ${since.window}) as window, count(*) as day
    from factor_guesses where user_id = ${userId} and budget = ${name} and at > ${since.day}`,
    'User',
  )

/** Serializes step-up requests of one session until the end of `tx`. */
export const lockSession = (tx: Tx, sessionId: string): Promise<number> =>
  tx.run(sql`select from sessions where id = ${sessionId} for no key update`)

/** The session's newest step-up challenge that can still be answered for a while. */
export const openStepUp = (
  tx: Tx,
  { sessionId, expiresAfter, wrongAnswers }: { sessionId: string; expiresAfter: string; wrongAnswers: number },
): Promise<{ hash: Buffer; createdAt: string } | undefined> =>
  tx.maybe(sql`select token_hash as hash, created_at as "createdAt" from factor_challenges
    where session_id = ${sessionId} and purpose = 'STEP_UP' and used_at is null and expires_at > ${expiresAfter}
      and wrong_answers < ${wrongAnswers} order by created_at desc limit 1`)

/** Serializes the guesses of one budget until the end of `tx`, because concurrent ones would not see each other. */
export const lockBudget = async (tx: Tx, { userId, name }: Budget): Promise<void> => {
  await tx.rows(sql`select ${lockOf('FACTOR_GUESSES', `${userId} ${name}`)}`)
}

export const insertGuess = (tx: Tx, { userId, name }: Budget, at: string): Promise<number> =>
  tx.run(sql`insert into factor_guesses (user_id, budget, at) values (${userId}, ${name}, ${at})`)

export const clearGuesses = (tx: Tx, { userId, name }: Budget): Promise<number> =>
  tx.run(sql`delete from factor_guesses where user_id = ${userId} and budget = ${name}`)

export const forgetChallenges = (tx: Tx, expiredBefore: string): Promise<number> =>
  tx.run(sql`delete from factor_challenges where expires_at < ${expiredBefore}`)

export const forgetGuesses = (tx: Tx, before: string): Promise<number> =>
  tx.run(sql`delete from factor_guesses where at < ${before}`)
