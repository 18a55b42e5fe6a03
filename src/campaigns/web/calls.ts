import { queryOptions, useQuery } from '@tanstack/react-query'
import { auditKeys } from '../../audit/web/keys.ts'
import type { Role } from '../../kit/roles.ts'
import { client } from '../../kit/web/api.ts'
import { invalidate, pagesOf, queryClient } from '../../kit/web/query.ts'
import { ledgerKeys } from '../../ledger/web/keys.ts'
import type { campaignApi, Campaign } from '../contract.ts'
import type { Filters } from './campaignFilters.ts'
import { campaignKeys } from './keys.ts'

export const api = client<typeof campaignApi>('campaigns')

const pageSize = 24

/** A tester's list has the campaigns that can be joined. */
export const campaignPages = (role: Role, { search, platform, status }: Filters) => {
  const filters = { search, ...(platform && { platform }), ...(status && { status }) }
  const list = role === 'TESTER' ? 'available' : 'list'
  return pagesOf<Campaign>(campaignKeys[list](filters), ({ cursor, signal }) =>
    api[list]({ query: { ...filters, cursor, limit: pageSize }, signal }),
  )
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

/** The owner may have replaced the link meanwhile: the screen behind the dialog must show the new one. */
export const decidingOnLink = (decision: Promise<Campaign>): Promise<Campaign> =>
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
