/** The list's filters, kept in the URL and applied by the server. */
import { oneOf, useUrlFilters, words } from '../../kit/web/urlFilters.ts'
import type { WaitlistRole } from '../contract.ts'
import { waitlistRoles } from '../terms.ts'

export type Filters = { search: string; role: WaitlistRole | null }

export const noFilters: Filters = { search: '', role: null }

export const useWaitlistFilters = () => useUrlFilters({ search: words, role: oneOf(waitlistRoles) })
