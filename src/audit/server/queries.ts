import { empty, sql, type Tx } from '../../kit/server/db.ts'
import { containing } from '../../kit/server/like.ts'
import type { AuditAction, AuditSubject } from '../actions.ts'
import type { AuditEntry } from '../contract.ts'

export type NewAuditEntry = {
  action: AuditAction
  subjectType: AuditSubject
  subjectId: string
  /** Details of the action, such as a reason. */
  facts?: Record<string, string | number | boolean>
}

export const insertAuditEntry = (
  tx: Tx,
  e: NewAuditEntry & { id: string; adminId: string | null; at: string },
): Promise<number> =>
  tx.run(sql`
    insert into audit_log (id, at, admin_id, action, subject_type, subject_id, facts)
    values (${e.id}, ${e.at}, ${e.adminId}, ${e.action}, ${e.subjectType}, ${e.subjectId}, ${JSON.stringify(e.facts ?? {})})`)

type Filter = { action?: AuditAction | undefined; admin?: string | undefined }

const matching = ({ action, admin }: Filter) => sql`true ${action ? sql`and a.action = ${action}` : empty}
  ${admin ? sql`and a.admin_id in (select id from users where role = 'ADMIN' and lower(name || ' ' || email) like lower(${containing(admin)}))` : empty}`

type Row = Omit<AuditEntry, 'admin'> & { adminId: string | null; adminName: string }

export const auditEntries = async (tx: Tx, filter: Filter, limit: number, offset: number): Promise<AuditEntry[]> => {
  const rows = await tx.rows<Row>(sql`
    select a.id, a.at, a.admin_id as "adminId", u.name as "adminName", a.action, a.subject_type as "subjectType",
      a.subject_id as "subjectId", a.facts, case a.subject_type
        when 'campaign' then (select title from campaigns where id = a.subject_id)
        when 'user' then (select name from users where id = a.subject_id and deleted_at is null)
        when 'fraud-report' then (select u.name from fraud_reports r join users u on u.id = r.user_id where r.id = a.subject_id)
        when 'participation' then (select c.title from participations p join campaigns c on c.id = p.campaign_id
          where p.id = a.subject_id)
        end as subject, case a.subject_type
        when 'campaign' then a.subject_id
        when 'participation' then (select campaign_id from participations where id = a.subject_id)
        end as "campaignId"
    from (select * from audit_log a where ${matching(filter)} order by a.id desc limit ${limit} offset ${offset}) a
    left join users u on u.id = a.admin_id order by a.id desc`)
  return rows.map(({ adminId, adminName, ...entry }) => ({
    ...entry,
    admin: adminId === null ? null : { id: adminId, name: adminName },
  }))
}

export const countAuditEntries = (tx: Tx, filter: Filter): Promise<number> =>
  tx.value(sql`select count(*) from audit_log a where ${matching(filter)}`)
