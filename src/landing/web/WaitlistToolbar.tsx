import { SearchInput } from '../../kit/web/ui/SearchInput.tsx'
import { Select } from '../../kit/web/ui/Select.tsx'
import type { WaitlistRole } from '../contract.ts'
import { waitlistRoles } from '../terms.ts'
import { roleLabels } from './roleLabels.ts'

const options = [
  { value: '', label: 'All roles' },
  ...waitlistRoles.map(value => ({ value, label: roleLabels[value] })),
]

type Props = {
  search: string
  role: WaitlistRole | null
  onChange: (changed: { search?: string; role?: WaitlistRole | null }) => void
}

export const WaitlistToolbar = ({ search, role, onChange }: Props) => (
  <div className="mb-5 grid gap-3 sm:flex">
    <SearchInput
      className="sm:max-w-sm sm:flex-1"
      value={search}
      onSearch={text => onChange({ search: text })}
      label="Search by email"
      placeholder="Search by email..."
    />
    <Select
      aria-label="Role"
      className="sm:w-40"
      options={options}
      value={role ?? ''}
      onValue={value => onChange({ role: waitlistRoles.find(known => known === value) ?? null })}
    />
  </div>
)
