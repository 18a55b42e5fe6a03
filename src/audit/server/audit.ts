/** The audit log. Other slices write an entry in the transaction of the action it records. */
import { randomUUIDv7 } from 'node:crypto'
import { clock } from '../../kit/clock.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { autocommit, type Tx } from '../../kit/server/db.ts'
import type { AuditAction } from '../actions.ts'
import type { AuditEntry } from '../contract.ts'
import * as queries from './queries.ts'

export type { NewAuditEntry } from './queries.ts'

/** Writes an entry only when an admin acted: what owners do with their own campaigns is not audited. */
export const auditIfAdmin = async (tx: Tx, actor: SignedIn, entry: queries.NewAuditEntry): Promise<void> => {
  if (actor.role === 'ADMIN') await audit(tx, actor, entry)
}

/** Whoever acted: for the few actions of others that hand out personal data. */
export const audit = async (tx: Tx, actor: SignedIn, entry: queries.NewAuditEntry): Promise<void> => {
  await queries.insertAuditEntry(tx, { ...entry, id: randomUUIDv7(), adminId: actor.id, at: clock.now() })
}

/** What was done on the command line, by nobody who is signed in. */
export const auditServerCommand = async (tx: Tx, entry: queries.NewAuditEntry): Promise<void> => {
  await queries.insertAuditEntry(tx, { ...entry, id: randomUUIDv7(), adminId: null, at: clock.now() })
}

type LogQuery = { page: number; limit: number; action?: AuditAction | undefined; admin?: string | undefined }

export const auditLog = async ({ page, limit, ...filter }: LogQuery) => {
  const [data, total]: [AuditEntry[], number] = await Promise.all([
    queries.auditEntries(autocommit, filter, limit, (page - 1) * limit),
    queries.countAuditEntries(autocommit, filter),
  ])
  return { data, page, limit, total }
}
