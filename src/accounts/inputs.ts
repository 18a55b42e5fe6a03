/** What callers send: registration, sign-in, profile changes, tokens of emailed links. */
import { z } from 'zod'
import { isTimeZone } from '../kit/clock.ts'
import { countryCodes } from '../kit/countries.ts'
import { line } from '../kit/schemas.ts'

/** Nobody can have such an address (RFC 2606), so it replaces the address of an account that loses its own. */
const isPlaceholder = (email: string) => email.endsWith('.invalid')

/** Stored in lower case, because emails are compared case-insensitively. */
const Email = z
  .string({ error: 'Email is required' })
  .trim()
  .toLowerCase()
  .min(1, { error: 'Email is required' })
  .max(254, { error: 'Email may have at most 254 characters' })
  .pipe(
    z
      .email({ error: 'Enter a valid email address' })
      .refine(email => !isPlaceholder(email), { error: 'Enter a valid email address' }),
  )

/**
 * At most 200 characters as sent, because parsing takes longer for longer texts, although argon2id does not. At least 6 after
 * normalization: an é that a keyboard sends as two characters counts as one.
 */
const NewPassword = z
  .string({ error: 'Password is required' })
  .max(200, { error: 'Password may have at most 200 characters' })
  .normalize('NFC')
  .min(6, { error: 'Password must be at least 6 characters' })

/** Another keyboard may send the same letters as different characters. */
export const isSamePassword = (one: string, other: string): boolean => one.normalize('NFC') === other.normalize('NFC')

const Country = z.enum(countryCodes, { error: 'Choose a country from the list' })
export const wrongTimeZone = 'Time zone must be a name such as Europe/Berlin'

const TimeZone = z.string({ error: 'Time zone must be text' }).max(64).refine(isTimeZone, { error: wrongTimeZone })

/** A random identifier that the browser keeps, because several accounts on one device may be fraud (product.md §6). */
const DeviceFingerprint = z
  .string({ error: 'The device fingerprint must be text' })
  .trim()
  .max(200, { error: 'The device fingerprint may have at most 200 characters' })

/** The roles that can be chosen at registration (spec §6). */
export const registrationRoles = ['TESTER', 'DEVELOPER'] as const

export const Registration = z.object({
  email: Email,
  password: NewPassword,
  name: line('Full name', 100),
  role: z.enum(registrationRoles, { error: 'Account type must be TESTER or DEVELOPER' }).default('TESTER'),
  country: Country.nullish(),
  timeZone: TimeZone.default('UTC'),
  deviceFingerprint: DeviceFingerprint.optional(),
})

export const Credentials = z.object({
  email: z
    .string({ error: 'Email is required' })
    .trim()
    .toLowerCase()
    .min(1, { error: 'Email is required' })
    .max(254, { error: 'Email may have at most 254 characters' }),
  password: z
    .string({ error: 'Password is required' })
    .min(1, { error: 'Password is required' })
    .max(200, { error: 'Password may have at most 200 characters' }),
  deviceFingerprint: DeviceFingerprint.optional(),
})

export const RefreshToken = z
  .string({ error: 'No refresh token available' })
  .min(1, { error: 'No refresh token available' })
  .max(2_000, { error: 'The refresh token is too long' })

/** A random name that the caller gives to one attempt and keeps until it is answered. */
export const RefreshAttempt = z
  .string({ error: 'The attempt must be text' })
  .regex(/^[\w-]{20,100}$/, { error: 'The attempt must be 20 to 100 letters, digits, - or _' })

const CurrentPassword = z
  .string({ error: 'Enter your current password' })
  .min(1, { error: 'Enter your current password' })
  .max(200, { error: 'Password may have at most 200 characters' })

export const ProfileChange = z.object({
  name: line('Full name', 100).optional(),
  country: Country.nullable().optional(),
  timeZone: TimeZone.optional(),
  /** An email address, because payout services identify customers by it; null resets it to the account's own address. */
  paymentMethod: Email.nullable().optional(),
  /** Required when the payment method really changes. */
  currentPassword: CurrentPassword.optional(),
})

export const PasswordChange = z.object({ currentPassword: CurrentPassword, newPassword: NewPassword })
/**
 * `givesUpCents`: the exact balance of a tester below the minimum withdrawal, so nobody gives up an amount that they have not
 * seen.
 */
export const AccountDeletion = z.object({ password: CurrentPassword, givesUpCents: z.int().nonnegative().optional() })
export type AccountDeletion = z.infer<typeof AccountDeletion>

/** Asked for before actions that a stolen token alone must not allow. */
export const OwnPassword = z.object({ currentPassword: CurrentPassword })

export const ForgottenPassword = z.object({ email: Email })

/** Comes from the address of an emailed link. */
const LinkToken = z
  .string({ error: 'This link is incomplete. Open it again from the email.' })
  .min(1, { error: 'This link is incomplete. Open it again from the email.' })
  .max(200, { error: 'This link is incomplete. Open it again from the email.' })
export const LinkUse = z.object({ token: LinkToken })

const accountPassword = { error: 'Enter your account’s password' }

export const EmailConfirmation = LinkUse.extend({
  password: z
    .string(accountPassword)
    .min(1, accountPassword)
    .max(200, { error: 'Password may have at most 200 characters' }),
})
export const PasswordReset = LinkUse.extend({ password: NewPassword })
export const EmailChange = z.object({ email: Email, currentPassword: CurrentPassword })
