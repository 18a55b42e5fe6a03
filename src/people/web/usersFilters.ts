/** The list's search, role and page: kept in the URL and applied by the server. */
import { type Role, roles } from '../../kit/roles.ts'
import { filtersIn, oneOf, useUrlFilters, words } from '../../kit/web/urlFilters.ts'

export type Filters = { search: string; role: Role | null }

export const noFilters: Filters = { search: '', role: null }

const readers = { search: words, role: oneOf(roles) }

export const useUsersFilters = () => useUrlFilters(readers)

export const usersFiltersIn = (params: URLSearchParams): Filters => filtersIn(readers, params)
