/** Adding, renaming and removing passkeys. */
import { randomUUIDv7 } from 'node:crypto'
import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { clock } from '../../kit/clock.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { DomainError } from '../../kit/errors.ts'
import { autocommit, transact } from '../../kit/server/db.ts'
import type { Attestation, PasskeyInfo } from '../secondFactorContract.ts'
import { challengeExpired, factorLimits } from '../secondFactorRules.ts'
import { liveOf, newChallenge } from './factorChallenges.ts'
import { liveChallenge, lockChallenge, useChallenge } from './factorChallenges.queries.ts'
import { lockUser, userById } from './queries.ts'
import { relyingParty } from './relyingParty.ts'
import { afterRemoval, assertMayBegin, codesForFirst, putInForce } from './secondFactor.ts'
import * as queries from './secondFactor.queries.ts'
import { warn } from './securityEmails.ts'
import { webAuthn } from './webAuthn.ts'

export const beginPasskey = async (user: SignedIn, currentPassword: string | undefined) => {
  await assertMayBegin(user, currentPassword)
  const { email, name } = await userById(autocommit, user.id)
  const excludeCredentials = await queries.credentialsOf(autocommit, user.id)
  if (excludeCredentials.length >= factorLimits.passkeys) throw tooMany()
  const asked = { purpose: 'NEW_PASSKEY', userId: user.id, sessionId: user.sessionId } as const
  const { bytes, text } = await newChallenge(autocommit, asked)
  const { id, name: rpName } = relyingParty()
  const { generateRegistrationOptions } = await webAuthn()
  const options = await generateRegistrationOptions({
    rpID: id,
    rpName,
    userName: email,
    userDisplayName: name,
    userID: new TextEncoder().encode(user.id),
    challenge: new Uint8Array(bytes),
    excludeCredentials,
    attestationType: 'none',
    supportedAlgorithmIDs,
    timeout: factorLimits.challengeMinutes * 60_000,
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  })
  return { challenge: text, options: { ...options } }
}

/** EdDSA, ES256 and RS256: every authenticator supports one of them. */
const supportedAlgorithmIDs = [-8, -7, -257]

const tooMany = () =>
  new DomainError('WRONG_STATE', `You can have at most ${factorLimits.passkeys} passkeys. Remove one first.`)

const notAccepted = () => new DomainError('INVALID_INPUT', 'The passkey could not be added. Try again.')

const verified = async (attestation: Attestation, challenge: string) => {
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty()
  const { verifyRegistrationResponse } = await webAuthn()
  const outcome = await verifyRegistrationResponse({
    response: attestation as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin,
    expectedRPID,
    requireUserVerification: true,
    supportedAlgorithmIDs,
    // Whatever is wrong with the attestation, it is refused.
  }).catch(() => null)
  if (!outcome?.verified) throw notAccepted()
  return outcome.registrationInfo.credential
}

type NewPasskey = { challenge: string; name: string; attestation: Attestation }
type Added = { passkey: PasskeyInfo; recoveryCodes: string[] | null }

export const addPasskey = async (user: SignedIn, { challenge, name, attestation }: NewPasskey): Promise<Added> => {
  const which = liveOf(challenge, 'NEW_PASSKEY', user.sessionId)
  if (!(await liveChallenge(autocommit, which))) throw challengeExpired(false)
  const credential = await verified(attestation, challenge)
  const codes = await codesForFirst(user)
  return transact(async tx => {
    await lockUser(tx, user.id)
    if (!(await lockChallenge(tx, which))) throw challengeExpired(false)
    // Several may have been begun before the last one was added.
    if ((await queries.credentialsOf(tx, user.id)).length >= factorLimits.passkeys) throw tooMany()
    const first = !(await queries.hasFactor(tx, user.id))
    const passkey = await queries.insertPasskey(tx, {
      id: randomUUIDv7(),
      userId: user.id,
      name,
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: attestation.response.transports ?? [],
      createdAt: clock.now(),
    })
    if (!passkey) throw new DomainError('WRONG_STATE', 'This passkey is already registered.')
    await useChallenge(tx, which.hash, clock.now())
    await warn(tx, user.id, 'SECOND_FACTOR_ADDED', { factor: 'PASSKEY', name })
    return { passkey, ...(await putInForce(tx, user, { first, codes })) }
  })
}

export const renamePasskey = (user: SignedIn, id: string, name: string): Promise<PasskeyInfo> =>
  queries.renamePasskey(autocommit, user.id, id, name)

export const removePasskey = (user: SignedIn, id: string): Promise<void> =>
  transact(async tx => {
    await lockUser(tx, user.id)
    const { name } = await queries.deletePasskey(tx, user.id, id)
    await afterRemoval(tx, user)
    await warn(tx, user.id, 'SECOND_FACTOR_REMOVED', { factor: 'PASSKEY', name })
  })
