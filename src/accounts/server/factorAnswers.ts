/** Answers to challenges: a passkey's assertion, a code of the authenticator app or a recovery code. */
import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { clock, hoursAfter } from '../../kit/clock.ts'
import { autocommit, transact, type Tx } from '../../kit/server/db.ts'
import { isSealedWithOldKey, seal, unseal } from '../../kit/server/encryption.ts'
import type { Assertion, FactorAnswer } from '../secondFactorContract.ts'
import {
  challengeExpired,
  factorLimits,
  kindOfCode,
  notOneAnswer,
  recoveryCodeOf,
  tooManyCodes,
  totpOf,
  wrongFactor,
} from '../secondFactorRules.ts'
import { isOfPassword, liveOf } from './factorChallenges.ts'
import * as challenges from './factorChallenges.queries.ts'
import { holdUser, type UserRow } from './queries.ts'
import { recoveryHashOf } from './recoveryCodes.ts'
import { relyingParty } from './relyingParty.ts'
import * as queries from './secondFactor.queries.ts'
import { warn } from './securityEmails.ts'
import { stepOf } from './totp.ts'
import { webAuthn } from './webAuthn.ts'

export const totpPlace = (userId: string): string => `totp:${userId}`

const acceptsTotp = async (tx: Tx, userId: string, code: string): Promise<boolean> => {
  const row = await queries.totpOf(tx, userId)
  if (!row?.confirmedAt) return false
  const secret = unseal(row.secret, totpPlace(userId))
  const step = stepOf(secret, code)
  if (step === null || !(await queries.useStep(tx, userId, step))) return false
  if (isSealedWithOldKey(row.secret)) await queries.sealTotpAgain(tx, userId, seal(secret, totpPlace(userId)))
  return true
}

const acceptsRecovery = async (tx: Tx, userId: string, hash: Buffer | null): Promise<boolean> => {
  if (!hash || !(await queries.useRecoveryCode(tx, userId, hash, clock.now()))) return false
  const left = await queries.recoveryCodesLeft(tx, userId)
  await warn(tx, userId, 'RECOVERY_CODE_USED', { left })
  return true
}

/** The assertion in the browser's form, without the nulls that JSON may contain. */
const asResponse = ({ response, ...rest }: Assertion) =>
  ({
    ...rest,
    response: { ...response, userHandle: response.userHandle ?? undefined },
  }) as AuthenticationResponseJSON

/**
 * Checks origin, RP id, challenge, user verification, signature and counter. A counter that has not gone up means that the
 * passkey was copied (WebAuthn §6.1.1), and its owner is warned.
 */
const acceptsAssertion = async (tx: Tx, userId: string, { challenge, assertion }: PasskeyAnswer): Promise<boolean> => {
  const passkey = await queries.lockPasskey(tx, userId, assertion.id)
  if (!passkey) return false
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty()
  const { id: credentialId } = assertion
  // The counter is compared below, because the library reports a wrong counter like a wrong signature.
  const credential = { id: credentialId, publicKey: new Uint8Array(passkey.publicKey), counter: 0 }
  const { verifyAuthenticationResponse } = await webAuthn()
  const outcome = await verifyAuthenticationResponse({
    response: asResponse(assertion),
    expectedChallenge: challenge,
    expectedOrigin,
    expectedRPID,
    credential,
    requireUserVerification: true,
    // Whatever is wrong with the assertion, it is refused.
  }).catch(() => null)
  if (!outcome?.verified) return false
  const { newCounter } = outcome.authenticationInfo
  if (newCounter <= passkey.counter && (newCounter > 0 || passkey.counter > 0)) {
    await warn(tx, userId, 'PASSKEY_COPIED', { name: passkey.name })
    return false
  }
  await queries.usePasskey(tx, passkey.id, newCounter, clock.now())
  return true
}

type PasskeyAnswer = { challenge: string; assertion: Assertion }

type Outcome<T> = { value: T } | { refusal: () => Error }

type Answering = { answer: FactorAnswer; purpose: 'SIGN_IN' | 'STEP_UP'; sessionId: string | null }

type Proved = { user: UserRow; device: string | null }

const budgetOf = (userId: string, sessionId: string | null): challenges.Budget => ({
  userId,
  name: sessionId ?? 'SIGN_IN',
})

const overBudget = async (tx: Tx, budget: challenges.Budget): Promise<(() => Error) | null> => {
  const { windowMinutes, perWindow, perDay } = factorLimits.guesses
  const now = clock.now()
  const since = { window: hoursAfter(now, -windowMinutes / 60), day: hoursAfter(now, -24) }
  const { window, day } = await challenges.guessesOf(tx, budget, since)
  if (window < perWindow && day < perDay) return null
  return () => tooManyCodes(day >= perDay)
}

type Wrong = { userId: string; hash: Buffer; before: number; signingIn: boolean }

const countWrong = async (tx: Tx, { userId, hash, before, signingIn }: Wrong) => {
  await challenges.countWrongAnswer(tx, hash)
  if (before + 1 === factorLimits.wrongAnswers) await warn(tx, userId, 'SECOND_FACTOR_GUESSED', { signingIn })
}

const kindOf = ({ code }: FactorAnswer) => (code === undefined ? 'passkey' : kindOfCode(code))

/**
 * Checks the answer and, if it is right, uses up its challenge and runs `then` in the same transaction. A wrong answer is counted
 * and committed; five of them void the challenge.
 */
export const redeem = async <T>(
  { answer, purpose, sessionId }: Answering,
  then: (tx: Tx, proved: Proved) => Promise<T>,
): Promise<T> => {
  if ((answer.code === undefined) === (answer.assertion === undefined)) throw notOneAnswer()
  const which = liveOf(answer.challenge, purpose, sessionId)
  const { hash } = which
  const signingIn = purpose === 'SIGN_IN'
  const expired = () => challengeExpired(signingIn)
  const known = await challenges.liveChallenge(autocommit, which)
  if (!known) throw expired()
  const budget = budgetOf(known.userId, sessionId)
  const isCode = answer.code !== undefined
  // No hash is computed for an answer that is refused anyway.
  const spent = isCode && (await overBudget(autocommit, budget)) !== null
  const check = spent ? null : await checkOf(known.userId, answer)
  const outcome = await transact<Outcome<T>>(async tx => {
    const user = await holdUser(tx, known.userId)
    const challenge = await challenges.lockChallenge(tx, which)
    if (!user || !challenge || !isOfPassword(challenge.passwordHashDigest, user.passwordHash)) {
      return { refusal: expired }
    }
    if (isCode) await challenges.lockBudget(tx, budget)
    const over = isCode ? await overBudget(tx, budget) : null
    if (over) {
      await challenges.countWrongAnswer(tx, hash)
      return { refusal: over }
    }
    // The budget was used up a moment ago and no longer is, so the next attempt will be checked.
    if (!check) return { refusal: () => tooManyCodes(false) }
    if (!(await check(tx))) {
      if (isCode) await challenges.insertGuess(tx, budget, clock.now())
      await countWrong(tx, { userId: user.id, hash, before: challenge.wrongAnswers, signingIn })
      return { refusal: () => wrongFactor(kindOf(answer), signingIn) }
    }
    await challenges.useChallenge(tx, hash, clock.now())
    await challenges.clearGuesses(tx, budget)
    return { value: await then(tx, { user, device: challenge.device }) }
  })
  if ('refusal' in outcome) throw outcome.refusal()
  return outcome.value
}

/**
 * Hashes the recovery code or loads the passkey library before the transaction, because both are slow, and returns the check to
 * run inside.
 */
const checkOf = async (
  userId: string,
  { challenge, code, assertion }: FactorAnswer,
): Promise<(tx: Tx) => Promise<boolean>> => {
  if (assertion) {
    await webAuthn()
    return tx => acceptsAssertion(tx, userId, { challenge, assertion })
  }
  const totp = totpOf(code ?? '')
  if (totp !== null) return tx => acceptsTotp(tx, userId, totp)
  const recovery = recoveryCodeOf(code ?? '')
  if (recovery === null) return async () => false
  const hash = await recoveryHashOf(userId, recovery)
  return tx => acceptsRecovery(tx, userId, hash)
}
