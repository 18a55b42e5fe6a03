import type { Role } from '../../kit/roles.ts'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Toolbar } from '../../kit/web/ui/Toolbar.tsx'
import type { Filters } from './usersFilters.ts'

/** From spec §2; admins appear only under All. */
const roleButtons: { value: Role | null; label: string }[] = [
  { value: null, label: 'All' },
  { value: 'DEVELOPER', label: 'Developers' },
  { value: 'TESTER', label: 'Testers' },
]

type Props = { filters: Filters; onChange: (changed: Partial<Filters>) => void }

export const UsersToolbar = ({ filters, onChange }: Props) => (
  <Toolbar
    search={{
      value: filters.search,
      onSearch: search => onChange({ search }),
      label: 'Search users',
      placeholder: 'Search users by name or email...',
    }}
  >
    <div role="group" aria-label="Role" className="flex gap-1.5">
      {roleButtons.map(({ value, label }) => (
        <Button
          key={label}
          variant={filters.role === value ? 'primary' : 'outline'}
          aria-pressed={filters.role === value}
          onClick={() => onChange({ role: value })}
        >
          {label}
        </Button>
      ))}
    </div>
  </Toolbar>
)
