import { Select } from '../../kit/web/ui/Select.tsx'
import { Toolbar } from '../../kit/web/ui/Toolbar.tsx'
import { waitlistRoles } from '../terms.ts'
import { roleLabels } from './roleLabels.ts'
import type { Filters } from './waitlistFilters.ts'

const options = [
  { value: '', label: 'All roles' },
  ...waitlistRoles.map(value => ({ value, label: roleLabels[value] })),
]

type Props = { filters: Filters; onChange: (changed: Partial<Filters>) => void }

export const WaitlistToolbar = ({ filters, onChange }: Props) => (
  <Toolbar
    search={{
      value: filters.search,
      onSearch: search => onChange({ search }),
      label: 'Search by email',
      placeholder: 'Search by email...',
    }}
  >
    <Select
      aria-label="Role"
      className="sm:w-40"
      options={options}
      value={filters.role ?? ''}
      onValue={value => onChange({ role: waitlistRoles.find(known => known === value) ?? null })}
    />
  </Toolbar>
)
