/** Challenges: what a sign-in or a step-up asks for. Only their hashes are kept. */
import { createHash, randomBytes } from 'node:crypto'
import { generateAuthenticationOptions } from '@simplewebauthn/server'
import { clock, hoursAfter } from '../../kit/clock.ts'
import type { Tx } from '../../kit/server/db.ts'
import type { Factor, FactorRequest, PasskeyRequest } from '../../kit/secondFactor.ts'
import { factorLimits } from '../secondFactorRules.ts'
import { insertChallenge, type Live, type Purpose } from './factorChallenges.queries.ts'
import { relyingParty } from './relyingParty.ts'
import { credentialsOf, hasFactor, recoveryCodesLeft, totpOf } from './secondFactor.queries.ts'

const digest = (text: string | Buffer) => createHash('sha256').update(text).digest()

/** The bytes that a passkey signs, and in base64url what the caller sends back. */
const newToken = () => {
  const bytes = randomBytes(32)
  return { bytes, text: bytes.toString('base64url'), hash: digest(bytes) }
}

type Asked = {
  purpose: Purpose
  userId: string
  sessionId?: string
  passwordHash?: string
  device?: string | undefined
}

const { challengeMinutes, wrongAnswers } = factorLimits

export const newChallenge = async (tx: Tx, asked: Asked): Promise<{ bytes: Buffer; text: string }> => {
  const { bytes, text, hash } = newToken()
  const now = clock.now()
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

/** What the user is asked for, or null for one who has no factor. */
export const factorRequestOf = async (tx: Tx, asked: Asked): Promise<FactorRequest | null> => {
  if (!(await hasFactor(tx, asked.userId))) return null
  const { bytes, text } = await newChallenge(tx, asked)
  const [passkeyRequest, totp, codesLeft] = [
    await passkeyRequestOf(tx, asked.userId, bytes),
    await totpOf(tx, asked.userId),
    await recoveryCodesLeft(tx, asked.userId),
  ]
  const factors: Factor[] = [
    ...(passkeyRequest ? (['PASSKEY'] as const) : []),
    ...(totp?.confirmedAt ? (['TOTP'] as const) : []),
    ...(codesLeft > 0 ? (['RECOVERY_CODE'] as const) : []),
  ]
  return { challenge: text, factors, passkeyRequest }
}
