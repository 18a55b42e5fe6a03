/** Search, role and page of the list: they live in the address, and the server applies them. */
import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import { type WaitlistRole, waitlistRoles } from '../contract.ts'

type Filters = { search: string; role: WaitlistRole | null }

const lastPage = 10_000

export const useWaitlistFilters = () => {
  const [asked, set] = useQueryStates({
    search: parseAsString.withDefault(''),
    role: parseAsStringLiteral(waitlistRoles),
    page: parseAsInteger.withDefault(1),
  })
  const filters: Filters = { search: asked.search.trim().slice(0, 100), role: asked.role }
  return {
    filters,
    page: Math.min(Math.max(asked.page, 1), lastPage),
    filtered: filters.search !== '' || filters.role !== null,
    /** Another filter begins at its first page. */
    change: (changed: Partial<Filters>) => void set({ ...changed, page: null }),
    turn: (page: number) => void set({ page }, { history: 'push' }),
  }
}
