/** What an owner reads of a paused campaign: who paused it, with testers inside or without. */
import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { signedInAs } from '../../testing/web/signedIn.ts'
import type { Campaign } from '../contract.ts'
import { NextStep } from './NextStep.tsx'

signedInAs('DEVELOPER')

const campaign = { id: 'c1', status: 'PAUSED', dispute: null, rejectionReason: null, endDate: null, actions: [] }
const goesOn = 'Current testers continue, and their proofs still need your review. '

test.each([
  ['nobody', 0, 0, null, 'Resume the campaign when you want testers.'],
  ['somebody who is testing', 3, 2, null, `${goesOn}Resume the campaign when you want more testers.`],
  ['verified testers only', 2, 2, null, 'Resume the campaign when you want more testers.'],
  ['a proof that is rejected', 3, 2, { seats: 1 }, 'Resume the campaign when you want more testers.'],
])('a paused campaign with %s', (_whom, campaignTesters, verified, frozen, words) => {
  render(
    <MemoryRouter>
      <NextStep
        campaign={{ ...campaign, frozen, _count: { campaignTesters, verified } } as unknown as Campaign}
        onAsk={() => {}}
      />
    </MemoryRouter>,
  )
  expect(screen.getByText(/Resume the campaign/).textContent).toBe(words)
})

test.each([
  [null, 'Paused: new testers cannot join'],
  ['ADMIN', 'Paused by an admin: new testers cannot join'],
  ['SUSPENSION', 'Paused since your suspension: new testers cannot join'],
] as const)('a campaign that is paused by %s says by whom, if not by its owner', (pausedBy, title) => {
  render(
    <MemoryRouter>
      <NextStep
        campaign={{ ...campaign, pausedBy, _count: { campaignTesters: 0, verified: 0 } } as unknown as Campaign}
        onAsk={() => {}}
      />
    </MemoryRouter>,
  )
  expect(screen.getByRole('heading', { name: title })).toBeTruthy()
})
