import { Button } from '../../kit/web/ui/Button.tsx'
import { SearchInput } from '../../kit/web/ui/SearchInput.tsx'
import { Select } from '../../kit/web/ui/Select.tsx'
import type { Severity } from '../contract.ts'
import { reportStatuses } from '../terms.ts'
import { type Filters, samples } from './fraudFilters.ts'
import { statusLooks } from './severity.ts'

/** Spec §2. LOW has no button and is included in All. */
const severityButtons: { value: Severity | null; label: string }[] = [
  { value: null, label: 'All' },
  { value: 'CRITICAL', label: 'Critical' },
  { value: 'HIGH', label: 'High' },
  { value: 'MEDIUM', label: 'Medium' },
]

const statusOptions = [
  { value: '', label: 'All statuses' },
  ...reportStatuses.map(value => ({ value, label: statusLooks[value].label })),
]

const sampleOptions = [
  { value: '', label: 'With samples' },
  { value: 'false', label: 'No samples' },
  { value: 'true', label: 'Samples only' },
]

type Props = { filters: Filters; onChange: (changed: Partial<Filters>) => void }

/** In one row only if the search field is wide enough for its placeholder, which is the spec's. */
export const FraudToolbar = ({ filters, onChange }: Props) => (
  <div className="mb-5 grid gap-3 min-[90rem]:flex">
    <SearchInput
      className="lg:max-[90rem]:max-w-md min-[90rem]:flex-1"
      value={filters.search}
      onSearch={search => onChange({ search })}
      label="Search fraud reports"
      placeholder="Search by user name, email, or fraud reason..."
    />
    <div className="flex flex-wrap gap-3">
      <div role="group" aria-label="Severity" className="flex flex-wrap gap-1.5">
        {severityButtons.map(({ value, label }) => (
          <Button
            key={label}
            variant={filters.severity === value ? 'primary' : 'outline'}
            aria-pressed={filters.severity === value}
            onClick={() => onChange({ severity: value })}
          >
            {label}
          </Button>
        ))}
      </div>
      <Select
        aria-label="Status"
        className="min-w-36 flex-1 lg:flex-none"
        options={statusOptions}
        value={filters.status ?? ''}
        onValue={chosen => onChange({ status: reportStatuses.find(status => status === chosen) ?? null })}
      />
      <Select
        aria-label="Samples"
        className="min-w-36 flex-1 lg:flex-none"
        options={sampleOptions}
        value={filters.sample ?? ''}
        onValue={chosen => onChange({ sample: samples.find(sample => sample === chosen) ?? null })}
      />
    </div>
  </div>
)
