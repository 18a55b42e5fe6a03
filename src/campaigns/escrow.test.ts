import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { daysAfter } from '../kit/clock.ts'
import { projectRoot } from '../kit/server/root.ts'
import { assertEscrowAction, decideAfterDays, type EscrowSituation, escrowActionsOn, extensionDays } from './escrow.ts'
import { campaignStatuses } from './terms.ts'

const paidAt = '2026-11-01T10:00:00.000Z'
const held = {
  status: 'LIVE',
  heldCents: 3450,
  dueAt: daysAfter(paidAt, decideAfterDays),
  renewalAskedAt: null,
  disputed: false,
  developerSuspended: false,
} as const
const onDay = (day: number) => daysAfter(paidAt, day)

test('a payment is due after as many days in SQL as in the rules', () => {
  const body = readFileSync(join(projectRoot, 'migrations/functions/settle_charge.sql'), 'utf8')
  expect(Array.from(body.matchAll(/interval '(\d+) days'/g), ([, days]) => Number(days))).toEqual([
    decideAfterDays,
    decideAfterDays,
  ])
})

test('from day 60 on it can be decided, not a moment before', () => {
  expect(escrowActionsOn(held, onDay(59.9))).toEqual([])
  expect(escrowActionsOn(held, onDay(60))).toEqual(['extend', 'renew', 'cancel'])
  expect(escrowActionsOn(held, onDay(400))).toEqual(['extend', 'renew', 'cancel'])
})

test('what was extended can be decided anew ten days later', () => {
  const extended = { ...held, dueAt: daysAfter(onDay(80), extensionDays) }
  expect(() => assertEscrowAction('extend', extended, onDay(80))).toThrow('has already been made')
  expect(escrowActionsOn(extended, onDay(89.9))).toEqual([])
  expect(escrowActionsOn(extended, onDay(90))).toEqual(['extend', 'renew', 'cancel'])
})

test('nothing is decided about a campaign without money in escrow', () => {
  expect(escrowActionsOn({ ...held, heldCents: 0 }, onDay(100))).toEqual([])
  expect(escrowActionsOn({ ...held, dueAt: null }, onDay(100))).toEqual([])
})

test('one that has ended can only be extended: its last tests decide what becomes of the rest', () => {
  const cancellable = campaignStatuses.filter(status =>
    escrowActionsOn({ ...held, status }, onDay(80)).includes('cancel'),
  )
  expect(cancellable).toEqual(['DRAFT', 'PENDING_APPROVAL', 'APPROVED', 'REJECTED', 'LIVE', 'PAUSED'])
  expect(escrowActionsOn({ ...held, status: 'CANCELLED' }, onDay(80))).toEqual(['extend'])
})

test('who has not started, or runs, can be asked once to pay anew, and not while a payment is disputed or they are suspended', () => {
  const mayAsk = (more: Partial<EscrowSituation>) => escrowActionsOn({ ...held, ...more }, onDay(80)).includes('renew')
  expect(campaignStatuses.filter(status => mayAsk({ status }))).toEqual([
    'PENDING_APPROVAL',
    'APPROVED',
    'LIVE',
    'PAUSED',
  ])
  expect(mayAsk({ renewalAskedAt: onDay(70) })).toBe(false)
  expect(mayAsk({ disputed: true })).toBe(false)
  expect(mayAsk({ developerSuspended: true })).toBe(false)
})
