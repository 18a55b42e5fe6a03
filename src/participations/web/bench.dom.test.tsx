/** What testers are told who wait for a seat, or who have not joined. */
import { render, screen } from '@testing-library/react'
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
  const bench = { line: 2, offerEndsAt: null, takesNobody, keptByLimit: false }
  const entry = { status: 'WAITLISTED', bench, actions: ['leave'], campaign: {} }
  render(<OnBench of={entry as unknown as CampaignTester} />, { wrapper: Queries })
  expect(screen.getByRole('note').textContent).toContain(words)
})

test.each([
  ['reached the limit of open tests', true, ['leave'], 0],
  ['then it goes to the next tester', false, ['acceptSeat', 'leave'], 1],
])('a seat that is held: %s', (words, keptByLimit, actions, buttons) => {
  const bench = { line: 1, offerEndsAt: '2026-11-21T10:00:00.000Z', takesNobody: false, keptByLimit }
  const entry = { status: 'WAITLISTED', bench, actions, campaign: { payPerTesterCents: 1000 } }
  render(<OnBench of={entry as unknown as CampaignTester} />, { wrapper: Queries })
  expect(screen.getByRole('note').textContent).toContain(words)
  expect(screen.getByRole('note').textContent).toContain('It is held for you until')
  expect(screen.queryAllByRole('button')).toHaveLength(buttons)
})
