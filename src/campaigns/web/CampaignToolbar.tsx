import type { Role } from '../../kit/roles.ts'
import { Select } from '../../kit/web/ui/Select.tsx'
import { Toolbar } from '../../kit/web/ui/Toolbar.tsx'
import {
  availableSorts,
  type CampaignSort,
  campaignSorts,
  campaignStatuses,
  platformNames,
  platforms,
  campaignStatusLabels,
} from '../terms.ts'
import type { Filters } from './campaignFilters.ts'

const platformOptions = [
  { value: '', label: 'All Platforms' },
  ...platforms.map(value => ({ value, label: platformNames[value] })),
]

const statusOptions = [
  { value: '', label: 'All Statuses' },
  ...campaignStatuses.map(value => ({ value, label: campaignStatusLabels[value] })),
]

const sortLabels: Record<CampaignSort, string> = {
  newest: 'Newest',
  oldest: 'Oldest',
  highestPay: 'Highest pay',
  lowestPay: 'Lowest pay',
  shortest: 'Fewest days',
  mostPaid: 'Most paid in',
  leastPaid: 'Least paid in',
}

/** A developer's own list is short and stays newest first. */
export const sortsOf: Record<Role, readonly CampaignSort[]> = {
  DEVELOPER: [],
  TESTER: availableSorts,
  ADMIN: campaignSorts,
}

type Props = {
  role: Role
  filters: Filters
  onChange: (changed: Partial<Filters>) => void
  /** No menu of orders where the table's headings sort. */
  sorts: readonly CampaignSort[]
}

export const CampaignToolbar = ({ role, filters, onChange, sorts }: Props) => {
  const withStatus = role !== 'TESTER'
  return (
    <Toolbar
      className="grid-cols-2"
      search={{
        value: filters.search,
        onSearch: search => onChange({ search }),
        label: 'Search campaigns',
        placeholder: 'Search campaigns...',
      }}
    >
      <Select
        aria-label="Platform"
        className="sm:w-40"
        options={platformOptions}
        value={filters.platform ?? ''}
        onValue={value => onChange({ platform: platforms.find(platform => platform === value) ?? null })}
      />
      {withStatus && (
        <Select
          aria-label="Status"
          className="sm:w-44"
          options={statusOptions}
          value={filters.status ?? ''}
          onValue={value => onChange({ status: campaignStatuses.find(status => status === value) ?? null })}
        />
      )}
      {sorts.length > 0 && (
        <Select
          aria-label="Sort by"
          className={withStatus ? 'max-sm:col-span-2 sm:w-40' : 'sm:w-40'}
          options={sorts.map(value => ({ value, label: sortLabels[value] }))}
          value={filters.sort}
          onValue={value => onChange({ sort: sorts.find(sort => sort === value) ?? 'newest' })}
        />
      )}
    </Toolbar>
  )
}
