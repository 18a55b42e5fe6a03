import { centsToInput } from '../../kit/money.ts'
import { roleWords } from '../../kit/web/roleWords.ts'
import { exportCsv } from '../../kit/web/csvExport.ts'
import type { AdminUser } from '../contract.ts'
import { api } from './calls.ts'
import type { Filters } from './usersFilters.ts'
import { statusLooks } from './userWords.ts'

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

const toRow = (user: AdminUser) => [
  user.name,
  user.email,
  roleWords[user.role].label,
  statusLooks[user.status].label,
  user.isVerified ? 'yes' : 'no',
  centsToInput(user.balanceCents),
  user.totalCampaigns,
  user.totalTests,
  user.lastActive,
  user.createdAt,
]

/** Exports every user that matches the filters. */
export const exportUsers = ({ search, role }: Filters): Promise<void> =>
  exportCsv({
    fileName: 'fieldtest-users.csv',
    head,
    toRow,
    fetchPage: at => api.list({ query: { search, role: role ?? undefined, ...at } }),
  })
