import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { orEmptyPage } from '../../kit/web/numbered.ts'
import type { PageAt } from '../../kit/web/urlFilters.ts'
import { landingKeys } from './keys.ts'
import type { Filters } from './waitlistFilters.ts'
import { client } from '../../kit/web/api.ts'
import type { landingApi } from '../contract.ts'

export const api = client<typeof landingApi>('landing')

const pageSize = 20

/** A page of the waitlist. */
export const waitlistQuery = ({ search, role }: Filters, at: PageAt) => {
  const query = { search, role: role ?? undefined, ...at, limit: pageSize }
  return queryOptions({
    queryKey: landingKeys.waitlist(query),
    queryFn: ({ signal }) => orEmptyPage(api.waitlist({ query, signal })),
    placeholderData: keepPreviousData,
  })
}
