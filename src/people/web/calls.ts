import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { orEmptyPage } from '../../kit/web/numbered.ts'
import type { PageAt } from '../../kit/web/urlFilters.ts'
import type { Filters } from './usersFilters.ts'
import { auditKeys } from '../../audit/web/keys.ts'
import { campaignKeys } from '../../campaigns/web/keys.ts'
import { client } from '../../kit/web/api.ts'
import { invalidate } from '../../kit/web/query.ts'
import type { peopleApi } from '../contract.ts'
import { peopleKeys } from './keys.ts'

export const api = client<typeof peopleApi>('people')

/** Call this after an action on a user. A suspension also frees the user's seats and pauses their campaigns. */
export const refreshUsers = () => invalidate(peopleKeys.all, campaignKeys.all, auditKeys.all)

/** From spec §9. */
const pageSize = 20

/** One page of the list of users. */
export const usersQuery = ({ search, role }: Filters, at: PageAt) => {
  const query = { search, role: role ?? undefined, ...at, limit: pageSize }
  return queryOptions({
    queryKey: peopleKeys.list(query),
    queryFn: ({ signal }) => orEmptyPage(api.list({ query, signal })),
    placeholderData: keepPreviousData,
  })
}

export const countsQuery = queryOptions({
  queryKey: peopleKeys.counts,
  queryFn: ({ signal }) => api.counts({ signal }),
})

export const userQuery = (id: string) =>
  queryOptions({ queryKey: peopleKeys.one(id), queryFn: ({ signal }) => api.get({ params: { id }, signal }) })

export const securityQuery = queryOptions({
  queryKey: peopleKeys.security,
  queryFn: ({ signal }) => api.security({ signal }),
})
