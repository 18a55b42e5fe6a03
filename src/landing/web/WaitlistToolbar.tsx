import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Input } from '../../kit/web/ui/Input.tsx'
import { Select } from '../../kit/web/ui/Select.tsx'
import type { WaitlistRole } from '../contract.ts'
import { waitlistRoles } from '../terms.ts'
import { roleLabels } from './roleLabels.ts'

const options = [
  { value: '', label: 'All roles' },
  ...waitlistRoles.map(value => ({ value, label: roleLabels[value] })),
]

const debounceMs = 250

type Props = {
  search: string
  role: WaitlistRole | null
  onChange: (changed: { search?: string; role?: WaitlistRole | null }) => void
}

/** Searches after a pause in typing, or immediately on Enter. */
export const WaitlistToolbar = ({ search, role, onChange }: Props) => {
  const [typed, setTyped] = useState<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // A timer that outlives the screen would change another screen's URL.
  useEffect(() => () => clearTimeout(timer.current), [])

  const settle = (text: string) => {
    clearTimeout(timer.current)
    setTyped(null)
    onChange({ search: text.trim() })
  }
  return (
    <form
      role="search"
      aria-label="Waitlist"
      className="mb-5 grid gap-3 sm:flex"
      onSubmit={event => {
        event.preventDefault()
        settle(typed ?? search)
      }}
    >
      <div className="relative sm:max-w-sm sm:flex-1">
        <Search
          aria-hidden
          className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted-foreground"
        />
        <Input
          type="search"
          aria-label="Search by email"
          placeholder="Search by email..."
          maxLength={100}
          className="pl-9"
          value={typed ?? search}
          onChange={({ target }) => {
            setTyped(target.value)
            clearTimeout(timer.current)
            timer.current = setTimeout(() => settle(target.value), debounceMs)
          }}
        />
      </div>
      <Select
        aria-label="Role"
        className="sm:w-40"
        options={options}
        value={role ?? ''}
        onValue={value => onChange({ role: waitlistRoles.find(known => known === value) ?? null })}
      />
    </form>
  )
}
