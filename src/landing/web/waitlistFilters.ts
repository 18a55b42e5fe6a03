/** The list's filters, kept in the URL and applied by the server. */
import { oneOf, useUrlFilters, words } from '../../kit/web/urlFilters.ts'
import { waitlistRoles } from '../terms.ts'

export const useWaitlistFilters = () => useUrlFilters({ search: words, role: oneOf(waitlistRoles) })
