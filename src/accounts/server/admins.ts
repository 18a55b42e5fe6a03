/**
 * An admin account that begins, ends, or gets another name or address is in the audit log. The other admins are told of a beginning and
 * an end (product.md §7).
 */
import { audit, auditServerCommand } from '../../audit/server/audit.ts'
import type { Tx } from '../../kit/server/db.ts'
import { notice, notifyMany } from '../../notifications/server/notifications.ts'
import { lockNewAdmins, nameOfAdmin, presentAdmins } from './queries.ts'

type Admin = { id: string; name: string }
/** The owner, or a command on the server. */
type By = 'OWNER' | 'SERVER'

const others = async (tx: Tx, id: string) => (await presentAdmins(tx)).filter(other => other.id !== id)

/** Admins are made on the server, by nobody who is signed in. */
export const recordCreated = async (tx: Tx, { id, name, email }: Admin & { email: string }): Promise<void> => {
  await auditServerCommand(tx, { action: 'admin.create', subjectType: 'user', subjectId: id, facts: { name } })
  // Of two who are created at once, the later one sees the other, who is told.
  await lockNewAdmins(tx)
  const told = (await others(tx, id)).map(other => notice(other.id, 'ADMIN_CREATED', { userId: id, name, email }))
  await notifyMany(tx, told)
}

/** The log shows the name that an admin has now. Without this, a new name would hide who acted under the one before. */
export const recordRenamed = (tx: Tx, id: string, [nameBefore, nameAfter]: [string, string]): Promise<void> =>
  audit(tx, { id }, { action: 'admin.rename', subjectType: 'user', subjectId: id, facts: { nameBefore, nameAfter } })

/** Also when the account goes back. An address found elsewhere leads to the admin who used it. */
export const recordMoved = (tx: Tx, id: string, [emailBefore, emailAfter]: [string, string]): Promise<void> => {
  const facts = { emailBefore, emailAfter }
  return audit(tx, { id }, { action: 'admin.change-email', subjectType: 'user', subjectId: id, facts })
}

/** The name outlives the account in this entry: who acted is what the log is for. Null for who is no admin. */
export const recordDeleted = async (tx: Tx, id: string, by: By = 'OWNER'): Promise<Admin | null> => {
  const name = await nameOfAdmin(tx, id)
  if (name === null) return null
  const entry = { action: 'admin.delete', subjectType: 'user', subjectId: id, facts: { name } } as const
  await (by === 'OWNER' ? audit(tx, { id }, entry) : auditServerCommand(tx, entry))
  return { id, name }
}

/** After the deletion, which takes along what the others were told of the account before. */
export const tellOfDeletedAdmin = async (tx: Tx, { id, name }: Admin, by: By): Promise<void> => {
  const mark = await nameOfAdmin(tx, id)
  if (mark === null) return
  const told = (await others(tx, id)).map(other => notice(other.id, 'ADMIN_DELETED', { userId: id, name, mark, by }))
  await notifyMany(tx, told)
}
