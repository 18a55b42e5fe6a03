import { queryOptions } from '@tanstack/react-query'
import { auditKeys } from '../../audit/web/keys.ts'
import { client } from '../../kit/web/api.ts'
import { invalidate, pagesOf } from '../../kit/web/query.ts'
import type { participationApi } from '../../participations/contract.ts'
import { participationKeys } from '../../participations/web/keys.ts'
import type { bugApi, BugSummary } from '../contract.ts'
import { bugSeverities, bugStatuses, fewestSimilarLetters } from '../terms.ts'
import { bugKeys } from './keys.ts'
import { oneOf, words } from '../../kit/web/urlFilters.ts'

export const api = client<typeof bugApi>('bugs')
const participations = client<typeof participationApi>('participations')

export const bugFilters = { search: words, status: oneOf(bugStatuses), severity: oneOf(bugSeverities) }
type Filters = { [K in keyof typeof bugFilters]: ReturnType<(typeof bugFilters)[K]> }

/** Everything that the caller may see, newest first; for a tester, their own bugs. */
export const bugPages = (campaignId: string, filters: Filters | null = null) =>
  pagesOf<BugSummary>(bugKeys.ofCampaign(campaignId, filters), ({ cursor, signal }) => {
    const { search = '', status = null, severity = null } = filters ?? {}
    const chosen = { ...(search && { search }), ...(status && { status }), ...(severity && { severity }) }
    return api.list({ params: { id: campaignId }, query: { ...chosen, limit: 50, cursor }, signal })
  })

export const bugQuery = (id: string) =>
  queryOptions({ queryKey: bugKeys.one(id), queryFn: ({ signal }) => api.get({ params: { id }, signal }) })

/** Sends no request until there are enough letters. */
export const similarQuery = (campaignId: string, title: string) =>
  queryOptions({
    queryKey: bugKeys.similar(campaignId, title),
    queryFn: ({ signal }) => api.similar({ params: { id: campaignId }, query: { title }, signal }),
    enabled: title.length >= fewestSimilarLetters,
    placeholderData: previous => previous,
  })

/** The test that a bug is reported from. */
export const testQuery = (id: string) =>
  queryOptions({
    queryKey: participationKeys.own(id),
    queryFn: ({ signal }) => participations.own({ params: { id }, signal }),
  })

export const refreshBugs = () => invalidate(bugKeys.all, auditKeys.all)
