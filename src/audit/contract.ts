/** The audit log: which admin did what, and to what (product.md §7). */
import { z } from 'zod'
import { endpoints } from '../kit/endpoint.ts'
import { filter, Id, Instant, numberedQuery, optionalLine } from '../kit/schemas.ts'
import { auditActions, auditSubjects } from './actions.ts'

export const AuditEntry = z.object({
  id: Id,
  at: Instant,
  /** Null for a command on the server itself. */
  admin: z.object({ id: Id, name: z.string() }).nullable(),
  action: z.enum(auditActions),
  subjectType: z.enum(auditSubjects),
  subjectId: Id,
  /** A campaign's title or a user's name; null if the subject has none or was deleted. */
  subject: z.string().nullable(),
  /** True for a fraud report that was cleared, so no screen shows it any more. */
  cleared: z.boolean(),
  /** The campaign, or the participation's campaign; null for other subjects. */
  campaignId: Id.nullable(),
  /** Details of the action, such as a reason. */
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
})
export type AuditEntry = z.output<typeof AuditEntry>

export const AuditQuery = numberedQuery(50, {
  action: filter(auditActions, 'Unknown action'),
  admin: optionalLine('Admin', 100).optional(),
})
export type AuditQuery = z.output<typeof AuditQuery>

export const auditApi = endpoints({
  auditLog: {
    method: 'GET',
    path: '/admin/audit-log',
    replica: true,
    access: 'ADMIN',
    summary: 'Admin actions, newest first.',
    query: AuditQuery,
    pageOf: AuditEntry,
    numbered: true,
  },
})
