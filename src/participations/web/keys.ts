import type { Day } from '../../kit/clock.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import type { ParticipationStatus } from '../contract.ts'

const all = ['participations'] as const

export const participationKeys = {
  all,
  /** Keyed by day, so that "Checked in today" is gone after midnight. */
  mine: (status: ParticipationStatus | null, today: Day) => [...all, 'mine', { status, today }],
  own: (id: string, today: Day) => [...all, 'own', id, today],
  recent: [...all, 'recent'],
  devices: [...all, 'devices'],
  ofCampaign: (campaignId: string, status: ParticipationStatus | null) => [...all, 'of-campaign', campaignId, status],
  obstacle: ({ id, filters }: Campaign, country: string | null) => [...all, 'obstacle', id, filters, country],
}
