/** System settings. Each campaign keeps the terms it was created with. */
import { auditIfAdmin } from '../../audit/server/audit.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { DomainError } from '../../kit/errors.ts'
import { autocommit, transact, type Tx } from '../../kit/server/db.ts'
import {
  approvalNeedsTwo,
  atRiskBeforeDrop,
  overturnedAmongLast,
  type Settings,
  type SettingsChange,
} from '../contract.ts'
import * as queries from './queries.ts'

export const currentSettings = (tx: Tx): Promise<Settings> => queries.settings(tx)

export const settings = (): Promise<Settings> => queries.settings(autocommit)

/** The settings are one row, and the audit log needs an id for it. */
const settingsId = '00000000-0000-7000-8000-000000000001'

export const changeSettings = (admin: SignedIn, change: SettingsChange): Promise<Settings> =>
  transact(async tx => {
    const before = await queries.lockSettings(tx)
    const after = { ...before, ...change }
    if (after.atRiskHours >= after.dropHours) {
      throw new DomainError('INVALID_INPUT', atRiskBeforeDrop, { fields: { atRiskHours: atRiskBeforeDrop } })
    }
    if (after.consentAfterOverturned > after.consentOfLast) {
      throw new DomainError('INVALID_INPUT', overturnedAmongLast, {
        fields: { consentAfterOverturned: overturnedAmongLast },
      })
    }
    const asksForTwo = after.payoutApprovalCents !== null && after.payoutApprovalCents !== before.payoutApprovalCents
    if (asksForTwo && !(await queries.hasTwoAdmins(tx))) {
      throw new DomainError('WRONG_STATE', approvalNeedsTwo, { fields: { payoutApprovalCents: approvalNeedsTwo } })
    }
    const changed = (Object.keys(change) as (keyof Settings)[]).filter(name => before[name] !== after[name])
    if (changed.length === 0) return before
    await queries.updateSettings(tx, after)
    const facts = Object.fromEntries(changed.map(name => [name, `${before[name] ?? 'off'} → ${after[name] ?? 'off'}`]))
    await auditIfAdmin(tx, admin, { action: 'settings.change', subjectType: 'settings', subjectId: settingsId, facts })
    return after
  })
