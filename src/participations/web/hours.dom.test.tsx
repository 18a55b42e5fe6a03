import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import type { CampaignTester } from '../contract.ts'
import { TestNews } from './TestNews.tsx'

test.each([
  [{ status: 'ACTIVE', atRisk: true, proofAllowedAt: '2026-11-27T08:00:00.000Z' }, 'have not checked in for 1 hour.'],
  [{ status: 'VERIFIED', review: { bySilence: true, decidedAt: '2026-11-26T08:00:00.000Z' } }, 'after 1 hour without'],
])('of a campaign whose limits are one hour, a test says “1 hour” (%j)', (facts, words) => {
  const campaign = { id: 'c', atRiskHours: 1, reviewHours: 1 }
  const shown = { deadlineAt: '2026-11-26T09:00:00.000Z', payoutAmountCents: 1000, appeal: null, ...facts, campaign }
  render(<TestNews of={shown as unknown as CampaignTester} />, { wrapper: MemoryRouter })
  expect(screen.getByRole('note').textContent).toContain(words)
})
