import { expect, test } from 'vitest'
import { type Settlement, settle } from './settlement.ts'

const campaign = {
  status: 'LIVE' as const,
  closedSeats: 0,
  offeredSeats: 0,
  testersRequired: 10,
  payPerTesterCents: 1000,
  durationDays: 14,
  quotedFeeCents: 1500,
  fundedCents: 10_000,
  feeCents: 1500,
  dispute: null,
  held: null,
  _count: { campaignTesters: 6, verified: 2 },
}

const sum = (money: Settlement) => money.spentCents + money.daysDoneCents + money.heldCents + money.refundCents

test('active testers are paid for whole days, rounded down for each', () => {
  expect(settle(campaign, [1, 1, 1], 0).daysDoneCents).toBe(213)
})

test('more check-ins than days pay no more than the full amount', () => {
  expect(settle(campaign, [15], 0).daysDoneCents).toBe(1000)
})

test('proofs in review keep their pay and their share of the fee', () => {
  expect(settle(campaign, [], 2)).toMatchObject({ heldCents: 2300, spentCents: 2300, refundCents: 6900 })
})

test('every cent paid in is counted once', () => {
  for (const underReview of [0, 1, 3]) expect(sum(settle(campaign, [3, 7, 13], underReview))).toBe(11_500)
})

test('nothing paid means nothing refunded', () => {
  const unpaid = {
    ...campaign,
    status: 'DRAFT' as const,
    fundedCents: 0,
    feeCents: 0,
    _count: { campaignTesters: 0, verified: 0 },
  }
  expect(settle(unpaid, [], 0)).toEqual({ spentCents: 0, daysDoneCents: 0, heldCents: 0, refundCents: 0 })
})

test('a seat closed while a dispute is open is part of what is left, not of what was spent', () => {
  const disputed = {
    ...campaign,
    closedSeats: 3,
    dispute: { since: '2026-11-20T10:00:00.000Z', lostAt: null },
    held: { payCents: 8000, feeCents: 1200 },
  }
  expect(settle(disputed, [7, 7], 2)).toEqual({
    spentCents: 2300,
    daysDoneCents: 1000,
    heldCents: 2300,
    refundCents: 5900,
  })
})
