/** Admins' view of users: list, profile, message, suspend and restore (spec §2 /dashboard/users; product.md §7). */
import { z } from 'zod'
import { endpoints } from '../kit/endpoint.ts'
import { roles } from '../kit/roles.ts'
import {
  ById,
  Cents,
  EmailAddress,
  filter,
  Id,
  Instant,
  line,
  numberedQuery,
  optionalLine,
  text,
} from '../kit/schemas.ts'
import { campaignStatuses } from '../campaigns/terms.ts'
import { transactionStatuses, transactionTypes } from '../ledger/terms.ts'
import { participationStatuses } from '../campaigns/participationStatus.ts'

/** Of accounts that are not deleted. */
export const userStatuses = ['ACTIVE', 'SUSPENDED'] as const

export const AdminUser = z.object({
  id: Id,
  email: EmailAddress,
  name: z.string(),
  role: z.enum(roles),
  status: z.enum(userStatuses),
  /** At least one test verified, or one campaign approved (docs/metrics.md); false for admins. */
  isVerified: z.boolean(),
  balanceCents: Cents,
  /** Campaigns created (developers). */
  totalCampaigns: z.int(),
  /** Tests joined (testers). */
  totalTests: z.int(),
  /** When any of the user's sessions was last used; null before the first one. */
  lastActive: Instant.nullable(),
  createdAt: Instant,
})
export type AdminUser = z.output<typeof AdminUser>

export const UserProfile = AdminUser.extend({
  country: z.string().nullable(),
  timeZone: z.string(),
  paymentMethod: z.string(),
  suspension: z.object({ reason: z.string(), at: Instant }).nullable(),
  /** What the mail server of the user's address replied when it refused our last email permanently. */
  mailRefusal: z.string().nullable(),
  /**
   * Withdrawals that are not paid out yet. A suspension freezes the waiting ones, but not those already requested from the
   * provider.
   */
  payoutsPending: z.object({ waitingCents: Cents, withProviderCents: Cents }),
  /** The newest of each, at most 10. */
  campaigns: z.array(z.object({ id: Id, title: z.string(), status: z.enum(campaignStatuses), createdAt: Instant })),
  tests: z.array(
    z.object({
      id: Id,
      campaign: z.object({ id: Id, title: z.string() }),
      status: z.enum(participationStatuses),
      joinedAt: Instant,
    }),
  ),
  transactions: z.array(
    z.object({
      id: Id,
      type: z.enum(transactionTypes),
      status: z.enum(transactionStatuses),
      amountCents: Cents,
      description: z.string(),
      createdAt: Instant,
    }),
  ),
  sessions: z.array(
    z.object({
      id: Id,
      ip: z.string(),
      userAgent: z.string(),
      createdAt: Instant,
      lastUsedAt: Instant,
      ended: z.boolean(),
    }),
  ),
  /** Includes sessions that are not among the newest. */
  activeSessions: z.int(),
  /** What admins did to this account; a command on the server has no admin's name. */
  adminActions: z.array(
    z.object({
      id: Id,
      action: z.string(),
      adminName: z.string().nullable(),
      at: Instant,
      reason: z.string().nullable(),
    }),
  ),
})
export type UserProfile = z.output<typeof UserProfile>

export const UserQuery = numberedQuery(20, {
  search: optionalLine('Search', 100).optional(),
  role: filter(roles, 'Unknown role'),
})
export type UserQuery = z.output<typeof UserQuery>

export const UserCounts = z.object({
  total: z.int(),
  active: z.int(),
  developers: z.int(),
  testers: z.int(),
  newThisMonth: z.int(),
})
export type UserCounts = z.output<typeof UserCounts>

/**
 * Who has used up the guesses at a password: strangers, a device or network from which the account has signed in, or a signed-in
 * session.
 */
const lockedFor = ['UNKNOWN_DEVICES', 'KNOWN_DEVICE', 'OWN_PASSWORD'] as const

export const SecurityReport = z.object({
  /** The newest 50. The email is null if no account has it, because some people type their password there. */
  failedLogins: z.array(z.object({ email: z.string().nullable(), ip: z.string(), at: Instant })),
  /** Accounts that are locked because of too many wrong passwords, and for whom they are locked. */
  lockedAccounts: z.array(
    z.object({ email: z.string(), lockedFor: z.enum(lockedFor), failures: z.int(), until: Instant }),
  ),
  /** Accounts whose mail server refused our last email permanently, so it is not sent again. The newest 50. */
  refusedEmails: z.array(
    z.object({
      user: z.object({ id: Id, name: z.string(), email: EmailAddress, role: z.enum(roles) }),
      answer: z.string(),
      at: Instant,
    }),
  ),
  /** The 50 most recently used. */
  sessions: z.array(
    z.object({
      id: Id,
      user: z.object({ id: Id, name: z.string(), email: EmailAddress, role: z.enum(roles) }),
      ip: z.string(),
      userAgent: z.string(),
      createdAt: Instant,
      lastUsedAt: Instant,
    }),
  ),
})
export type SecurityReport = z.output<typeof SecurityReport>

const Reason = z.object({ reason: text('Reason', 2000) })
const onUser = { params: ById, access: 'ADMIN', reply: UserProfile } as const

export const peopleApi = endpoints({
  list: {
    method: 'GET',
    path: '/admin/users',
    replica: true,
    access: 'ADMIN',
    summary: 'Users, newest first, filtered by name or email, and by role.',
    query: UserQuery,
    pageOf: AdminUser,
    numbered: true,
  },
  counts: {
    method: 'GET',
    path: '/admin/users/counts',
    replica: true,
    report: true,
    access: 'ADMIN',
    summary: 'The number of users, by role and status.',
    reply: UserCounts,
  },
  get: { ...onUser, method: 'GET', path: '/admin/users/:id', summary: 'One user with their latest activity.' },
  message: {
    method: 'POST',
    path: '/admin/users/:id/message',
    access: 'ADMIN',
    summary:
      'Send a message to a user, in the product and by email according to their settings; `sentTo` is the address it goes to immediately.',
    params: ById,
    body: z.object({ subject: line('Subject', 150), message: text('Message', 5000) }),
    reply: z.object({ sentTo: z.string().nullable() }),
    idempotent: true,
  },
  ban: {
    ...onUser,
    method: 'POST',
    path: '/admin/users/:id/ban',
    summary:
      'Suspend a user: ends all their sessions, blocks signing in, removes them from LIVE campaigns, and freezes withdrawals. Not for admins.',
    body: Reason,
    errors: ['WRONG_STATE'],
    stepUp: true,
  },
  unban: {
    ...onUser,
    method: 'POST',
    path: '/admin/users/:id/unban',
    summary: 'Restore a suspended user.',
    body: Reason,
    errors: ['WRONG_STATE'],
    stepUp: true,
  },
  security: {
    method: 'GET',
    path: '/admin/security',
    report: true,
    access: 'ADMIN',
    summary: 'Failed sign-ins, locked accounts and active sessions.',
    reply: SecurityReport,
  },
})
