/** People with a second factor, and the codes of their authenticator apps. */
import { Secret, TOTP } from 'otpauth'
import type { Session } from '../accounts/contract.ts'
import { clock } from '../kit/clock.ts'
import type { ErrorBody } from '../kit/errors.ts'
import type { FactorRequest } from '../kit/secondFactor.ts'
import { password, type Person, type Reply, type TestApp } from './app.ts'
import { type Authenticator, newAuthenticator } from './authenticator.ts'

const stepMs = 30_000

/** Moves the clock to the next step when this one is nearly over, so that a code does not expire on its way. */
const stayWithinStep = () => {
  const left = stepMs - (clock.nowMs() % stepMs)
  if (left < 12_000) clock.setOffsetMs(clock.offsetMs() + left)
}

/** The app's code, `steps` of 30 seconds from now. */
export const codeOf = (secret: string, steps = 0): string => {
  stayWithinStep()
  return new TOTP({ secret: Secret.fromBase32(secret), digits: 6, period: 30 }).generate({
    timestamp: clock.nowMs() + steps * stepMs,
  })
}

const assertStatus = ({ status, body }: Reply<unknown>, wanted: number) => {
  if (status !== wanted) throw new Error(`${status}: ${JSON.stringify(body)}`)
}

export type WithTotp = { secret: string; confirmedWith: string; recoveryCodes: string[] }

/** Sets up an authenticator app as the first factor, using the previous step's code, so that the current one is still unused. */
export const addTotp = async (person: Person): Promise<WithTotp> => {
  const begun = await person.call<{ secret: string }>('POST', '/users/me/second-factor/totp', {
    currentPassword: password,
  })
  assertStatus(begun, 200)
  const { secret } = begun.body
  const confirmedWith = codeOf(secret, -1)
  const confirmed = await person.call<{ recoveryCodes: string[] }>('POST', '/users/me/second-factor/totp/confirm', {
    code: confirmedWith,
  })
  assertStatus(confirmed, 200)
  return { secret, confirmedWith, recoveryCodes: confirmed.body.recoveryCodes }
}

export type WithPasskey = { passkey: Authenticator; id: string; recoveryCodes: string[] | null }

export const addPasskey = async (person: Person, passkey = newAuthenticator()): Promise<WithPasskey> => {
  const begun = await person.call<{ challenge: string }>('POST', '/users/me/passkeys/begin', {
    currentPassword: password,
  })
  assertStatus(begun, 200)
  const added = await person.call<{ passkey: { id: string }; recoveryCodes: string[] | null }>(
    'POST',
    '/users/me/passkeys',
    { challenge: begun.body.challenge, name: 'Phone', attestation: passkey.attest(begun.body.challenge) },
  )
  assertStatus(added, 201)
  return { passkey, id: added.body.passkey.id, recoveryCodes: added.body.recoveryCodes }
}

/** What the server asks for after the right password. */
export const firstStep = async (t: Pick<TestApp, 'call'>, email: string): Promise<FactorRequest> => {
  const reply = await t.call<ErrorBody>('POST', '/auth/login', { body: { email, password } })
  assertStatus(reply, 401)
  const { challenge, factors, passkeyRequest } = reply.body
  if (!challenge || !factors || passkeyRequest === undefined) throw new Error(JSON.stringify(reply.body))
  return { challenge, factors, passkeyRequest }
}

export const secondStep = (t: Pick<TestApp, 'call'>, body: object): Promise<Reply<Session & ErrorBody>> =>
  t.call<Session & ErrorBody>('POST', '/auth/second-factor', { body })
