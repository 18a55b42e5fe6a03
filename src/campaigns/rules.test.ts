import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DomainError } from '../kit/errors.ts'
import { platformFee } from '../settings/terms.ts'
import type { CampaignAction, CampaignStatus } from './contract.ts'
import { mayCost, quote } from './quote.ts'
import { campaignActions, campaignStatuses, limits } from './terms.ts'
import {
  allowedActions,
  assertCan,
  assertChangeFits,
  assertFundable,
  assertRenewable,
  assertLinksWait,
  isPlainHttp,
  lifecycle,
  progressPercent,
  type Situation,
  type Viewer,
} from './rules.ts'

const situation = (status: CampaignStatus, more: Partial<Situation> = {}): Situation => ({
  status,
  outstandingCents: 0,
  seatsTaken: 0,
  closedSeats: 0,
  offeredSeats: 0,
  promisedSeats: 0,
  benchTesters: 0,
  testersRequired: 3,
  joinedBefore: false,
  takesNobody: false,
  renewalCents: null,
  paymentIsOnItsWay: false,
  linkWaits: false,
  ...more,
})

const refusalOf = (work: () => unknown): DomainError => {
  try {
    work()
  } catch (error) {
    if (error instanceof DomainError) return error
    throw error
  }
  throw new Error('it was not refused')
}

/** product.md §2, written down a second time: what each may do, with a campaign that is paid and one that is not. */
const allowed: Record<CampaignStatus, Record<Viewer, { paid: CampaignAction[]; owing: CampaignAction[] }>> = {
  DRAFT: {
    OWNER: { paid: ['update', 'submit', 'cancel'], owing: ['update', 'fund', 'cancel'] },
    ADMIN: { paid: ['cancel'], owing: ['cancel'] },
    TESTER: { paid: [], owing: [] },
    STRANGER: { paid: [], owing: [] },
  },
  REJECTED: {
    OWNER: { paid: ['update', 'cancel'], owing: ['update', 'cancel'] },
    ADMIN: { paid: ['cancel'], owing: ['cancel'] },
    TESTER: { paid: [], owing: [] },
    STRANGER: { paid: [], owing: [] },
  },
  PENDING_APPROVAL: {
    OWNER: { paid: ['cancel'], owing: ['cancel'] },
    ADMIN: { paid: ['approve', 'reject', 'cancel'], owing: ['approve', 'reject', 'cancel'] },
    TESTER: { paid: [], owing: [] },
    STRANGER: { paid: [], owing: [] },
  },
  APPROVED: {
    OWNER: { paid: ['start', 'cancel'], owing: ['start', 'cancel'] },
    ADMIN: { paid: ['cancel'], owing: ['cancel'] },
    TESTER: { paid: [], owing: [] },
    STRANGER: { paid: [], owing: [] },
  },
  LIVE: {
    OWNER: { paid: ['update', 'pause', 'closeSeat', 'cancel'], owing: ['update', 'pause', 'closeSeat', 'cancel'] },
    ADMIN: { paid: ['pause', 'cancel'], owing: ['pause', 'cancel'] },
    TESTER: { paid: ['join'], owing: ['join'] },
    STRANGER: { paid: [], owing: [] },
  },
  PAUSED: {
    OWNER: { paid: ['update', 'start', 'closeSeat', 'cancel'], owing: ['update', 'start', 'closeSeat', 'cancel'] },
    ADMIN: { paid: ['cancel'], owing: ['cancel'] },
    TESTER: { paid: [], owing: [] },
    STRANGER: { paid: [], owing: [] },
  },
  COMPLETED: {
    OWNER: { paid: [], owing: [] },
    ADMIN: { paid: [], owing: [] },
    TESTER: { paid: [], owing: [] },
    STRANGER: { paid: [], owing: [] },
  },
  CANCELLED: {
    OWNER: { paid: [], owing: [] },
    ADMIN: { paid: [], owing: [] },
    TESTER: { paid: [], owing: [] },
    STRANGER: { paid: [], owing: [] },
  },
}
const viewers: Viewer[] = ['OWNER', 'ADMIN', 'TESTER', 'STRANGER']

test('a changed link that waits is approved or rejected by admins alone, while the campaign runs', () => {
  for (const status of campaignStatuses) {
    const running = status === 'LIVE' || status === 'PAUSED'
    for (const viewer of viewers) {
      const actions = allowedActions(viewer, situation(status, { linkWaits: true }))
      for (const action of ['approveLink', 'rejectLink'] as const) {
        expect([status, viewer, actions.includes(action)]).toEqual([status, viewer, running && viewer === 'ADMIN'])
      }
    }
  }
  expect(refusalOf(() => assertCan('approveLink', 'ADMIN', situation('LIVE'))).message).toBe(
    'No changed link of this campaign is waiting for approval.',
  )
})

test('an admin decides on the links that were shown, and not on one that was added or has replaced one', () => {
  const app = { pendingLink: 'https://a.test', pendingGroupLink: null }
  const both = { pendingLink: 'https://a.test', pendingGroupLink: 'https://group.test' }
  const group = { pendingLink: null, pendingGroupLink: 'https://group.test' }
  for (const [waiting, seen] of [
    [app, {}],
    [app, { link: 'https://a.test' }],
    [app, { link: 'https://a.test', groupLink: null }],
    [both, { link: 'https://a.test', groupLink: 'https://group.test' }],
    [group, { groupLink: 'https://group.test' }],
  ] as const)
    expect(() => assertLinksWait(waiting, seen)).not.toThrow()
  for (const [waiting, seen] of [
    [app, { link: 'https://b.test' }],
    [app, { groupLink: null }],
    [both, { link: 'https://a.test' }],
    [both, { link: 'https://a.test', groupLink: null }],
    [group, { link: 'https://a.test' }],
  ] as const)
    expect(refusalOf(() => assertLinksWait(waiting, seen)).code).toBe('WRONG_STATE')
})

test.each([
  ['http://example.test', true],
  [' HTTP://example.test', true],
  ['https://example.test', false],
  ['', false],
])('%j: the form warns of plain http: %s', (link, warns) => expect(isPlainHttp(link)).toBe(warns))

describe('the lifecycle', () => {
  test.each(campaignStatuses.flatMap(status => viewers.map(viewer => ({ status, viewer }))))(
    'a $viewer may do with a $status campaign what product.md §2 says, and nothing else',
    ({ status, viewer }) => {
      const { paid, owing } = allowed[status][viewer]
      for (const [outstandingCents, expected] of [
        [0, paid],
        [3450, owing],
      ] as const) {
        const now = situation(status, { outstandingCents })
        expect(allowedActions(viewer, now)).toEqual(expected)
        for (const action of campaignActions) {
          if (expected.includes(action)) expect(() => assertCan(action, viewer, now)).not.toThrow()
          else expect(refusalOf(() => assertCan(action, viewer, now)).code).toBe('WRONG_STATE')
        }
      }
    },
  )

  test('nothing is paid while a payment is on its way', () => {
    const pays = (of: Situation) =>
      allowedActions('OWNER', of).filter(action => action === 'fund' || action === 'renew')
    for (const owing of [situation('DRAFT', { outstandingCents: 3450 }), situation('LIVE', { renewalCents: 3450 })]) {
      expect(pays(owing)).toHaveLength(1)
      expect(pays({ ...owing, paymentIsOnItsWay: true })).toEqual([])
    }
  })

  test('a tester may join while a seat is free, wait while none is and the bench has a place, and neither twice', () => {
    const may = (more: Partial<Situation>) => allowedActions('TESTER', situation('LIVE', more))
    expect(may({ seatsTaken: 2 })).toEqual(['join'])
    expect(may({ joinedBefore: true })).toEqual([])
    for (const full of [{ seatsTaken: 3 }, { seatsTaken: 1, closedSeats: 2 }, { seatsTaken: 2, offeredSeats: 1 }]) {
      expect(may({ ...full, benchTesters: 2 })).toEqual(['enterBench'])
      expect(may({ ...full, benchTesters: 3 })).toEqual([])
      expect(may({ ...full, joinedBefore: true })).toEqual([])
    }
  })

  test('it is not started while nobody gets in, since its time would run out; a paused one may be resumed', () => {
    const mayStart = (status: CampaignStatus, takesNobody: boolean) =>
      allowedActions('OWNER', situation(status, { takesNobody })).includes('start')
    expect([mayStart('APPROVED', false), mayStart('APPROVED', true), mayStart('PAUSED', true)]).toEqual([
      true,
      false,
      true,
    ])
    expect(refusalOf(() => assertCan('start', 'OWNER', situation('APPROVED', { takesNobody: true }))).message).toBe(
      'The payment for this campaign is disputed. You can start the campaign once the bank has decided in your favor.',
    )
  })

  test('its owner may close a seat only while one is free', () => {
    const mayClose = (more: Partial<Situation>) =>
      allowedActions('OWNER', situation('PAUSED', more)).includes('closeSeat')
    expect([mayClose({ seatsTaken: 2, promisedSeats: 1 }), mayClose({ seatsTaken: 1, promisedSeats: 1 })]).toEqual([
      false,
      true,
    ])
    expect(mayClose({ seatsTaken: 1, closedSeats: 1 })).toBe(true)
    expect(mayClose({ seatsTaken: 1, closedSeats: 2 })).toBe(false)
    expect(refusalOf(() => assertCan('closeSeat', 'OWNER', situation('LIVE', { seatsTaken: 3 }))).message).toBe(
      'This campaign has no free seat to close.',
    )
  })

  test('no action leads into a state that its own table does not know, and every state can be left or is an end', () => {
    const left = new Set(Object.values(lifecycle).flatMap(step => (step.to ? step.from : [])))
    expect(campaignStatuses.filter(status => !left.has(status))).toEqual(['COMPLETED', 'CANCELLED'])
  })

  test('a refusal says where the campaign is and what would be possible', () => {
    expect(refusalOf(() => assertCan('start', 'OWNER', situation('LIVE'))).message).toBe(
      'This campaign is live, so you cannot start it. You can edit, pause, or cancel it.',
    )
    expect(refusalOf(() => assertCan('cancel', 'OWNER', situation('COMPLETED'))).message).toBe(
      'This campaign is completed, so you cannot cancel it.',
    )
    expect(refusalOf(() => assertCan('submit', 'OWNER', situation('DRAFT', { outstandingCents: 345 }))).message).toBe(
      'Pay the outstanding $3.45 before you submit this campaign.',
    )
  })
})

describe('the quote', () => {
  test.each([
    [10, 1000, 10_000, 1500],
    [1, 100, 100, 15],
    [7, 101, 707, 106], // 106.05
    [1, 110, 110, 17], // 16.5 is rounded up
    [1, 103, 103, 15], // 15.45
    [100, 1_000_000, 100_000_000, 15_000_000],
  ])('%i testers at %i cents are %i cents of pay and %i of fee', (testers, pay, quotedPayCents, quotedFeeCents) => {
    const totalCostCents = quotedPayCents + quotedFeeCents
    expect(quote(testers, pay)).toEqual({ quotedPayCents, quotedFeeCents, totalCostCents })
  })

  const testers = fc.integer({ min: limits.minTesters, max: limits.maxTesters })
  const pay = fc.integer({ min: limits.minPayCents, max: limits.maxPayCents })

  test('is in whole cents, and its fee is never more than half a cent away from 15 %', () => {
    fc.assert(
      fc.property(testers, pay, (count, cents) => {
        const { quotedPayCents, quotedFeeCents, totalCostCents } = quote(count, cents)
        expect([quotedPayCents, quotedFeeCents, totalCostCents].every(Number.isSafeInteger)).toBe(true)
        expect(totalCostCents).toBe(quotedPayCents + quotedFeeCents)
        expect(Math.abs(quotedFeeCents * 10_000 - quotedPayCents * platformFee) * 2).toBeLessThanOrEqual(10_000)
      }),
    )
  })

  test.each([
    [1, 100, true],
    [100, 1_000_000, true],
    [0, 1000, false],
    [101, 1000, false],
    [500, 1000, false],
    [1.5, 1000, false],
    [10, 99, false],
    [10, 1_000_001, false],
    [Number.NaN, 1000, false],
  ])('%s testers at %s cents each have a price: %s', (count, cents, has) => {
    expect(mayCost(count, cents)).toBe(has)
  })

  test('never falls when testers or pay rise, so that pay and fee are owed or given back together', () => {
    fc.assert(
      fc.property(testers, pay, testers, pay, (countA, centsA, countB, centsB) => {
        const [less, more] = [quote(countA, centsA), quote(countB, centsB)].toSorted(
          (a, b) => a.quotedPayCents - b.quotedPayCents,
        )
        expect(less!.quotedFeeCents).toBeLessThanOrEqual(more!.quotedFeeCents)
      }),
    )
  })
})

test('progress is the share of seats taken, in whole percent', () => {
  expect([0, 1, 2, 3].map(joined => progressPercent(joined, 3))).toEqual([0, 33, 67, 100])
})

test('a campaign is funded with what is outstanding, to the cent; any other amount is answered with the right one', () => {
  const owing = situation('DRAFT', { outstandingCents: 3450 })
  expect(() => assertFundable(owing, 3450)).not.toThrow()
  for (const amountCents of [3449, 3451, 0, -3450]) {
    const error = refusalOf(() => assertFundable(owing, amountCents))
    expect(error.code).toBe('WRONG_AMOUNT')
    expect(error.message).toContain('$34.50 (3450 cents)')
    expect(error.fields).toEqual({ amountCents: error.message })
  }
  expect(refusalOf(() => assertFundable(situation('DRAFT'), 3450)).message).toBe(
    'Nothing is outstanding: submit the campaign for approval.',
  )
  expect(refusalOf(() => assertFundable(situation('DRAFT'), 0)).code).toBe('WRONG_STATE')
  for (const status of ['REJECTED', 'LIVE'] as const)
    expect(refusalOf(() => assertFundable(situation(status), 3450)).code).toBe('WRONG_STATE')
})

test('what is in escrow is paid anew, to the cent, and nothing where nothing is left', () => {
  const asked = situation('LIVE', { renewalCents: 3450 })
  expect(() => assertRenewable(asked, 3450)).not.toThrow()
  for (const amountCents of [3449, 0, -3450])
    expect(refusalOf(() => assertRenewable(asked, amountCents)).message).toContain('$34.50 (3450 cents)')
  expect(refusalOf(() => assertRenewable(situation('LIVE', { renewalCents: 0 }), 0))).toMatchObject({
    code: 'WRONG_AMOUNT',
    message: 'Nothing is left in escrow, so no new payment is needed.',
  })
})

describe('a change', () => {
  test('while LIVE or PAUSED may touch the texts and the link, and nothing else', () => {
    for (const status of ['LIVE', 'PAUSED'] as const) {
      expect(() =>
        assertChangeFits(status, { title: 'A', description: 'B', distributionLink: 'https://c.d' }),
      ).not.toThrow()
      const error = refusalOf(() => assertChangeFits(status, { title: 'A', payPerTesterCents: 500, durationDays: 2 }))
      expect(error.code).toBe('WRONG_STATE')
      expect(Object.keys(error.fields ?? {})).toEqual(['payPerTesterCents', 'durationDays'])
    }
  })

  test('of a draft or a rejected campaign may touch everything', () => {
    for (const status of ['DRAFT', 'REJECTED'] as const) {
      expect(() =>
        assertChangeFits(status, { payPerTesterCents: 500, platform: 'ios', dailyCheckIn: false }),
      ).not.toThrow()
    }
  })
})
