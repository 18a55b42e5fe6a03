/** The second factor: passkeys, authenticator apps (TOTP), recovery codes, and proving one of them (product.md §5). */
import { z } from 'zod'
import { endpoints } from '../kit/endpoint.ts'
import { ById, Id, Instant, line } from '../kit/schemas.ts'
import { Session } from './contract.ts'

export const PasskeyInfo = z.object({
  id: Id,
  name: z.string(),
  createdAt: Instant,
  lastUsedAt: Instant.nullable(),
})
export type PasskeyInfo = z.output<typeof PasskeyInfo>

export const SecondFactors = z.object({
  /** True when signing in asks for one of them. */
  inForce: z.boolean(),
  /** True when the caller can do nothing else before setting one up. */
  required: z.boolean(),
  passkeys: z.array(PasskeyInfo),
  /** The authenticator app; null without one. */
  totp: z.object({ since: Instant }).nullable(),
  recoveryCodesLeft: z.int(),
})
export type SecondFactors = z.output<typeof SecondFactors>

const base64url = (label: string, max: number) =>
  z
    .string({ error: `${label} is required` })
    .regex(/^[\w-]+$/, { error: `${label} must be base64url` })
    .max(max, { error: `${label} is too long` })

const Challenge = base64url('Challenge', 100)
const Code = z
  .string({ error: 'Enter a code' })
  .trim()
  .min(1, { error: 'Enter a code' })
  .max(40, { error: 'A code may have at most 40 characters' })
  .meta({ examples: ['492039'] })

const credentialParts = {
  id: base64url('Credential id', 2000),
  rawId: base64url('Raw id', 2000),
  type: z.enum(['public-key'], { error: 'The type must be public-key' }),
  clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
}

/** WebAuthn’s AuthenticationResponseJSON, as the browser sends it. */
export const Assertion = z.object({
  ...credentialParts,
  response: z.object({
    clientDataJSON: base64url('Client data', 10_000),
    authenticatorData: base64url('Authenticator data', 10_000),
    signature: base64url('Signature', 10_000),
    userHandle: z.string().max(200).nullish(),
  }),
})
export type Assertion = z.output<typeof Assertion>

/** WebAuthn’s RegistrationResponseJSON, as the browser sends it. */
export const Attestation = z.object({
  ...credentialParts,
  response: z.object({
    clientDataJSON: base64url('Client data', 10_000),
    attestationObject: base64url('Attestation', 100_000),
    transports: z.array(z.string().max(40)).max(10).optional(),
  }),
})
export type Attestation = z.output<typeof Attestation>

/** Either a code or an assertion; `code` is one of the authenticator app or a recovery code. */
export const FactorAnswer = z
  .object({ challenge: Challenge, code: Code.optional(), assertion: Assertion.optional() })
  .meta({ examples: [{ challenge: 'pBY3sYFcVPpQvNqWXmIk2EdeGrMkzF8nLkGmhPD1Y2s', code: '492039' }] })
export type FactorAnswer = z.output<typeof FactorAnswer>

export const CodeForm = z.object({ code: Code })

/** The password is needed for the first factor only; adding another one asks for an existing factor. */
const Beginning = z.object({
  currentPassword: z.string().max(200, { error: 'Password may have at most 200 characters' }).optional(),
})

export const PasskeyName = line('Name', 60)

/** Shown once, because only hashes are kept. Null when the account already has its codes. */
const RecoveryCodes = z.array(z.string())

export const secondFactorApi = endpoints({
  secondFactor: {
    method: 'POST',
    path: '/auth/second-factor',
    access: 'PUBLIC',
    summary: 'Finish signing in: answer the challenge of a 401 SECOND_FACTOR_REQUIRED. 401 for a wrong answer.',
    body: FactorAnswer,
    reply: Session,
    errors: ['WRONG_CREDENTIALS', 'SECOND_FACTOR_EXPIRED', 'SUSPENDED'],
  },
  stepUp: {
    method: 'POST',
    path: '/auth/step-up',
    access: 'SIGNED_IN',
    summary: 'Answer the challenge of a 403 STEP_UP_REQUIRED. Valid for ten minutes; 400 for a wrong answer.',
    body: FactorAnswer,
    errors: ['WRONG_STATE'],
  },
  secondFactors: {
    method: 'GET',
    path: '/users/me/second-factor',
    access: 'SIGNED_IN',
    summary: 'The caller’s second factors.',
    reply: SecondFactors,
    beforeSecondFactor: true,
  },
  beginTotp: {
    method: 'POST',
    path: '/users/me/second-factor/totp',
    access: 'SIGNED_IN',
    summary:
      'Create a secret for an authenticator app, which takes effect once confirmed. 409 if there already is an app.',
    body: Beginning,
    reply: z.object({ secret: z.string(), uri: z.string() }),
    stepUp: true,
    beforeSecondFactor: true,
    errors: ['WRONG_STATE'],
  },
  confirmTotp: {
    method: 'POST',
    path: '/users/me/second-factor/totp/confirm',
    access: 'SIGNED_IN',
    summary: 'Confirm the authenticator app with a code. The first factor comes with ten recovery codes.',
    body: CodeForm,
    reply: z.object({ recoveryCodes: RecoveryCodes.nullable() }),
    beforeSecondFactor: true,
    errors: ['WRONG_STATE'],
  },
  removeTotp: {
    method: 'DELETE',
    path: '/users/me/second-factor/totp',
    access: 'SIGNED_IN',
    summary: 'Remove the authenticator app. 409 if it is an admin’s last factor, in production.',
    stepUp: true,
    errors: ['NOT_FOUND', 'WRONG_STATE'],
  },
  renewRecoveryCodes: {
    method: 'POST',
    path: '/users/me/second-factor/recovery-codes',
    access: 'SIGNED_IN',
    summary: 'Create ten new recovery codes; the old ones stop working. 409 without a factor.',
    reply: z.object({ recoveryCodes: RecoveryCodes }),
    stepUp: true,
    errors: ['WRONG_STATE'],
  },
  beginPasskey: {
    method: 'POST',
    path: '/users/me/passkeys/begin',
    access: 'SIGNED_IN',
    summary: 'The options for `navigator.credentials.create`, including the challenge.',
    body: Beginning,
    reply: z.object({ challenge: z.string(), options: z.record(z.string(), z.unknown()) }),
    stepUp: true,
    beforeSecondFactor: true,
    errors: ['WRONG_STATE'],
  },
  addPasskey: {
    method: 'POST',
    path: '/users/me/passkeys',
    access: 'SIGNED_IN',
    summary: 'Add the passkey that the browser created. The first factor comes with ten recovery codes.',
    body: z.object({ challenge: Challenge, name: PasskeyName, attestation: Attestation }),
    reply: z.object({ passkey: PasskeyInfo, recoveryCodes: RecoveryCodes.nullable() }),
    status: 201,
    beforeSecondFactor: true,
    errors: ['WRONG_STATE'],
  },
  renamePasskey: {
    method: 'PATCH',
    path: '/users/me/passkeys/:id',
    access: 'SIGNED_IN',
    summary: 'Rename a passkey.',
    params: ById,
    body: z.object({ name: PasskeyName }),
    reply: PasskeyInfo,
  },
  removePasskey: {
    method: 'DELETE',
    path: '/users/me/passkeys/:id',
    access: 'SIGNED_IN',
    summary: 'Remove a passkey. 409 if it is an admin’s last factor, in production.',
    params: ById,
    stepUp: true,
    errors: ['WRONG_STATE'],
  },
})
