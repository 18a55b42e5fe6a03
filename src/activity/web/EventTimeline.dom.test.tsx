import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import type { CampaignEvent, CampaignEventKind } from '../contract.ts'
import { EventTimeline } from './EventTimeline.tsx'

test('an event that only a newer server knows is one line among the others', () => {
  const event = (id: number, kind: CampaignEventKind): CampaignEvent => ({
    id,
    at: '2026-11-21T10:00:00.000Z',
    kind,
    alias: null,
    participationId: null,
    amountCents: null,
    reason: null,
    code: null,
    dropReason: null,
    bySilence: false,
    by: null,
    link: null,
    ofGroup: false,
    questions: null,
    removed: [],
    fields: [],
  })
  const events = [event(2, 'SOMETHING_NEW' as CampaignEventKind), event(1, 'STARTED')]
  render(<EventTimeline events={events} reader="OWNER" />, { wrapper: MemoryRouter })
  const lines = screen.getAllByRole('listitem').map(line => line.querySelector('p')?.textContent)
  expect(lines).toEqual(['Something new', 'Started'])
})
