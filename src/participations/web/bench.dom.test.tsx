/** What testers are told who wait for a seat, or who have not joined. */
import { fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { stubNetwork } from '../../testing/network.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import type { CampaignTester } from '../contract.ts'
import { EarnCard } from './EarnCard.tsx'
import { OnBench } from './OnBench.tsx'

provideCalls(endpointTable)
afterEach(() => void vi.unstubAllGlobals())

test('a tester in line for a seat is told so on the campaign, and is promised no pay', () => {
  const campaign = {
    payPerTesterCents: 1000,
    developer: { id: 'd1', name: 'Dana' },
    participation: { id: 't1', status: 'WAITLISTED' },
  }
  render(<EarnCard campaign={campaign as unknown as Campaign} />, { wrapper: MemoryRouter })
  const card = document.body.textContent
  expect(card).toContain('You are in line for a seat.')
  expect(card).not.toMatch(/no longer|earn/)
  expect(screen.getByRole('link', { name: 'Open My Test' })).toBeDefined()
})

test.each([
  ['EMAIL_LIST', 'Once the developer has added your Google account, opt in on Google Play. Your days begin then.', 4],
  ['OPEN_LINK', 'Join with a device that meets the requirements and get the app.', 3],
])('the steps before joining, with %s', (accessMode, words, count) => {
  stubNetwork()
  const campaign = { accessMode, payPerTesterCents: 1000, developer: { id: 'd1', name: 'Dana' }, participation: null }
  render(<EarnCard campaign={{ ...campaign, actions: [] } as unknown as Campaign} />, { wrapper: Queries })
  const steps = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(steps).toContain(words)
  expect(steps).toHaveLength(count)
})

test.each([
  [true, 'is not accepting testers at the moment. You keep your place in line; we will tell you'],
  [false, 'All seats are taken. When one opens up, it is held'],
])('a bench of a campaign that takes nobody: %s', (takesNobody, words) => {
  const bench = { line: 2, offerEndsAt: null, takesNobody, obstacle: null }
  const entry = { status: 'WAITLISTED', bench, actions: ['leave'], campaign: {} }
  render(<OnBench of={entry as unknown as CampaignTester} />, { wrapper: Queries })
  expect(screen.getByRole('note').textContent).toContain(words)
})

const held = '2026-11-21T10:00:00.000Z'
const seatHeld = (more: object, actions: string[], offerEndsAt: string | null = held) => {
  const bench = { line: 1, offerEndsAt, takesNobody: false, obstacle: null, ...more }
  const campaign = { title: 'Notes', payPerTesterCents: 1000 }
  const entry = { id: 't1', status: 'WAITLISTED', bench, actions, campaign }
  const app = (
    <MemoryRouter>
      <OnBench of={entry as unknown as CampaignTester} />
    </MemoryRouter>
  )
  render(app, { wrapper: Queries })
  return screen.getByRole('note').textContent
}
const buttons = () => screen.queryAllByRole('button').map(({ textContent }) => textContent)

test('a seat that is held can be accepted', () => {
  const words = seatHeld({}, ['acceptSeat', 'leave'])
  expect(words).toContain('It is held for you until')
  expect(words).toContain('then it goes to the next tester')
  expect(buttons()).toEqual(['Accept and earn $10.00'])
})

test.each([
  ['LIMIT_REACHED', 0],
  ['PLAY_ACCOUNT_TAKEN', 0],
  ['EMAIL_NOT_CONFIRMED', 1],
  ['DEVICE_DOES_NOT_FIT', 1],
])('a seat that its tester cannot accept says why in place of the button: %s', async (code, links) => {
  stubNetwork()
  const words = seatHeld({ obstacle: { code, message: 'This is why.' } }, ['leave'])
  expect(words).toContain('It is held for you until')
  expect(words).toContain('This is why.')
  expect(screen.queryAllByRole('link', { name: 'Open Settings' })).toHaveLength(links)
  expect(buttons()).toEqual(['Let the seat go'])
  fireEvent.click(screen.getByRole('button', { name: 'Let the seat go' }))
  const dialog = await screen.findByRole('dialog', { name: 'Leave “Notes”' })
  expect(dialog.textContent).toContain('The seat goes to the next tester, and you lose your place in line.')
})

test('a seat that is free for anyone is not one to let go', () => {
  const words = seatHeld({ obstacle: { code: 'LIMIT_REACHED', message: 'This is why.' } }, ['leave'], null)
  expect(words).toContain('It is not held for you, so anyone can take it.This is why.')
  expect(buttons()).toEqual([])
})
