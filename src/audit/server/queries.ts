import { empty, planEachTime, sql, type Tx } from '../../kit/server/db.ts'
import { containing } from '../../kit/server/like.ts'
import { keysetOf, type NumberedList } from '../../kit/server/numberedLists.ts'
import type { AuditAction, AuditSubject } from '../actions.ts'
import type { AuditEntry, AuditQuery } from '../contract.ts'

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

type Filters = Pick<AuditQuery, 'action' | 'admin'>

/**
 * Admins are few, so that their names need no index but the one by role. A name or an address of before, also of an account that
 * was deleted, stands in the log's own entries. A whole email is of one admin only.
 */
const adminsCalled = async (tx: Tx, words: string): Promise<string[]> => {
  const rows = await tx.rows<{ id: string; isEmail: boolean }>(
    sql`with called as (
        select id, name, email from users where role = 'ADMIN'
        union all
        select subject_id, coalesce(facts ->> 'nameBefore', facts ->> 'name'), facts ->> 'emailBefore' from audit_log
        where action in ('admin.rename', 'admin.change-email', 'admin.delete'))
      select id, coalesce(lower(email) = lower(${words}), false) as "isEmail" from called
      where lower(concat_ws(' ', name, email)) like lower(${containing(words)})`,
  )
  const byEmail = rows.filter(({ isEmail }) => isEmail)
  return [...new Set((byEmail.length > 0 ? byEmail : rows).map(({ id }) => id))]
}

type Row = Omit<AuditEntry, 'admin'> & { adminId: string | null; adminName: string }

const toEntry = ({ adminId, adminName, ...entry }: Row): AuditEntry => ({
  ...entry,
  admin: adminId === null ? null : { id: adminId, name: adminName },
})

/** Newest first. */
export const auditList = async (tx: Tx, filters: Filters): Promise<NumberedList<AuditEntry>> => {
  const { action, admin } = filters
  const matching = sql`true ${action ? sql`and a.action = ${action}` : empty}
    ${admin ? sql`and a.admin_id = any(${await adminsCalled(tx, admin)}::uuid[])` : empty}`
  return {
    of: ['audit-log', filters],
    keyOf: ({ id }) => [id],
    matching: sql`select from audit_log a where ${matching}`,
    rows: async slice => {
      const { beyond, order, window } = keysetOf(slice, sql`a.id`)
      const page = sql`select a.* from audit_log a where ${matching} ${beyond} order by ${order} ${window}`
      return (await tx.rows<Row>(planEachTime(entriesOf(page)))).map(toEntry)
    },
  }
}

const entriesOf = (page: ReturnType<typeof sql>) => sql`
  with page as materialized (${page})
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
      end as "campaignId", a.subject_type = 'fraud-report'
      and not exists (select from fraud_reports where id = a.subject_id and archived_at is null) as cleared
  from page a left join users u on u.id = a.admin_id order by a.id desc`
