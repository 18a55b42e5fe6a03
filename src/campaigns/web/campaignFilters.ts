/** The list's filters, kept in the URL and applied by the server. */
import { filtersIn, oneOf, useUrlFilters, words } from '../../kit/web/urlFilters.ts'
import type { Role } from '../../kit/roles.ts'
import type { CampaignStatus, Platform } from '../contract.ts'
import { availableSorts, type CampaignSort, campaignSorts, campaignStatuses, platforms } from '../terms.ts'

export type Filters = {
  search: string
  platform: Platform | null
  status: CampaignStatus | null
  sort: CampaignSort
}

export const noFilters: Partial<Filters> = { search: '', platform: null, status: null }

const status = oneOf(campaignStatuses)

/** Testers see only one status, so they ignore the URL's. */
const nothing: typeof status = () => null

const sorts: Record<Role, (text: string) => CampaignSort> = {
  DEVELOPER: () => 'newest',
  TESTER: oneOf(availableSorts, 'newest'),
  ADMIN: oneOf(campaignSorts, 'newest'),
}

const readersOf = (role: Role) => ({
  search: words,
  platform: oneOf(platforms),
  status: role === 'TESTER' ? nothing : status,
  sort: sorts[role],
})

export const useCampaignFilters = (role: Role) => useUrlFilters(readersOf(role))

export const campaignFiltersIn = (role: Role, params: URLSearchParams): Filters => filtersIn(readersOf(role), params)
