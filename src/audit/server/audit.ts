/** The audit log. Other slices write each entry in the same transaction as the action. */
import { randomUUIDv7 } from 'node:crypto'
import { clock } from '../../kit/clock.ts'
import type { NumberedPage, SignedIn } from '../../kit/endpoint.ts'
import { autocommit, type Tx } from '../../kit/server/db.ts'
import { numberedPageOf } from '../../kit/server/numberedLists.ts'
import type { AuditEntry, AuditQuery } from '../contract.ts'
import * as queries from './queries.ts'

export type { NewAuditEntry } from './queries.ts'

/** Writes an entry only if the actor is an admin, because what owners do with their own campaigns is not audited. */
export const auditIfAdmin = async (tx: Tx, actor: SignedIn, entry: queries.NewAuditEntry): Promise<void> => {
  if (actor.role === 'ADMIN') await audit(tx, actor, entry)
}

/** Writes an entry whoever acted: for the few actions of other users that hand out personal data. */
export const audit = async (tx: Tx, actor: Pick<SignedIn, 'id'>, entry: queries.NewAuditEntry): Promise<void> => {
  await queries.insertAuditEntry(tx, { ...entry, id: randomUUIDv7(), adminId: actor.id, at: clock.now() })
}

/** For commands on the server, where nobody is signed in. */
export const auditServerCommand = async (tx: Tx, entry: queries.NewAuditEntry): Promise<void> => {
  await queries.insertAuditEntry(tx, { ...entry, id: randomUUIDv7(), adminId: null, at: clock.now() })
}

export const auditLog = async ({ page, limit, cursor, ...filters }: AuditQuery): Promise<NumberedPage<AuditEntry>> =>
  numberedPageOf(autocommit, { page, limit, cursor }, await queries.auditList(autocommit, filters))
