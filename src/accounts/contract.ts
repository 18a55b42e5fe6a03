/** Accounts: registration, sessions, the user's own profile (spec §3, §5, §7; product.md §5). */
import { z } from 'zod'
import { isTimeZone } from '../kit/clock.ts'
import { endpoints } from '../kit/endpoint.ts'
import { roles } from '../kit/roles.ts'
import { OwnPlayAddress } from '../playAddresses/contract.ts'
import { ById, EmailAddress, Id, Instant, line } from '../kit/schemas.ts'
import { countryCodes } from '../kit/countries.ts'
import { pauseReasons } from './rules.ts'

export const User = z.object({
  id: Id,
  email: EmailAddress,
  /** When the address was confirmed with the link that was emailed there; null until then. */
  emailVerifiedAt: Instant.nullable(),
  /** True while something waits for that: where emails really go out, withdrawals do, and what the settings name. */
  mustConfirmEmail: z.boolean(),
  /** The address that the account moves to when the link there is used; null without one. */
  pendingEmail: EmailAddress.nullable(),
  name: z.string(),
  role: z.enum(roles),
  /** ISO 3166-1 alpha-2; null until the user sets it. Campaigns may be limited to testers from certain countries. */
  country: z.string().nullable(),
  /** IANA name; a tester's check-in days are counted in it. */
  timeZone: z.string(),
  /** Where payouts go and what campaigns are charged to; the account's email until the user sets one. */
  paymentMethod: z.string(),
  /** The end of the pause of withdrawals after a change that a thief might have made (product.md §4); null without one. */
  payoutsPausedUntil: Instant.nullable(),
  payoutsPausedBecause: z.enum(pauseReasons).nullable(),
  /** What the mail server of `email` answered when it refused an email for good; null while emails arrive. */
  mailRefusal: z.string().nullable(),
  createdAt: Instant,
})
export type User = z.output<typeof User>

/** Nobody can have one (RFC 2606): accounts that lose their address get one of these. */
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

/** At most 200: argon2id takes equally long for any length, parsing does not. */
const NewPassword = z
  .string({ error: 'Password is required' })
  .min(6, { error: 'Password must be at least 6 characters' })
  .max(200, { error: 'Password may have at most 200 characters' })

const Country = z.enum(countryCodes, { error: 'Choose a country from the list' })
const TimeZone = z
  .string({ error: 'Time zone must be text' })
  .max(64)
  .refine(isTimeZone, { error: 'Time zone must be a name such as Europe/Berlin' })

/** A random identifier that the browser keeps: several accounts on one device may be fraud (product.md §6). */
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

const RefreshToken = z
  .string({ error: 'No refresh token available' })
  .min(1, { error: 'No refresh token available' })
  .max(200)

/** A random name that the caller gives to one attempt and keeps until it has the answer. */
const RefreshAttempt = z
  .string({ error: 'The attempt must be text' })
  .regex(/^[\w-]{20,100}$/, { error: 'The attempt must be 20 to 100 letters, digits, - or _' })

export const Tokens = z.object({ accessToken: z.string(), refreshToken: z.string() })
export type Tokens = z.output<typeof Tokens>

export const Session = Tokens.extend({ user: User })
export type Session = z.output<typeof Session>

const CurrentPassword = z
  .string({ error: 'Enter your current password' })
  .min(1, { error: 'Enter your current password' })
  .max(200, { error: 'Password may have at most 200 characters' })

export const ProfileChange = z.object({
  name: line('Full name', 100).optional(),
  country: Country.nullable().optional(),
  timeZone: TimeZone.optional(),
  /** An email address, by which payout services identify customers; null resets it to the account's own. */
  paymentMethod: Email.nullable().optional(),
  /** Required when the payment method really changes. */
  currentPassword: CurrentPassword.optional(),
})

/** A device on which the user is signed in. */
export const SessionInfo = z.object({
  id: Id,
  ip: z.string(),
  userAgent: z.string(),
  createdAt: Instant,
  lastUsedAt: Instant,
  /** The caller's own session. */
  current: z.boolean(),
})
export type SessionInfo = z.output<typeof SessionInfo>

export const PasswordChange = z.object({ currentPassword: CurrentPassword, newPassword: NewPassword })
export const AccountDeletion = z.object({ password: CurrentPassword })

/** The caller's password, before what a stolen token alone must not do. */
export const OwnPassword = z.object({ currentPassword: CurrentPassword })

export const ForgottenPassword = z.object({ email: Email })

/** From the address of a link that was emailed. */
const LinkToken = z
  .string({ error: 'The link is not complete. Open it again from the email.' })
  .min(1, { error: 'The link is not complete. Open it again from the email.' })
  .max(200, { error: 'The link is not complete. Open it again from the email.' })
const LinkUse = z.object({ token: LinkToken })

const accountPassword = { error: 'Enter the password of your account' }

export const EmailConfirmation = LinkUse.extend({
  password: z
    .string(accountPassword)
    .min(1, accountPassword)
    .max(200, { error: 'Password may have at most 200 characters' }),
})
export const PasswordReset = LinkUse.extend({ password: NewPassword })
export const EmailChange = z.object({ email: Email, currentPassword: CurrentPassword })

export const UndoneEmailChange = z.object({
  email: EmailAddress,
  /** False when the account had not moved to the new address yet. */
  moved: z.boolean(),
  /** Passkeys and authenticator apps that were set up after the change was asked for. */
  removedFactors: z.int().nonnegative(),
})
export type UndoneEmailChange = z.output<typeof UndoneEmailChange>

/** Everything stored about the caller, by kind: rows as they are, without secrets. */
export const PersonalData = z.object({
  exportedAt: Instant,
  user: User,
  sessions: z.array(z.record(z.string(), z.unknown())),
  pastDevices: z.array(z.record(z.string(), z.unknown())),
  secondFactors: z.array(z.record(z.string(), z.unknown())),
  campaigns: z.array(z.record(z.string(), z.unknown())),
  tests: z.array(z.record(z.string(), z.unknown())),
  optIns: z.array(z.record(z.string(), z.unknown())),
  benchPlaces: z.array(z.record(z.string(), z.unknown())),
  playAddresses: z.array(OwnPlayAddress),
  checkIns: z.array(z.record(z.string(), z.unknown())),
  attachments: z.array(z.record(z.string(), z.unknown())),
  transactions: z.array(z.record(z.string(), z.unknown())),
  withdrawals: z.array(z.record(z.string(), z.unknown())),
  notifications: z.array(z.record(z.string(), z.unknown())),
})
export type PersonalData = z.output<typeof PersonalData>

export const accountApi = endpoints({
  register: {
    method: 'POST',
    path: '/auth/register',
    access: 'PUBLIC',
    summary: 'Create an account and sign in. 409 when the email is taken.',
    body: Registration,
    reply: Session,
    status: 201,
    errors: ['EMAIL_TAKEN'],
  },
  login: {
    method: 'POST',
    path: '/auth/login',
    access: 'PUBLIC',
    summary: 'Sign in. The same 401 for a wrong email and a wrong password; 429 after too many.',
    body: Credentials,
    reply: Session,
    errors: ['WRONG_CREDENTIALS', 'SECOND_FACTOR_REQUIRED', 'SUSPENDED'],
  },
  refresh: {
    method: 'POST',
    path: '/auth/refresh',
    access: 'PUBLIC',
    summary:
      'Rotate a refresh token. Reusing one ends its whole family: 401. The same `attempt` gets the same answer again, until the new token is used.',
    body: z.object({ refreshToken: RefreshToken, attempt: RefreshAttempt.optional() }),
    reply: Tokens,
    errors: ['UNAUTHENTICATED', 'SUSPENDED'],
  },
  logout: {
    method: 'POST',
    path: '/auth/logout',
    access: 'SIGNED_IN',
    summary: 'Sign out: ends the session of the access token. A userId in the body is ignored.',
    body: z.object({ userId: z.unknown().optional() }).nullish(),
    beforeSecondFactor: true,
  },
  me: {
    method: 'GET',
    path: '/users/me',
    access: 'SIGNED_IN',
    summary: 'The caller’s profile.',
    reply: User,
    beforeSecondFactor: true,
  },
  updateMe: {
    method: 'PATCH',
    path: '/users/me',
    access: 'SIGNED_IN',
    summary: 'Change the caller’s profile. Role, balance and status cannot be set.',
    body: ProfileChange,
    reply: User,
  },
  changePassword: {
    method: 'POST',
    path: '/users/me/password',
    access: 'SIGNED_IN',
    summary: 'Change the password, with the current one. Ends all other sessions.',
    body: PasswordChange,
  },
  sessions: {
    method: 'GET',
    path: '/users/me/sessions',
    access: 'SIGNED_IN',
    summary: 'The caller’s active sessions, the 50 last used.',
    reply: z.array(SessionInfo),
  },
  endSessions: {
    method: 'DELETE',
    path: '/users/me/sessions',
    access: 'SIGNED_IN',
    summary: 'Sign out everywhere: ends all of the caller’s sessions, this one included.',
  },
  endSession: {
    method: 'DELETE',
    path: '/users/me/sessions/:id',
    access: 'SIGNED_IN',
    summary: 'End another of the caller’s sessions, with the current password.',
    params: ById,
    body: OwnPassword,
  },
  forgotPassword: {
    method: 'POST',
    path: '/auth/forgot-password',
    access: 'PUBLIC',
    summary: 'Email a link that resets the password. The same answer for every address; 429 after 10 within the hour.',
    body: ForgottenPassword,
  },
  resetPassword: {
    method: 'POST',
    path: '/auth/reset-password',
    access: 'PUBLIC',
    summary:
      'Use the link: sets the password and ends all sessions. An account whose address was never confirmed is left, and a new one is made.',
    body: PasswordReset,
    reply: z.object({ email: EmailAddress, newAccount: z.boolean() }),
  },
  verifyEmail: {
    method: 'POST',
    path: '/auth/verify-email',
    access: 'PUBLIC',
    summary:
      'Use the link with the account’s password: confirms the address, or moves the account to it. 400 for a wrong password, 429 after too many.',
    body: EmailConfirmation,
    reply: z.object({ email: EmailAddress }),
    errors: ['EMAIL_TAKEN'],
  },
  undoEmailChange: {
    method: 'POST',
    path: '/auth/undo-email-change',
    access: 'PUBLIC',
    summary:
      'Use the link: stops the change or brings the old address back, ends all sessions, makes the password void, removes second factors that were set up since, and emails a link to a new password.',
    body: LinkUse,
    reply: UndoneEmailChange,
    errors: ['EMAIL_TAKEN'],
  },
  sendConfirmation: {
    method: 'POST',
    path: '/users/me/verify-email',
    access: 'SIGNED_IN',
    summary: 'Email the link that confirms the address again. 409 when it is confirmed, 429 after 3 within the hour.',
    errors: ['WRONG_STATE'],
  },
  confirmEmail: {
    method: 'POST',
    path: '/users/me/email/confirm',
    access: 'SIGNED_IN',
    summary: 'Use a link of the caller’s own account, which then needs no password. 409 for one of another account.',
    body: LinkUse,
    reply: User,
    errors: ['EMAIL_TAKEN', 'WRONG_STATE'],
  },
  changeEmail: {
    method: 'POST',
    path: '/users/me/email',
    access: 'SIGNED_IN',
    summary: 'Ask for another address: it takes effect when the link that is emailed there is used, within 24 hours.',
    body: EmailChange,
    reply: User,
    errors: ['EMAIL_TAKEN'],
  },
  cancelEmailChange: {
    method: 'DELETE',
    path: '/users/me/email',
    access: 'SIGNED_IN',
    summary: 'Take that back: its link no longer works.',
    reply: User,
  },
  exportMe: {
    method: 'GET',
    path: '/users/me/export',
    report: true,
    access: 'SIGNED_IN',
    summary: 'All of the caller’s data as JSON. 429 while an export of the caller’s is under way.',
    reply: PersonalData,
    streamed: true,
  },
  deleteMe: {
    method: 'DELETE',
    path: '/users/me',
    access: 'SIGNED_IN',
    summary: 'Delete the account: it is anonymized, the books stay. 409 while money is in transit or tests are open.',
    body: AccountDeletion,
    errors: ['WRONG_STATE'],
  },
})
