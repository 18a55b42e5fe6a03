/** What an owner reads of a disputed payment, with testers inside or without, and after the end. */
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { signedInAs } from '../../testing/web/signedIn.ts'
import type { Campaign } from '../contract.ts'
import { DisputeNotice } from './DisputeNotice.tsx'

signedInAs('DEVELOPER')

const open = { since: '2026-05-05T12:00:00.000Z', lostAt: null }
const lost = { since: null, lostAt: '2026-05-06T12:00:00.000Z' }
const rest = 'Unused funds first cover what the bank took back, and only the rest is refunded.'
const frozen =
  'Until the bank decides, no one can join, refunds and completion are on hold, and you cannot reject proofs.'

test.each([
  ['open, with testers', open, 'LIVE', 2, `${frozen} Current testers continue and are paid for verified tests.`],
  ['open, with nobody', open, 'LIVE', 0, frozen],
  ['open, cancelled', open, 'CANCELLED', 0, 'Until the bank decides, refunds are on hold.'],
  [
    'open, cancelled with proofs under review',
    open,
    'CANCELLED',
    1,
    'Until the bank decides, refunds are on hold, and you cannot reject the proofs that are still under review. Verified tests are paid.',
  ],
  [
    'lost, with testers',
    lost,
    'LIVE',
    2,
    `No new testers can join. Current testers can finish and will be paid. ${rest}`,
  ],
  ['lost, with nobody', lost, 'LIVE', 0, `No new testers can join. ${rest}`],
  ['lost, cancelled', lost, 'CANCELLED', 0, rest],
])('the notice of a dispute that is %s', (_which, dispute, status, campaignTesters, words) => {
  const campaign = { dispute, status, frozen: null, _count: { campaignTesters, verified: 0 } } as unknown as Campaign
  render(<DisputeNotice of={campaign} />)
  expect(screen.getByText(words)).toBeTruthy()
})
