import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { session } from '../../kit/web/session.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import { withDialogs } from '../../testing/web/dialogs.ts'
import type { Campaign } from '../contract.ts'
import { CancelDialog } from './CancelDialog.tsx'

withDialogs()

const signIn = (role: 'DEVELOPER' | 'ADMIN') =>
  session.signIn({
    accessToken: 'access',
    refreshToken: 'refresh',
    user: { id: 'd1', name: 'Dora', email: 'dora@example.test', role },
  })

const draft = {
  id: 'c1',
  title: 'Notes',
  status: 'DRAFT',
  closedSeats: 0,
  offeredSeats: 0,
  testersRequired: 3,
  payPerTesterCents: 1000,
  durationDays: 14,
  quotedFeeCents: 450,
  fundedCents: 0,
  feeCents: 0,
  dispute: null,
  held: null,
  frozen: null,
  _count: { campaignTesters: 0, verified: 0 },
}

test.each([
  ['DEVELOPER', 'Your payment of $34.50 is on its way. Cancelling sends it back. You cannot reopen it.'],
  ['ADMIN', 'A payment of $34.50 is on its way. Cancelling sends it back. You cannot reopen it.'],
] as const)('a payment on its way is named to a %s, and not called nothing', async (role, words) => {
  signIn(role)
  const campaign = {
    ...draft,
    payment: { status: 'PENDING', amountCents: 3450, checkoutUrl: null },
  } as unknown as Campaign
  render(<CancelDialog campaign={campaign} daysDone={() => Promise.resolve([])} onClose={() => {}} />, {
    wrapper: Queries,
  })
  expect((await screen.findByRole('dialog')).textContent).toContain(words)
})

test('the lines add up also where only a closed seat was paid for', async () => {
  signIn('DEVELOPER')
  // A day of 14 was paid to who waited in vain: $0.71 of $10.00. The rest of the seat has gone back.
  const campaign = {
    id: 'c1',
    title: 'Notes',
    status: 'LIVE',
    closedSeats: 1,
    offeredSeats: 0,
    testersRequired: 2,
    payPerTesterCents: 1000,
    durationDays: 14,
    quotedFeeCents: 300,
    fundedCents: 1071,
    feeCents: 150,
    dispute: null,
    held: null,
    frozen: null,
    _count: { campaignTesters: 0, verified: 0 },
  } as unknown as Campaign
  render(<CancelDialog campaign={campaign} daysDone={() => Promise.resolve([])} onClose={() => {}} />, {
    wrapper: Queries,
  })
  const said = (await screen.findByRole('dialog')).textContent
  expect(said).toContain('Paid to testers so far, with fees')
  const cents = [...said.matchAll(/[−]?\$\d+\.\d\d/g)].map(([text]) =>
    Math.round(Number(text.replace(/[^\d.]/g, '')) * 100),
  )
  expect(cents.slice(0, 3)).toEqual([1221, 71, 1150])
})
