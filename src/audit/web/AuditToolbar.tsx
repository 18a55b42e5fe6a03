import type { ReactNode } from 'react'
import { Select } from '../../kit/web/ui/Select.tsx'
import { Toolbar } from '../../kit/web/ui/Toolbar.tsx'
import { auditActions } from '../actions.ts'
import { actionLabel } from '../words.ts'
import type { Filters } from './auditFilters.ts'
import { type PastAdmins, usePastAdmins } from './pastAdmins.ts'

const actionOptions = [
  { value: '', label: 'All actions' },
  ...auditActions.map(value => ({ value, label: actionLabel(value) })),
]

/** Filters by an admin's email, or by what the log calls one who is gone; '' is every admin. */
export type AdminFilter = (props: PastAdmins & { value: string; onValue: (admin: string) => void }) => ReactNode

type Props = { filters: Filters; onChange: (changed: Partial<Filters>) => void; AdminFilter: AdminFilter }

export const AuditToolbar = ({ filters, onChange, AdminFilter }: Props) => (
  <Toolbar>
    <Select
      aria-label="Action"
      className="sm:w-60"
      options={actionOptions}
      value={filters.action ?? ''}
      onValue={chosen => onChange({ action: auditActions.find(action => action === chosen) ?? null })}
    />
    <AdminFilter {...usePastAdmins()} value={filters.admin} onValue={admin => onChange({ admin })} />
  </Toolbar>
)
