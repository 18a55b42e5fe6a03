import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { orEmptyPage } from '../../kit/web/numbered.ts'
import type { PageAt } from '../../kit/web/urlFilters.ts'
import type { Filters } from './auditFilters.ts'
import { auditKeys } from './keys.ts'
import { client } from '../../kit/web/api.ts'
import type { auditApi } from '../contract.ts'

export const api = client<typeof auditApi>('audit')

const pageSize = 50

/** One page of the log. */
export const auditLogQuery = ({ action, admin }: Filters, at: PageAt) => {
  const query = { action: action ?? undefined, admin, ...at, limit: pageSize }
  return queryOptions({
    queryKey: auditKeys.log(query),
    queryFn: ({ signal }) => orEmptyPage(api.auditLog({ query, signal })),
    placeholderData: keepPreviousData,
  })
}
