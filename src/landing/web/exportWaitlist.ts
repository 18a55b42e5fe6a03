import { countryName } from '../../kit/countries.ts'
import { exportCsv } from '../../kit/web/csvExport.ts'
import type { WaitlistEntry } from '../contract.ts'
import { api } from './calls.ts'
import { roleLabels } from './roleLabels.ts'
import type { Filters } from './waitlistFilters.ts'

const head = ['Email', 'Country', 'Role', 'Joined']

const toRow = ({ email, country, role, createdAt }: WaitlistEntry) => [
  email,
  countryName(country),
  roleLabels[role],
  createdAt,
]

/** Exports every entry that matches the filters. */
export const exportWaitlist = ({ search, role }: Filters): Promise<void> =>
  exportCsv({
    fileName: 'fieldtest-waitlist.csv',
    head,
    toRow,
    fetchPage: at => api.waitlist({ query: { search, role: role ?? undefined, ...at } }),
  })
