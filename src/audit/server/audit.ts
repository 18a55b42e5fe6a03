/**
 * The audit log and the settings. Other slices write an audit entry in the transaction of the action that it tells of,
 * and read the settings where they apply.
 */
import { randomUUIDv7 } from 'node:crypto'
import { clock } from '../../kit/clock.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { DomainError } from '../../kit/errors.ts'
import { autocommit, transact, type Tx } from '../../kit/server/db.ts'
import type { AuditAction } from '../actions.ts'
import { type AuditEntry, riskBeforeDrop, type Settings, type SettingsChange } from '../contract.ts'
import * as queries from './queries.ts'

export type { NewAuditEntry } from './queries.ts'

/** Writes an entry when an admin acted; what owners do with their own is no admin action. */
export const auditIfAdmin = async (tx: Tx, actor: SignedIn, entry: queries.NewAuditEntry): Promise<void> => {
  if (actor.role !== 'ADMIN') return
  await queries.insertAuditEntry(tx, { ...entry, id: randomUUIDv7(), adminId: actor.id, at: clock.now() })
}

type LogQuery = { page: number; limit: number; action?: AuditAction | undefined; admin?: string | undefined }

export const auditLog = async ({ page, limit, ...filter }: LogQuery) => {
  const [data, total]: [AuditEntry[], number] = await Promise.all([
    queries.auditEntries(autocommit, filter, limit, (page - 1) * limit),
    queries.countAuditEntries(autocommit, filter),
  ])
  return { data, page, limit, total }
}

export const currentSettings = (tx: Tx): Promise<Settings> => queries.settings(tx)

export const settings = (): Promise<Settings> => queries.settings(autocommit)

/** The settings are one row; the audit log keeps what they were and became. */
const settingsId = '00000000-0000-7000-8000-000000000001'

export const changeSettings = (admin: SignedIn, change: SettingsChange): Promise<Settings> =>
  transact(async tx => {
    const before = await queries.lockSettings(tx)
    const after = { ...before, ...change }
    if (after.atRiskHours >= after.dropHours) {
      throw new DomainError('INVALID_INPUT', riskBeforeDrop, { fields: { atRiskHours: riskBeforeDrop } })
    }
    const changed = (Object.keys(change) as (keyof Settings)[]).filter(name => before[name] !== after[name])
    if (changed.length === 0) return before
    await queries.updateSettings(tx, after)
    const facts = Object.fromEntries(changed.map(name => [name, `${before[name]} → ${after[name]}`]))
    await auditIfAdmin(tx, admin, { action: 'settings.change', subjectType: 'settings', subjectId: settingsId, facts })
    return after
  })
