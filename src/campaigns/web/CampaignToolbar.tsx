import { Select } from '../../kit/web/ui/Select.tsx'
import { Toolbar } from '../../kit/web/ui/Toolbar.tsx'
import { campaignStatuses, platformNames, platforms } from '../terms.ts'
import type { Filters } from './campaignFilters.ts'
import { statusLabels } from './words.ts'

const platformOptions = [
  { value: '', label: 'All Platforms' },
  ...platforms.map(value => ({ value, label: platformNames[value] })),
]

const statusOptions = [
  { value: '', label: 'All Statuses' },
  ...campaignStatuses.map(value => ({ value, label: statusLabels[value] })),
]

type Props = { filters: Filters; onChange: (changed: Partial<Filters>) => void; withStatus: boolean }

export const CampaignToolbar = ({ filters, onChange, withStatus }: Props) => (
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
      className={withStatus ? 'sm:w-40' : 'col-span-2 sm:w-40'}
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
  </Toolbar>
)
