import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import type { CampaignEventKind } from '../contract.ts'
import { campaignEvent } from '../../testing/campaignEvent.ts'
import { EventTimeline } from './EventTimeline.tsx'

test('an event that only a newer server knows is one line among the others', () => {
  const events = [campaignEvent('SOMETHING_NEW' as CampaignEventKind, { id: 2 }), campaignEvent('STARTED')]
  render(<EventTimeline events={events} reader="OWNER" />, { wrapper: MemoryRouter })
  const lines = screen.getAllByRole('listitem').map(line => line.querySelector('p')?.textContent)
  expect(lines).toEqual(['Something new', 'Started'])
})
