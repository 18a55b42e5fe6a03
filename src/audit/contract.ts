/** The audit log: what admins did, by whom and to what (product.md §7). */
import { z } from 'zod'
import { endpoints } from '../kit/endpoint.ts'
import { filter, Id, Instant, numberedPage, optionalLine, pageQuery } from '../kit/schemas.ts'
import { auditActions, auditSubjects } from './actions.ts'

export const AuditEntry = z.object({
  id: Id,
  at: Instant,
  admin: z.object({ id: Id, name: z.string() }),
  action: z.enum(auditActions),
  subjectType: z.enum(auditSubjects),
  subjectId: Id,
  /** What it was done to, in words: a campaign's title, a user's name; null where there is none. */
  subject: z.string().nullable(),
  /** The campaign that it was done to, or in (a participation's); null where there is none. */
  campaignId: Id.nullable(),
  /** What was said or decided, such as a reason. */
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
})
export type AuditEntry = z.output<typeof AuditEntry>

export const auditApi = endpoints({
  auditLog: {
    method: 'GET',
    path: '/admin/audit-log',
    access: 'ADMIN',
    summary: 'What admins did, the newest first.',
    query: pageQuery(50).extend({
      action: filter(auditActions, 'There is no such action'),
      admin: optionalLine('Admin', 100).optional(),
    }),
    reply: numberedPage(AuditEntry),
  },
})
