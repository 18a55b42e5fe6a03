import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import type { Campaign } from '../contract.ts'
import { PendingCampaignCard } from './PendingCampaignCard.tsx'

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()

test('a campaign that was changed while it waits for approval has waited since it was submitted', () => {
  const campaign = {
    id: 'c1',
    title: 'Notes',
    developer: { id: 'd1', name: 'Dora' },
    platform: 'android',
    submittedAt: hoursAgo(1),
    waitsSince: hoursAgo(72),
    distributionLink: null,
    groupLink: null,
    accessMode: 'OPEN_LINK',
    features: [],
    filters: { countries: [], minAndroidVersion: null, minIOSVersion: null },
    actions: [],
  } as unknown as Campaign
  render(<PendingCampaignCard campaign={campaign} onAsk={() => {}} />, { wrapper: MemoryRouter })
  expect(screen.getByText(/waiting for/).textContent).toContain('3 days')
})
