import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  earnedByTesters,
  escrowOf,
  feeEarned,
  feeOf,
  freeSeatsOf,
  heldOf,
  refundableOf,
  seatRefund,
  surplusGoes,
} from './seats.ts'

type Of = Parameters<typeof escrowOf>[0]

/** Seven seats at $10, whose fee of 1,054 cents is 150 each and 4 of rounding. */
const live: Of = {
  status: 'LIVE',
  testersRequired: 7,
  closedSeats: 0,
  offeredSeats: 0,
  payPerTesterCents: 1000,
  quotedFeeCents: 1054,
  durationDays: 14,
  fundedCents: 7000,
  feeCents: 1054,
  dispute: null,
  held: null,
  _count: { campaignTesters: 0, verified: 0 },
}

test('a seat is free until somebody has it or it is closed', () => {
  expect(freeSeatsOf({ ...live, closedSeats: 2, _count: { campaignTesters: 3, verified: 1 } })).toBe(2)
  expect(freeSeatsOf({ ...live, offeredSeats: 1, _count: { campaignTesters: 3, verified: 1 } })).toBe(3)
})

describe('what comes back for a closed seat', () => {
  test('is its pay and its share of the fee', () => {
    expect(seatRefund(live)).toEqual({ payCents: 1000, feeCents: 150, totalCents: 1150 })
  })

  test('is the rounding too for the last of all seats', () => {
    const last = { ...live, closedSeats: 2, _count: { campaignTesters: 4, verified: 4 } }
    expect(seatRefund(last)).toEqual({ payCents: 1000, feeCents: 154, totalCents: 1154 })
  })
})

describe('the escrow', () => {
  test('holds the pay of every seat that is neither verified nor closed while the campaign runs', () => {
    // Of two closed seats, one tester got a day's pay, 71 cents.
    const closed = { ...live, closedSeats: 2, fundedCents: 5071, _count: { campaignTesters: 4, verified: 1 } }
    expect(escrowOf(closed)).toBe(4000)
    expect(earnedByTesters(closed)).toBe(1071)
  })

  test.each(['DRAFT', 'REJECTED', 'PENDING_APPROVAL', 'APPROVED'] as const)(
    'of a campaign that is %s holds all',
    status => {
      expect(escrowOf({ ...live, status, fundedCents: 500 })).toBe(500)
    },
  )

  test('of an ended campaign holds the pay of the proofs in review', () => {
    const cancelled: Of = {
      ...live,
      status: 'CANCELLED',
      fundedCents: 3285,
      _count: { campaignTesters: 3, verified: 1 },
    }
    expect(escrowOf(cancelled)).toBe(2000)
    expect(earnedByTesters(cancelled)).toBe(1285)
    expect(escrowOf({ ...live, status: 'COMPLETED', _count: { campaignTesters: 7, verified: 7 } })).toBe(0)
  })
})

test('whatever is verified and closed in whatever order, the fee is shared out to the cent', () => {
  const steps = fc.array(fc.boolean(), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(steps, fc.integer({ min: 0, max: 5000 }), (order, quotedFeeCents) => {
      let campaign: Of = { ...live, testersRequired: order.length, quotedFeeCents, feeCents: quotedFeeCents }
      let refunded = 0
      let earned = 0
      for (const [index, closes] of order.entries()) {
        const left = order.length - index
        if (closes) {
          const back = seatRefund(campaign).feeCents
          refunded += back
          campaign = { ...campaign, closedSeats: campaign.closedSeats + 1, feeCents: campaign.feeCents - back }
        } else {
          earned += feeOf(campaign, left) - feeOf({ ...campaign, closedSeats: campaign.closedSeats + 1 }, left - 1)
          const seats = campaign._count.verified + 1
          campaign = { ...campaign, _count: { campaignTesters: seats, verified: seats } }
        }
        expect(feeEarned(campaign)).toBe(earned)
      }
      expect(refunded + earned).toBe(quotedFeeCents)
    }),
  )
})

describe('the money card', () => {
  const taken = { ...live, _count: { campaignTesters: 3, verified: 1 } }

  test('what is held, paid out and earned by the platform is what was paid in', () => {
    expect(heldOf(live)).toBe(8054)
    expect(heldOf(taken)).toBe(8054 - 1000 - 150)
    expect(heldOf(taken) + earnedByTesters(taken) + feeEarned(taken)).toBe(8054)
    expect(
      heldOf({
        ...taken,
        status: 'COMPLETED',
        fundedCents: 1000,
        feeCents: 150,
        testersRequired: 7,
        closedSeats: 6,
        _count: { campaignTesters: 1, verified: 1 },
      }),
    ).toBe(0)
  })

  test('refundable is all before the start, then the free seats, and nothing after the end', () => {
    expect(refundableOf({ ...live, status: 'APPROVED' })).toBe(8054)
    expect(refundableOf(live)).toBe(8054)
    expect(refundableOf(taken)).toBe(4 * 1150)
    expect(refundableOf({ ...taken, offeredSeats: 1 })).toBe(3 * 1150)
    expect(refundableOf({ ...taken, closedSeats: 1 })).toBe(3 * 1150)
    expect(refundableOf({ ...live, _count: { campaignTesters: 7, verified: 2 } })).toBe(0)
    expect(refundableOf({ ...taken, status: 'CANCELLED' })).toBe(0)
  })
})

describe('with a dispute', () => {
  const open = { since: '2026-11-20T10:00:00.000Z', lostAt: null }
  const lost = { since: null, lostAt: '2026-11-20T10:00:00.000Z' }

  test('what is held is what the ledger holds, and only the rest was paid out', () => {
    const cancelled: Of = { ...live, status: 'CANCELLED', dispute: open, held: { payCents: 7000, feeCents: 1054 } }
    expect([heldOf(cancelled), earnedByTesters(cancelled), feeEarned(cancelled)]).toEqual([8054, 0, 0])
    const closed: Of = { ...cancelled, closedSeats: 6, _count: { campaignTesters: 1, verified: 1 } }
    const paidOnce = { ...closed, held: { payCents: 6000, feeCents: 904 } }
    expect([heldOf(paidOnce), earnedByTesters(paidOnce), feeEarned(paidOnce)]).toEqual([6904, 1000, 150])
  })

  test('nothing is refundable for certain, neither while it is open nor once it is lost', () => {
    for (const dispute of [open, lost]) {
      expect(refundableOf({ ...live, dispute })).toBe(0)
      expect(refundableOf({ ...live, status: 'APPROVED', dispute })).toBe(0)
    }
    expect([null, open, lost].map(dispute => surplusGoes({ dispute }))).toEqual(['REFUNDED', 'WAITS', 'COVERS'])
  })
})
