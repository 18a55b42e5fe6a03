import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import type { Campaign } from '../../campaigns/contract.ts'
import type { Continuity } from '../contract.ts'
import { OpenLinkDays } from './OpenLinkDays.tsx'

vi.useFakeTimers({ now: Date.parse('2026-03-10T12:00:00.000Z'), toFake: ['Date'] })

const clock = { testers: [] } as unknown as Continuity
const campaign = {
  id: 'c1',
  platform: 'android',
  status: 'LIVE',
  durationDays: 14,
  dispute: null,
  endDate: '2026-03-12T12:00:00.000Z',
  testersRequired: 3,
  closedSeats: 0,
  offeredSeats: 0,
  _count: { campaignTesters: 3, joined: 3, verified: 2 },
  actions: ['pause'],
} as unknown as Campaign

test.each([
  ['runs', {}, '2 days left', 'It ends on'],
  [
    'is past its end with a test that is not done',
    { endDate: '2026-03-09T12:00:00.000Z' },
    'Past the planned end',
    'It was due to end on .*and completes once',
  ],
  [
    'is past its end while its payment is disputed',
    { endDate: '2026-03-09T12:00:00.000Z', dispute: { since: '2026-03-08T12:00:00.000Z', lostAt: null } },
    'Past the planned end',
    'It was due to end on [^.,]*[.]$',
  ],
  [
    'is past its end and can still be joined',
    { endDate: '2026-03-09T12:00:00.000Z', _count: { campaignTesters: 2, joined: 2, verified: 1 } },
    'Past the planned end',
    'Until then testers can still join',
  ],
  ['was cancelled before its end', { status: 'CANCELLED' }, 'The test has ended', null],
  ['was completed before its end', { status: 'COMPLETED' }, 'The test has ended', null],
])('a campaign that %s says so, and of an end to come only while it can', (_what, more, title, sentence) => {
  render(
    <MemoryRouter>
      <OpenLinkDays campaign={{ ...campaign, ...more } as Campaign} clock={clock} />
    </MemoryRouter>,
  )
  expect(screen.getByText(title)).toBeTruthy()
  if (sentence === null) expect(screen.queryByText(/ends? on/)).toBeNull()
  else expect(screen.getByText(new RegExp(sentence))).toBeTruthy()
})
