import { useEffect } from 'react'
import { usePages } from '../../kit/web/query.ts'
import type { ParticipationStatus } from '../contract.ts'
import { api } from './calls.ts'
import { participationKeys } from './keys.ts'

/** The testers of a campaign, in joining order. */
export const useRoster = (campaignId: string, status: ParticipationStatus | null) =>
  usePages(participationKeys.ofCampaign(campaignId, status), ({ cursor, signal }) =>
    api.ofCampaign({ params: { id: campaignId }, query: { ...(status && { status }), cursor }, signal }),
  )

/** All of them, page after page: for screens that count or filter. */
export const useWholeRoster = (campaignId: string, status: ParticipationStatus | null) => {
  const roster = useRoster(campaignId, status)
  const { hasNextPage, isFetching, isError, fetchNextPage } = roster
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage()
  }, [hasNextPage, isFetching, isError, fetchNextPage])
  return roster
}
