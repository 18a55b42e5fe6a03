import { useInfiniteQuery } from '@tanstack/react-query'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { Queries } from '../../../testing/web/Queries.tsx'
import { pagesOf, queryClient } from '../query.ts'
import { DecisionCard } from './DecisionCard.tsx'
import { QueueFrame } from './QueueFrame.tsx'

type Payout = { id: string; amount: string }

const pages = pagesOf<Payout>(['ledger', 'payouts'], () => new Promise(() => {}))
const load = (...items: Payout[]) =>
  act(async () => {
    queryClient.setQueryData(pages.queryKey, { pages: [{ items, nextCursor: null }], pageParams: [undefined] })
    await new Promise(resolve => setTimeout(resolve))
  })

const Reason = ({ decision, of, onClose }: { decision: string; of: Payout; onClose: () => void }) => (
  <div role="dialog">
    {decision} {of.amount}
    <input aria-label="Reason" />
    <button onClick={onClose}>Close</button>
  </div>
)

const Queue = () => (
  <QueueFrame of={useInfiniteQuery(pages)} noun="payouts" hint="They wait here." skeleton="">
    {payout => (
      <DecisionCard of={payout} buttons={{ refuse: { label: 'Refuse' } }} named={payout.id} title="" dialog={Reason}>
        {payout.amount}
      </DecisionCard>
    )}
  </QueueFrame>
)

const said = () => screen.queryByRole('dialog')?.textContent
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const reason = () => screen.getByLabelText<HTMLInputElement>('Reason')

afterEach(() => queryClient.clear())

test('a dialog keeps what is typed in it after somebody else has decided and the card is gone', async () => {
  await load({ id: 'a', amount: '$800' }, { id: 'b', amount: '$900' })
  render(<Queue />, { wrapper: Queries })
  press('Refuse: a')
  fireEvent.change(reason(), { target: { value: 'Half a sen' } })
  const field = reason()
  await load({ id: 'a', amount: '$850' }, { id: 'b', amount: '$900' })
  expect(said()).toContain('refuse $850')
  await load({ id: 'b', amount: '$900' })
  expect(screen.queryByRole('button', { name: 'Refuse: a' })).toBeNull()
  expect([said(), reason() === field, reason().value]).toEqual([
    expect.stringContaining('refuse $850'),
    true,
    'Half a sen',
  ])
  await load()
  expect([screen.getByText('No payouts').isConnected, reason().value]).toEqual([true, 'Half a sen'])
  press('Close')
  expect(said()).toBeUndefined()
  await load({ id: 'a', amount: '$800' })
  expect(said()).toBeUndefined()
  press('Refuse: a')
  expect(reason().value).toBe('')
  press('Close')
  expect(said()).toBeUndefined()
})
