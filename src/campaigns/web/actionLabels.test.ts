import { expect, test } from 'vitest'
import type { Campaign } from '../contract.ts'
import { campaignActions, campaignStatuses } from '../terms.ts'
import { actionLabel } from './actionLabels.ts'

const campaign = (status: Campaign['status']) => ({ status, outstandingCents: 115_000 }) as Campaign

test('a paused campaign is resumed, and any other is started', () => {
  expect(campaignStatuses.filter(status => actionLabel('start', campaign(status)) === 'Resume')).toEqual(['PAUSED'])
  expect(actionLabel('start', campaign('APPROVED'))).toBe('Start campaign')
})

test('the button to pay says how much is outstanding', () => {
  expect(actionLabel('fund', campaign('DRAFT'))).toBe('Pay $1,150.00')
})

test('no two buttons of a campaign say the same', () => {
  const labels = campaignActions.map(action => actionLabel(action, campaign('LIVE')))
  expect(new Set(labels).size).toBe(campaignActions.length)
})
