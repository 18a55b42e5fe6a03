import { fireEvent, render, screen } from '@testing-library/react'
import { beforeAll, expect, test } from 'vitest'
import { Queries } from '../../testing/web/Queries.tsx'
import { withDialogs } from '../../testing/web/dialogs.ts'
import type { StuckRefund } from '../stuckRefundsContract.ts'
import { StuckRefundDialog } from './StuckRefundDialog.tsx'

withDialogs()
// The form loads it on demand. Loading it here keeps that import from running after the test has ended.
beforeAll(async () => void (await import('../stuckRefundsContract.ts')))

const refund = {
  id: 'r1',
  amountCents: 2875,
  needsTwo: false,
  developer: { name: 'Dana' },
  campaign: { title: 'Tide Tables' },
} as StuckRefund

test('an admin types the amount paid by other means into an empty field', async () => {
  render(<StuckRefundDialog decision="pay" of={refund} onClose={() => {}} />, { wrapper: Queries })
  const amount = await screen.findByLabelText<HTMLInputElement>('Amount paid')
  expect(amount.value).toBe('')
  fireEvent.change(amount, { target: { value: '28.7' } })
  fireEvent.blur(amount)
  expect(amount.value).toBe('28.70')
})

test('an empty amount is asked for in dollars, not in the cents of the API', async () => {
  render(<StuckRefundDialog decision="pay" of={refund} onClose={() => {}} />, { wrapper: Queries })
  fireEvent.click(await screen.findByRole('button', { name: 'Record as paid' }))
  expect(await screen.findByText('Enter an amount in dollars, such as 10.00')).toBeDefined()
})

test.each(['pay', 'retry', 'confirm', 'settle', 'refuse'] as const)(
  'the dialog to %s tells apart two refunds of the same amount to one developer',
  async decision => {
    render(<StuckRefundDialog decision={decision} of={refund} onClose={() => {}} />, { wrapper: Queries })
    expect((await screen.findByRole('dialog')).textContent).toContain('Tide Tables')
  },
)
