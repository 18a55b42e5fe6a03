import { client } from '../../kit/web/api.ts'
import { pagesOf } from '../../kit/web/query.ts'
import type { activityApi, CampaignEvent } from '../contract.ts'
import { activityKeys } from './keys.ts'

const api = client<typeof activityApi>('activity')

const pageSize = 30

/** The events of a campaign and its tests, newest first. */
export const campaignEventPages = (id: string) =>
  pagesOf<CampaignEvent>(activityKeys.ofCampaign(id), ({ cursor, signal }) =>
    api.ofCampaign({ params: { id }, query: { cursor, limit: pageSize }, signal }),
  )

/** The events of the tester's own test. */
export const testEventPages = (id: string) =>
  pagesOf<CampaignEvent>(activityKeys.ofParticipation(id), ({ cursor, signal }) =>
    api.ofTest({ params: { id }, query: { cursor, limit: pageSize }, signal }),
  )
