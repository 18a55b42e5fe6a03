/** An account as the API shows it. */
import { z } from 'zod'
import { roles } from '../kit/roles.ts'
import { EmailAddress, Id, Instant } from '../kit/schemas.ts'
import { OwnPlayAddress } from '../playAddresses/contract.ts'
import { pauseReasons } from './rules.ts'

export const User = z.object({
  id: Id,
  email: EmailAddress,
  /** When the address was confirmed; null until then. */
  emailVerifiedAt: Instant.nullable(),
  /**
   * True while the server sends emails and the address is not confirmed: withdrawals wait for that, and joining and paying if the
   * settings say so.
   */
  mustConfirmEmail: z.boolean(),
  /** The address that the account moves to once the link emailed there is used; null unless a change is pending. */
  pendingEmail: EmailAddress.nullable(),
  name: z.string(),
  role: z.enum(roles),
  /** ISO 3166-1 alpha-2; null until the user sets it. Campaigns may be limited to testers from certain countries. */
  country: z.string().nullable(),
  /** IANA name; a tester's check-in days follow this time zone. */
  timeZone: z.string(),
  /** Where payouts go and what campaigns are charged to; the account's email until the user sets one. */
  paymentMethod: z.string(),
  /**
   * When withdrawals resume that were paused after a change that a thief might have made (product.md §4); null without a pause.
   */
  payoutsPausedUntil: Instant.nullable(),
  payoutsPausedBecause: z.enum(pauseReasons).nullable(),
  /** What the mail server of `email` replied when it refused an email permanently; null while emails arrive. */
  mailRefusal: z.string().nullable(),
  createdAt: Instant,
})
export type User = z.output<typeof User>

export const Tokens = z.object({ accessToken: z.string(), refreshToken: z.string() })
export type Tokens = z.output<typeof Tokens>

export const Session = Tokens.extend({ user: User })
export type Session = z.output<typeof Session>

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

export const UndoneEmailChange = z.object({
  email: EmailAddress,
  /** False if the account had not moved to the new address yet. */
  moved: z.boolean(),
  /** Passkeys and authenticator apps that were set up after the change was requested. */
  removedFactors: z.int().nonnegative(),
})
export type UndoneEmailChange = z.output<typeof UndoneEmailChange>

/** Everything stored about the caller, by kind: the rows as they are, without secrets. */
export const PersonalData = z.object({
  exportedAt: Instant,
  user: User,
  sessions: z.array(z.record(z.string(), z.unknown())),
  pastDevices: z.array(z.record(z.string(), z.unknown())),
  secondFactors: z.array(z.record(z.string(), z.unknown())),
  campaigns: z.array(z.record(z.string(), z.unknown())),
  tests: z.array(z.record(z.string(), z.unknown())),
  appeals: z.array(z.record(z.string(), z.unknown())),
  optIns: z.array(z.record(z.string(), z.unknown())),
  benchPlaces: z.array(z.record(z.string(), z.unknown())),
  passedSeats: z.array(z.record(z.string(), z.unknown())),
  playAddresses: z.array(OwnPlayAddress),
  ndas: z.array(z.record(z.string(), z.unknown())),
  ndaAcceptances: z.array(z.record(z.string(), z.unknown())),
  checkIns: z.array(z.record(z.string(), z.unknown())),
  bugs: z.array(z.record(z.string(), z.unknown())),
  bugEvents: z.array(z.record(z.string(), z.unknown())),
  changes: z.array(z.record(z.string(), z.unknown())),
  feedbackForms: z.array(z.record(z.string(), z.unknown())),
  feedback: z.array(z.record(z.string(), z.unknown())),
  feedbackRetests: z.array(z.record(z.string(), z.unknown())),
  attachments: z.array(z.record(z.string(), z.unknown())),
  transactions: z.array(z.record(z.string(), z.unknown())),
  payments: z.array(z.record(z.string(), z.unknown())),
  refunds: z.array(z.record(z.string(), z.unknown())),
  disputes: z.array(z.record(z.string(), z.unknown())),
  withdrawals: z.array(z.record(z.string(), z.unknown())),
  payoutAccounts: z.array(z.record(z.string(), z.unknown())),
  notifications: z.array(z.record(z.string(), z.unknown())),
  notificationChoices: z.array(z.record(z.string(), z.unknown())),
  digests: z.array(z.record(z.string(), z.unknown())),
  waitlist: z.array(z.record(z.string(), z.unknown())),
})
export type PersonalData = z.output<typeof PersonalData>
