import { useQuery } from '@tanstack/react-query'
import { client } from '../../kit/web/api.ts'
import { Select } from '../../kit/web/ui/Select.tsx'
import { auditActions } from '../actions.ts'
import { actionLabel } from '../words.ts'
import type { Filters } from './auditFilters.ts'

const users = client('users')

const actionOptions = [
  { value: '', label: 'All actions' },
  ...auditActions.map(value => ({ value, label: actionLabel(value) })),
]

/** Admins by email, which no two share; one who is in the address and not in the list keeps an option. */
const useAdminOptions = (chosen: string) => {
  const { data: admins } = useQuery({
    queryKey: ['accounts', 'users', { role: 'ADMIN', limit: 100 }],
    queryFn: ({ signal }) => users.list({ query: { role: 'ADMIN', limit: 100 }, signal }),
  })
  const options = (admins?.data ?? []).map(({ email, name }) => ({ value: email, label: `${name} (${email})` }))
  const known = chosen === '' || options.some(({ value }) => value === chosen)
  return [{ value: '', label: 'All admins' }, ...options, ...(known ? [] : [{ value: chosen, label: chosen }])]
}

type Props = { filters: Filters; onChange: (changed: Partial<Filters>) => void }

export const AuditToolbar = ({ filters, onChange }: Props) => (
  <div className="mb-5 grid gap-3 sm:flex">
    <Select
      aria-label="Action"
      className="sm:w-60"
      options={actionOptions}
      value={filters.action ?? ''}
      onValue={chosen => onChange({ action: auditActions.find(action => action === chosen) ?? null })}
    />
    <Select
      aria-label="Admin"
      className="sm:w-72"
      options={useAdminOptions(filters.admin)}
      value={filters.admin}
      onValue={admin => onChange({ admin })}
    />
  </div>
)
