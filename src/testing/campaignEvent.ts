import type { CampaignEvent, CampaignEventKind } from '../activity/contract.ts'

/** A campaign event with these facts and no others. */
export const campaignEvent = (kind: CampaignEventKind, facts: Partial<CampaignEvent> = {}): CampaignEvent => ({
  id: 1,
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
  ...facts,
})
