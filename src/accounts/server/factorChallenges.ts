/** Challenges: what a sign-in or a step-up asks for. Only their hashes are kept. */
import { createHash, randomBytes } from 'node:crypto'
import { clock, hoursAfter } from '../../kit/clock.ts'
import { transact, type Tx } from '../../kit/server/db.ts'
import { linkTokenOf } from '../../kit/server/linkTokens.ts'
import type { Factor, FactorRequest, PasskeyRequest } from '../../kit/secondFactor.ts'
import { factorLimits } from '../secondFactorRules.ts'
import { insertChallenge, type Live, lockSession, openStepUp, type Purpose } from './factorChallenges.queries.ts'
import { relyingParty } from './relyingParty.ts'
import { credentialsOf, hasFactor, recoveryCodesLeft, totpOf } from './secondFactor.queries.ts'
import { webAuthn } from './webAuthn.ts'

const digest = (text: string | Buffer) => createHash('sha256').update(text).digest()

/** A passkey signs the bytes; the caller sends them back in base64url. */
const tokenOf = (bytes: Buffer) => ({ bytes, text: bytes.toString('base64url'), hash: digest(bytes) })
type Token = ReturnType<typeof tokenOf>

/** Derived from the session, the time and the server's secret, so it can be sent again without being stored. */
const stepUpToken = (sessionId: string, createdAt: string) =>
  tokenOf(Buffer.from(linkTokenOf(`step-up ${sessionId} ${createdAt}`), 'base64url'))

type Asked = {
  purpose: Purpose
  userId: string
  sessionId?: string
  passwordHash?: string
  device?: string | undefined
}

const { challengeMinutes, wrongAnswers } = factorLimits

export const newChallenge = async (
  tx: Tx,
  asked: Asked,
  now = clock.now(),
  { bytes, text, hash } = tokenOf(randomBytes(32)),
): Promise<Pick<Token, 'bytes' | 'text'>> => {
  await insertChallenge(tx, {
    hash,
    purpose: asked.purpose,
    userId: asked.userId,
    sessionId: asked.sessionId ?? null,
    passwordHashDigest: asked.passwordHash === undefined ? null : digest(asked.passwordHash),
    device: asked.device || null,
    now,
    expiresAt: hoursAfter(now, challengeMinutes / 60),
  })
  return { bytes, text }
}

export const isOfPassword = (passwordHashDigest: Buffer | null, passwordHash: string): boolean =>
  passwordHashDigest === null || passwordHashDigest.equals(digest(passwordHash))

export const liveOf = (challenge: string, purpose: Purpose, sessionId: string | null): Live => ({
  hash: digest(Buffer.from(challenge, 'base64url')),
  purpose,
  sessionId,
  now: clock.now(),
  wrongAnswers,
})

const passkeyRequestOf = async (tx: Tx, userId: string, challenge: Buffer): Promise<PasskeyRequest | null> => {
  const credentials = await credentialsOf(tx, userId)
  if (credentials.length === 0) return null
  const { id: rpId } = relyingParty()
  const { generateAuthenticationOptions } = await webAuthn()
  const options = await generateAuthenticationOptions({
    rpID: rpId,
    challenge: new Uint8Array(challenge),
    allowCredentials: credentials,
    userVerification: 'required',
    timeout: challengeMinutes * 60_000,
  })
  return {
    challenge: options.challenge,
    rpId,
    timeout: challengeMinutes * 60_000,
    userVerification: 'required',
    allowCredentials: credentials.map(credential => ({ ...credential, type: 'public-key' })),
  }
}

/** The challenge and the factors that can answer it; null for a user without a factor. */
export const factorRequestOf = async (tx: Tx, asked: Asked): Promise<FactorRequest | null> => {
  if (!(await hasFactor(tx, asked.userId))) return null
  return requestWith(tx, asked.userId, await newChallenge(tx, asked))
}

/** A session has one open challenge at a time, so one answer serves all of its refused calls. */
export const stepUpRequestOf = (userId: string, sessionId: string): Promise<FactorRequest | null> =>
  transact(async tx => {
    if (!(await hasFactor(tx, userId))) return null
    await lockSession(tx, sessionId)
    return requestWith(tx, userId, await stepUpChallenge(tx, userId, sessionId))
  })

const stepUpChallenge = async (tx: Tx, userId: string, sessionId: string) => {
  const now = clock.now()
  const expiresAfter = hoursAfter(now, challengeMinutes / 2 / 60)
  const open = await openStepUp(tx, { sessionId, expiresAfter, wrongAnswers })
  const again = open && stepUpToken(sessionId, open.createdAt)
  // If the hashes differ, another server with a different secret made the challenge.
  if (again && again.hash.equals(open.hash)) return again
  return newChallenge(tx, { purpose: 'STEP_UP', userId, sessionId }, now, stepUpToken(sessionId, now))
}

const requestWith = async (
  tx: Tx,
  userId: string,
  { bytes, text }: Pick<Token, 'bytes' | 'text'>,
): Promise<FactorRequest> => {
  const [passkeyRequest, totp, codesLeft] = [
    await passkeyRequestOf(tx, userId, bytes),
    await totpOf(tx, userId),
    await recoveryCodesLeft(tx, userId),
  ]
  const factors: Factor[] = [
    ...(passkeyRequest ? (['PASSKEY'] as const) : []),
    ...(totp?.confirmedAt ? (['TOTP'] as const) : []),
    ...(codesLeft > 0 ? (['RECOVERY_CODE'] as const) : []),
  ]
  return { challenge: text, factors, passkeyRequest }
}
