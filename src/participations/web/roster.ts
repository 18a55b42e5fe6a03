import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { ParticipationStatus } from '../contract.ts'
import { rosterPages } from './calls.ts'

/** All testers of a campaign, page after page: for screens that count or filter. */
export const useWholeRoster = (campaignId: string, status: ParticipationStatus | null) => {
  const roster = useInfiniteQuery(rosterPages(campaignId, status))
  const { hasNextPage, isFetching, isError, fetchNextPage } = roster
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage()
  }, [hasNextPage, isFetching, isError, fetchNextPage])
  return roster
}
