/** The audit log. Other slices write an entry in the transaction of the action it records. */
import { randomUUIDv7 } from 'node:crypto'
import { clock } from '../../kit/clock.ts'
import type { NumberedPage, SignedIn } from '../../kit/endpoint.ts'
import { autocommit, type Tx } from '../../kit/server/db.ts'
import { numberedPageOf } from '../../kit/server/numberedLists.ts'
import type { AuditEntry, AuditQuery } from '../contract.ts'
import * as queries from './queries.ts'

export type { NewAuditEntry } from './queries.ts'

/** Writes an entry only when an admin acted: what owners do with their own campaigns is not audited. */
export const auditIfAdmin = async (tx: Tx, actor: SignedIn, entry: queries.NewAuditEntry): Promise<void> => {
  if (actor.role === 'ADMIN') await audit(tx, actor, entry)
}

/** Whoever acted: for the few actions of others that hand out personal data. */
export const audit = async (tx: Tx, actor: Pick<SignedIn, 'id'>, entry: queries.NewAuditEntry): Promise<void> => {
  await queries.insertAuditEntry(tx, { ...entry, id: randomUUIDv7(), adminId: actor.id, at: clock.now() })
}

/** What was done on the command line, by nobody who is signed in. */
export const auditServerCommand = async (tx: Tx, entry: queries.NewAuditEntry): Promise<void> => {
  await queries.insertAuditEntry(tx, { ...entry, id: randomUUIDv7(), adminId: null, at: clock.now() })
}

export const auditLog = async ({ page, limit, cursor, ...filters }: AuditQuery): Promise<NumberedPage<AuditEntry>> =>
  numberedPageOf(autocommit, { page, limit, cursor }, await queries.auditList(autocommit, filters))
