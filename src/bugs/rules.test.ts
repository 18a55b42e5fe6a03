/** Who may do what with a bug. */
import { expect, test } from 'vitest'
import { roles } from '../kit/roles.ts'
import { participationStatuses } from '../campaigns/participationStatus.ts'
import { actionTo, allowedActions, assertMay, isOutside, lifecycle, mayReport } from './rules.ts'
import { bugActions, bugStatuses, mostCommentsPerBug } from './terms.ts'

const bug = { number: 4, status: 'OPEN', comments: 0, retestAsked: false } as const

test('every action that is offered is allowed', () => {
  for (const status of bugStatuses)
    for (const retestAsked of [true, false])
      for (const comments of [0, mostCommentsPerBug])
        for (const role of roles) {
          const situation = { number: 4, status, comments, retestAsked }
          const offered = allowedActions(role, situation)
          const taken = bugActions.filter(action => {
            if (!lifecycle[action].by.includes(role)) return false
            try {
              assertMay(action, situation)
              return true
            } catch {
              return false
            }
          })
          expect(offered.toSorted()).toEqual(taken.toSorted())
        }
})

test('a bug is decided once, and has to be reopened before another decision', () => {
  const offered = (status: (typeof bugStatuses)[number]) =>
    allowedActions('DEVELOPER', { ...bug, status }).filter(action => action !== 'setSeverity' && action !== 'comment')
  expect(offered('OPEN')).toEqual(['confirm', 'markFixed', 'markDuplicate', 'wontFix'])
  expect(offered('CONFIRMED')).toEqual(['markFixed', 'markDuplicate', 'wontFix'])
  for (const status of ['DUPLICATE', 'FIXED', 'WONT_FIX'] as const) expect(offered(status)).toEqual(['reopen'])
  expect(Object.keys(actionTo)).toEqual([...bugStatuses])
})

test('testers may report during their test, and verified ones until the campaign ends', () => {
  const may = (campaignClosedAt: string | null) =>
    participationStatuses.filter(status => mayReport({ status, campaignClosedAt, ndaVersion: null, ndaAccepted: null }))
  expect(may(null)).toEqual(['ACTIVE', 'SUBMITTED', 'CHANGES_REQUESTED', 'VERIFIED'])
  expect(may('2026-11-22T10:00:00.000Z')).toEqual(['ACTIVE', 'SUBMITTED', 'CHANGES_REQUESTED'])
})

test('a tester who gave up the seat or lost it for good is outside; with a frozen seat or a verified test they are inside', () => {
  const inside = (isClosed: boolean, campaignClosedAt: string | null = null) =>
    participationStatuses.filter(
      status => !isOutside({ status, isClosed, campaignClosedAt, ndaVersion: null, ndaAccepted: null }),
    )
  const open = ['ACTIVE', 'SUBMITTED', 'CHANGES_REQUESTED']
  expect(inside(false)).toEqual([...open, 'VERIFIED', 'REJECTED', 'APPEALED'])
  for (const end of [null, '2026-11-22T10:00:00.000Z']) expect(inside(true, end)).toEqual([...open, 'VERIFIED'])
  expect(
    isOutside({ status: 'ACTIVE', isClosed: false, campaignClosedAt: null, ndaVersion: 1, ndaAccepted: null }),
  ).toBe(true)
})

test('nobody reports before accepting the first NDA, and a later version stops nobody', () => {
  const may = (ndaAccepted: number | null, status: 'ACTIVE' | 'VERIFIED' = 'ACTIVE') =>
    mayReport({ status, campaignClosedAt: null, ndaVersion: 2, ndaAccepted })
  expect([may(null), may(null, 'VERIFIED'), may(1), may(2)]).toEqual([false, false, true, true])
})
