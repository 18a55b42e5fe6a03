import { expect, test } from 'vitest'
import { escrowLeft } from './escrow.ts'

type Args = Parameters<typeof escrowLeft>

const campaign = (status: Args[0]['status'], fundedCents: number, verified: number) =>
  ({ status, fundedCents, payPerTesterCents: 1000, _count: { campaignTesters: 3, verified } }) as Args[0]

const roster = (nextCursor: string | null) =>
  ({
    pages: [
      {
        items: [
          { status: 'CANCELLED', payoutAmountCents: 285 },
          { status: 'SUBMITTED', payoutAmountCents: 1000 },
          { status: 'VERIFIED', payoutAmountCents: 1000 },
        ],
        nextCursor,
      },
    ],
  }) as Args[1]

test('the escrow holds what was funded and not yet paid out', () => {
  expect(escrowLeft(campaign('LIVE', 10_000, 2), undefined)).toBe(8000)
})

test('for a cancelled campaign, the days paid are deducted too', () => {
  expect(escrowLeft(campaign('CANCELLED', 2285, 1), roster(null))).toBe(1000)
})

test('a cancelled campaign has no figure until its roster is complete', () => {
  expect(escrowLeft(campaign('CANCELLED', 2285, 1), roster('next'))).toBeNull()
  expect(escrowLeft(campaign('CANCELLED', 2285, 1), undefined)).toBeNull()
})
