/** Search, role and page of the list: they live in the address, and the server applies them. */
import { oneOf, useUrlFilters, words } from '../../kit/web/urlFilters.ts'
import { waitlistRoles } from '../terms.ts'

export const useWaitlistFilters = () => useUrlFilters({ search: words, role: oneOf(waitlistRoles) })
