/** What the next step says of a campaign's end and of its payment. */
import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { signedInAs } from '../../testing/web/signedIn.ts'
import type { Campaign } from '../contract.ts'
import { NextStep } from './NextStep.tsx'
import { RenewalNotice } from './RenewalNotice.tsx'

signedInAs('DEVELOPER')

const campaign = {
  id: 'c1',
  status: 'PAUSED',
  dispute: null,
  rejectionReason: null,
  testersRequired: 3,
  closedSeats: 0,
  offeredSeats: 0,
  _count: { campaignTesters: 1, joined: 1, verified: 0 },
  actions: [],
} as unknown as Campaign

test.each([
  ['PAUSED', 1, /Planned end \(pausing does not move it\): Mar 12, 2026/],
  ['LIVE', 0, /Planned end: Mar 12, 2026/],
] as const)('%s, with %s inside: says when it ends', (status, inside, sentence) => {
  const _count = { campaignTesters: inside, joined: inside, verified: 0 }
  render(
    <MemoryRouter>
      <NextStep campaign={{ ...campaign, status, endDate: '2026-03-12T12:00:00.000Z', _count }} onAsk={() => {}} />
    </MemoryRouter>,
  )
  expect(screen.getByRole('region', { name: 'Next step' }).textContent).toMatch(sentence)
})

test.each([
  [undefined, 'Finish your payment of $34.50', 1],
  [500, 'You owe $5.00 for an earlier payment', 0],
] as const)('an open payment page is offered only to a developer who owes nothing (%s)', (owedCents, title, pages) => {
  const payment = { status: 'PENDING', amountCents: 3450, checkoutUrl: 'https://checkout.stripe.com/c/pay/1' } as const
  const draft = { ...campaign, status: 'DRAFT', outstandingCents: 3450, payment } as Campaign
  render(
    <MemoryRouter>
      <NextStep campaign={owedCents === undefined ? draft : { ...draft, owedCents }} onAsk={() => {}} />
    </MemoryRouter>,
  )
  expect(screen.getByRole('heading').textContent).toBe(title)
  expect(screen.queryAllByRole('button')).toHaveLength(pages)
})

test.each([
  [undefined, /submitted for approval as soon as/, /we refund the same amount from your earlier payment/],
  [500, /You owe \$5\.00.*refund it in full/, /You owe \$5\.00.*refund it in full/],
] as const)(
  'a payment on its way to a campaign whose developer owes is said to be refunded (%s)',
  (owedCents, first, renewed) => {
    const payment = { status: 'PENDING', amountCents: 3450, checkoutUrl: null } as const
    const renewal = { amountCents: 3450, askedAt: '2026-03-12T12:00:00.000Z' }
    const paid = { ...campaign, payment, renewal, ...(owedCents !== undefined && { owedCents }) } as Campaign
    render(
      <MemoryRouter>
        <NextStep campaign={{ ...paid, status: 'DRAFT' }} onAsk={() => {}} />
        <RenewalNotice campaign={paid} renewal={renewal} />
      </MemoryRouter>,
    )
    expect(screen.getByRole('region', { name: 'Next step' }).textContent).toMatch(first)
    expect(screen.getByText(/Your new payment of/).parentElement!.textContent).toMatch(renewed)
  },
)

test('a draft whose payment was declined says why, and so does a requested new payment', () => {
  const declinedPayment = { amountCents: 3450, reason: 'The card has expired.', at: '2026-03-12T12:00:00.000Z' }
  const draft = { ...campaign, status: 'DRAFT', outstandingCents: 3450, declinedPayment } as Campaign
  const { unmount } = render(
    <MemoryRouter>
      <NextStep campaign={draft} onAsk={() => {}} />
    </MemoryRouter>,
  )
  const says = () => screen.getByRole('figure').textContent
  expect(says()).toBe('Your payment of $34.50 was declinedThe card has expired.')
  unmount()
  const renewal = { amountCents: 3450, askedAt: '2026-03-12T12:00:00.000Z' }
  render(
    <MemoryRouter>
      <RenewalNotice campaign={{ ...draft, status: 'LIVE', renewal }} renewal={renewal} />
    </MemoryRouter>,
  )
  expect(says()).toContain('The card has expired.')
})
