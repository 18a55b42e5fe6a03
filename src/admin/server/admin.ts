/** The audit log: what an admin did, to what, and when. One entry for each action, in the action's transaction; append-only. */
import { randomUUIDv7 } from 'node:crypto'
import { clock } from '../../app/clock.ts'
import type { SignedIn } from '../../app/endpoint.ts'
import { sql, type Tx } from '../../app/server/db.ts'

export type AuditEntry = {
  action: 'campaign.approve' | 'campaign.reject' | 'campaign.pause' | 'campaign.cancel' | 'participation.verify' | 'participation.request-changes' | 'participation.reject'
  subjectType: 'campaign' | 'participation'
  subjectId: string
  /** What was said or decided, such as a reason. */
  facts?: Record<string, string | number>
}

/** Writes an entry when an admin acted; what owners do with their own is no admin action. */
export const auditIfAdmin = async (tx: Tx, actor: SignedIn, entry: AuditEntry): Promise<void> => {
  if (actor.role !== 'ADMIN') return
  await tx.run(sql`
    insert into audit_log (id, at, admin_id, action, subject_type, subject_id, facts)
    values (${randomUUIDv7()}, ${clock.now()}, ${actor.id}, ${entry.action}, ${entry.subjectType}, ${entry.subjectId},
      ${JSON.stringify(entry.facts ?? {})})`)
}
