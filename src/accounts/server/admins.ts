/**
 * Creating, deleting or renaming an admin account, or changing its address, is recorded in the audit log. The other admins are
 * notified of new and deleted admins (product.md §7).
 */
import { audit, auditServerCommand } from '../../audit/server/audit.ts'
import type { Tx } from '../../kit/server/db.ts'
import { notice, notifyMany } from '../../notifications/server/notifications.ts'
import { lockNewAdmins, nameOfAdmin, presentAdmins } from './queries.ts'

type Admin = { id: string; name: string }
/** The account's owner, or a command on the server. */
type By = 'OWNER' | 'SERVER'

const others = async (tx: Tx, id: string) => (await presentAdmins(tx)).filter(other => other.id !== id)

/** Recorded without an acting admin, because admins are created on the server, not by a signed-in user. */
export const recordCreated = async (tx: Tx, { id, name, email }: Admin & { email: string }): Promise<void> => {
  await auditServerCommand(tx, { action: 'admin.create', subjectType: 'user', subjectId: id, facts: { name } })
  // Of two admins created at once, the later transaction sees the other admin and notifies them.
  await lockNewAdmins(tx)
  const told = (await others(tx, id)).map(other => notice(other.id, 'ADMIN_CREATED', { userId: id, name, email }))
  await notifyMany(tx, told)
}

/** The log shows each admin's current name, so without this entry a rename would hide the name under which they acted. */
export const recordRenamed = (tx: Tx, id: string, [nameBefore, nameAfter]: [string, string]): Promise<void> =>
  audit(tx, { id }, { action: 'admin.rename', subjectType: 'user', subjectId: id, facts: { nameBefore, nameAfter } })

/** Also recorded when the account moves back, so an old address can be traced to the admin who used it. */
export const recordMoved = (tx: Tx, id: string, [emailBefore, emailAfter]: [string, string]): Promise<void> => {
  const facts = { emailBefore, emailAfter }
  return audit(tx, { id }, { action: 'admin.change-email', subjectType: 'user', subjectId: id, facts })
}

/**
 * The entry keeps the name after the account is gone, because the log has to show who acted. Null unless the user is an admin.
 */
export const recordDeleted = async (tx: Tx, id: string, by: By = 'OWNER'): Promise<Admin | null> => {
  const name = await nameOfAdmin(tx, id)
  if (name === null) return null
  const entry = { action: 'admin.delete', subjectType: 'user', subjectId: id, facts: { name } } as const
  await (by === 'OWNER' ? audit(tx, { id }, entry) : auditServerCommand(tx, entry))
  return { id, name }
}

/** Call this after the deletion, which also deletes earlier notifications about the account. */
export const tellOfDeletedAdmin = async (tx: Tx, { id, name }: Admin, by: By): Promise<void> => {
  const mark = await nameOfAdmin(tx, id)
  if (mark === null) return
  const told = (await others(tx, id)).map(other => notice(other.id, 'ADMIN_DELETED', { userId: id, name, mark, by }))
  await notifyMany(tx, told)
}
