/** The list's filters, kept in the URL and applied by the server. */
import { filtersIn, oneOf, useUrlFilters, words } from '../../kit/web/urlFilters.ts'
import type { WaitlistRole } from '../contract.ts'
import { waitlistRoles } from '../terms.ts'

export type Filters = { search: string; role: WaitlistRole | null }

export const noFilters: Filters = { search: '', role: null }

const readers = { search: words, role: oneOf(waitlistRoles) }

export const useWaitlistFilters = () => useUrlFilters(readers)

export const waitlistFiltersIn = (params: URLSearchParams): Filters => filtersIn(readers, params)
