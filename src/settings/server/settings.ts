/** System settings. Each campaign keeps the terms it was created with. */
import { randomUUIDv7 } from 'node:crypto'
import { auditIfAdmin } from '../../audit/server/audit.ts'
import { clock } from '../../kit/clock.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { DomainError } from '../../kit/errors.ts'
import { autocommit, transact, type Tx } from '../../kit/server/db.ts'
import { enqueue } from '../../kit/server/jobs.ts'
import {
  atRiskBeforeDrop,
  type LimitChange,
  overturnedAmongLast,
  type Settings,
  type SettingsChange,
  type SettingsShown,
} from '../contract.ts'
import { assertLimitHasTwo, assertMayDecideLimit, type LimitAction, limitActionsOn, protectsLess } from '../limits.ts'
import * as queries from './queries.ts'

export const currentSettings = (tx: Tx): Promise<Settings> => queries.settings(tx)

export const settings = (admin: SignedIn): Promise<SettingsShown> => shownTo(admin, autocommit)

const shownTo = async (admin: SignedIn, tx: Tx): Promise<SettingsShown> => {
  const [current, change] = await Promise.all([queries.settings(tx), queries.openLimitChange(tx)])
  return { ...current, limitChange: change ? changeShownTo(admin, change) : null }
}

const changeShownTo = (admin: SignedIn, change: queries.LimitChangeRow): LimitChange => {
  const { id, fromCents, toCents, proposerId, proposerName, proposedAt } = change
  const proposedBy = { id: proposerId, name: proposerName }
  return { id, fromCents, toCents, proposedBy, proposedAt, actions: limitActionsOn(change, admin.id) }
}

/** The settings are one row, and the audit log needs an id for it. */
export const settingsId = '00000000-0000-7000-8000-000000000001'

const note = (tx: Tx, admin: SignedIn, action: SettingsAction, facts: Record<string, string>): Promise<void> =>
  auditIfAdmin(tx, admin, { action, subjectType: 'settings', subjectId: settingsId, facts })
type SettingsAction = 'settings.change' | 'settings.propose' | 'settings.confirm' | 'settings.refuse'

type Value = Settings[keyof Settings]
const fromTo = (before: Value, after: Value) => `${before ?? 'off'} → ${after ?? 'off'}`

/** Of two settings that contradict each other, names the one that was sent. */
const assertFits = (change: SettingsChange, after: Settings): void => {
  const refuse = (message: string, ...pair: (keyof Settings)[]) => {
    const field = pair.find(name => name in change) ?? ''
    throw new DomainError('INVALID_INPUT', message, { fields: { [field]: message } })
  }
  if (after.atRiskHours >= after.dropHours) refuse(atRiskBeforeDrop, 'atRiskHours', 'dropHours')
  if (after.consentAfterOverturned > after.consentOfLast)
    refuse(overturnedAmongLast, 'consentAfterOverturned', 'consentOfLast')
}

/** Everything takes effect at once, except a payout limit that protects less, which is only proposed. */
export const changeSettings = (admin: SignedIn, change: SettingsChange): Promise<SettingsShown> =>
  transact(async tx => {
    const before = await queries.lockSettings(tx)
    const asked = { ...before, ...change }
    assertFits(change, asked)
    const limit = asked.payoutApprovalCents
    if (limit !== before.payoutApprovalCents)
      assertLimitHasTwo(before.payoutApprovalCents, limit, await queries.hasTwoAdmins(tx))
    const isProposed = protectsLess(before.payoutApprovalCents, limit)
    const after = isProposed ? { ...asked, payoutApprovalCents: before.payoutApprovalCents } : asked
    const changed = (Object.keys(change) as (keyof Settings)[]).filter(name => before[name] !== after[name])
    if (changed.includes('payoutApprovalCents')) await queries.lapseLimitChange(tx, admin.id, clock.now())
    if (changed.length > 0) {
      await queries.updateSettings(tx, after)
      await note(
        tx,
        admin,
        'settings.change',
        Object.fromEntries(changed.map(name => [name, fromTo(before[name], after[name])])),
      )
    }
    if (isProposed) await propose(tx, admin, before.payoutApprovalCents!, limit)
    return shownTo(admin, tx)
  })

/** Enqueued by its name, since the job that tells admins belongs to a slice above this one. */
const tellOfLimitChange = { name: 'ledger.tell-of-limit-change' }

/** A proposal that waits already, by whichever admin, goes on waiting. */
const propose = async (tx: Tx, admin: SignedIn, fromCents: number, toCents: number | null): Promise<void> => {
  if ((await queries.openLimitChange(tx))?.toCents === toCents) return
  const [id, now] = [randomUUIDv7(), clock.now()]
  await queries.lapseLimitChange(tx, admin.id, now)
  await queries.insertLimitChange(tx, { id, fromCents, toCents, adminId: admin.id, now })
  await note(tx, admin, 'settings.propose', { payoutApprovalCents: fromTo(fromCents, toCents) })
  await enqueue(tx, tellOfLimitChange, { id })
}

/** The waiting change; undefined once it no longer waits. */
export const waitingLimitChange = async (tx: Tx, id: string): Promise<queries.LimitChangeRow | undefined> => {
  const change = await queries.openLimitChange(tx)
  return change?.id === id ? change : undefined
}

/** Locks the settings, the change and the admins, in this order, then applies the rule and writes. */
const decide = (admin: SignedIn, id: string, action: LimitAction): Promise<SettingsShown> =>
  transact(async tx => {
    const before = await queries.lockSettings(tx)
    const isActive = await queries.lockLimitChange(tx, id, admin.id)
    const change = await queries.limitChange(tx, id)
    if (!isActive) throw new DomainError('WRONG_STATE', 'Only an active admin can decide on this change.')
    assertMayDecideLimit(action, change, admin.id)
    const confirms = action === 'confirm'
    await queries.decideLimitChange(tx, id, {
      outcome: confirms ? 'CONFIRMED' : 'REFUSED',
      adminId: admin.id,
      now: clock.now(),
    })
    if (confirms) await queries.updateSettings(tx, { ...before, payoutApprovalCents: change.toCents })
    const facts = { payoutApprovalCents: fromTo(change.fromCents, change.toCents), proposedBy: change.proposerName }
    await note(tx, admin, confirms ? 'settings.confirm' : 'settings.refuse', facts)
    return shownTo(admin, tx)
  })

export const confirmLimit = (admin: SignedIn, id: string): Promise<SettingsShown> => decide(admin, id, 'confirm')

/** Any admin may refuse, including the one who proposed it. */
export const refuseLimit = (admin: SignedIn, id: string): Promise<SettingsShown> => decide(admin, id, 'refuse')
