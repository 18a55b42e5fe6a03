import { toCsv } from '../../kit/csv.ts'
import { centsToInput } from '../../kit/money.ts'
import { downloadCsv } from '../../kit/web/download.ts'
import type { AdminUser } from '../contract.ts'
import { api } from './calls.ts'
import type { Filters } from './usersFilters.ts'

const head = [
  'Name',
  'Email',
  'Role',
  'Status',
  'Verified',
  'Balance (USD)',
  'Campaigns',
  'Tests',
  'Last active',
  'Joined',
]

const toLine = (user: AdminUser) => [
  user.name,
  user.email,
  user.role,
  user.status,
  user.isVerified ? 'yes' : 'no',
  centsToInput(user.balanceCents),
  user.totalCampaigns,
  user.totalTests,
  user.lastActive,
  user.createdAt,
]

const mostPerCall = 100

/** Every match of the search and the role, not only the open page. */
export const exportUsers = async ({ search, role }: Filters): Promise<void> => {
  const query = { search, role: role ?? undefined, limit: mostPerCall }
  const users: AdminUser[] = []
  for (let page = 1; ; page++) {
    // In sequence, because only a full page shows that there may be another.
    const { data: some, total } = await api.list({ query: { ...query, page } })
    users.push(...some)
    if (users.length >= total || some.length === 0) break
  }
  downloadCsv('fieldtest-users.csv', toCsv([head, ...users.map(toLine)]))
}
