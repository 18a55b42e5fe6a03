import type { Campaign } from '../../campaigns/contract.ts'
import type { ParticipationStatus } from '../contract.ts'

const all = ['participations'] as const

export const participationKeys = {
  all,
  mine: (status: ParticipationStatus | null) => [...all, 'mine', status],
  own: (id: string) => [...all, 'own', id],
  feedback: (id: string) => [...all, 'feedback', id],
  testFeedback: (id: string) => [...all, 'test-feedback', id],
  joinForm: (campaignId: string) => [...all, 'join-form', campaignId],
  recent: [...all, 'recent'],
  contested: [...all, 'contested'],
  consent: [...all, 'consent'],
  rejections: [...all, 'rejections'],
  appeals: [...all, 'appeals'],
  appeal: (id: string) => [...all, 'appeal', id],
  /** By participation and day. */
  dayCode: (draft: string) => [...all, 'day-code', draft],
  devices: [...all, 'devices'],
  ofCampaign: (campaignId: string, status: ParticipationStatus | null) => [...all, 'of-campaign', campaignId, status],
  obstacle: ({ id, filters }: Campaign, country: string | null) => [...all, 'obstacle', id, filters, country],
}
