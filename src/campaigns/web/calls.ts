import { queryOptions, useQuery } from '@tanstack/react-query'
import { auditKeys } from '../../audit/web/keys.ts'
import type { Role } from '../../kit/roles.ts'
import { client } from '../../kit/web/api.ts'
import { invalidate, pagesOf, queryClient } from '../../kit/web/query.ts'
import { ledgerKeys } from '../../ledger/web/keys.ts'
import type { campaignApi, Campaign } from '../contract.ts'
import { availableSorts, type CampaignSort, campaignSorts } from '../terms.ts'
import type { Filters } from './campaignFilters.ts'
import { campaignKeys } from './keys.ts'

export const api = client<typeof campaignApi>('campaigns')

const pageSize = 24

/**
 * A tester's list holds the campaigns that can be joined. Leaves out default values, so that the request equals the one that
 * early.js makes.
 */
export const campaignPages = (role: Role, { search, platform, status, sort }: Filters) => {
  const narrowed = { search, ...(platform && { platform }) }
  if (role === 'TESTER') {
    const filters = { ...narrowed, ...named(availableSorts, sort) }
    return pagesOf<Campaign>(campaignKeys.available(filters), ({ cursor, signal }) =>
      api.available({ query: { ...filters, cursor, limit: pageSize }, signal }),
    )
  }
  const filters = { ...narrowed, ...(status && { status }), ...named(campaignSorts, sort) }
  return pagesOf<Campaign>(campaignKeys.list(filters), ({ cursor, signal }) =>
    api.list({ query: { ...filters, cursor, limit: pageSize }, signal }),
  )
}

/** Undefined for the default order. */
const named = <T extends CampaignSort>(known: readonly T[], sort: CampaignSort) => {
  const found = known.find(each => each === sort)
  return found === undefined || found === 'newest' ? {} : { sort: found }
}

const pendingSize = 20

/** New campaigns that wait for an admin. */
export const pendingPages = pagesOf<Campaign>(campaignKeys.pending, ({ cursor, signal }) =>
  api.pending({ query: { cursor, limit: pendingSize }, signal }),
)

/** Running campaigns whose changed link waits for an admin. */
export const pendingLinkPages = pagesOf<Campaign>(campaignKeys.pendingLinks, ({ cursor, signal }) =>
  api.pendingLinks({ query: { cursor, limit: pendingSize }, signal }),
)

export const campaignQuery = (id: string) =>
  queryOptions({ queryKey: campaignKeys.one(id), queryFn: ({ signal }) => api.get({ params: { id }, signal }) })

export const useCampaign = (id: string) => useQuery(campaignQuery(id))

/** The fee of a campaign created now, and the drop-out rate. */
export const newTermsQuery = queryOptions({
  queryKey: campaignKeys.newTerms,
  queryFn: ({ signal }) => api.newTerms({ signal }),
})

export const useNewTerms = () => useQuery(newTermsQuery)

/** If a decision is refused, the owner may have changed what it is about: reloads the screen behind the dialog. */
export const deciding = (decision: Promise<Campaign>): Promise<Campaign> =>
  decision.catch((error: unknown) => {
    void invalidate(campaignKeys.all)
    throw error
  })

/**
 * After an action, its response is shown immediately; lists and everything else that an action can change below campaigns
 * are reloaded: money, and the audit log.
 */
export const afterAction = (campaign: Campaign): void => {
  queryClient.setQueryData(campaignQuery(campaign.id).queryKey, campaign)
  void invalidate(campaignKeys.all, ledgerKeys.all, auditKeys.all)
}
