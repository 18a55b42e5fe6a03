import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Input } from '../../kit/web/ui/Input.tsx'
import { Select } from '../../kit/web/ui/Select.tsx'
import { campaignStatuses, platforms } from '../terms.ts'
import type { Filters } from './campaignFilters.ts'
import { platformLabels, statusLabels } from './words.ts'

const platformOptions = [
  { value: '', label: 'All Platforms' },
  ...platforms.map(value => ({ value, label: platformLabels[value] })),
]

const statusOptions = [
  { value: '', label: 'All Statuses' },
  ...campaignStatuses.map(value => ({ value, label: statusLabels[value] })),
]

type Props = { filters: Filters; onChange: (changed: Partial<Filters>) => void; withStatus: boolean }

/** Searches when typing pauses, and immediately on Enter or when a filter is chosen. */
export const CampaignToolbar = ({ filters, onChange, withStatus }: Props) => {
  const typing = useTyping(filters.search, search => onChange({ search }))
  const choose = (chosen: Partial<Filters>) => onChange({ search: typing.settle(), ...chosen })
  return (
    <form
      role="search"
      aria-label="Campaigns"
      className="mb-5 grid grid-cols-2 gap-3 sm:flex"
      onSubmit={event => {
        event.preventDefault()
        choose({})
      }}
    >
      <div className="relative col-span-2 sm:max-w-sm sm:flex-1">
        <Search
          aria-hidden
          className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted-foreground"
        />
        <Input
          type="search"
          aria-label="Search campaigns"
          placeholder="Search campaigns..."
          maxLength={100}
          className="pl-9"
          value={typing.text}
          onChange={({ target }) => typing.type(target.value)}
        />
      </div>
      <Select
        aria-label="Platform"
        className={withStatus ? 'sm:w-40' : 'col-span-2 sm:w-40'}
        options={platformOptions}
        value={filters.platform ?? ''}
        onValue={value => choose({ platform: platforms.find(platform => platform === value) ?? null })}
      />
      {withStatus && (
        <Select
          aria-label="Status"
          className="sm:w-44"
          options={statusOptions}
          value={filters.status ?? ''}
          onValue={value => choose({ status: campaignStatuses.find(status => status === value) ?? null })}
        />
      )}
    </form>
  )
}

const restMs = 250

/** The typed text until typing pauses and it goes into the URL; from then on the URL wins. */
const useTyping = (settled: string, onRest: (text: string) => void) => {
  const [typed, setTyped] = useState(settled)
  const [waiting, setWaiting] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // The search uses the current filters, not those from when the text was typed.
  const latest = useRef(onRest)
  useEffect(() => {
    latest.current = onRest
  })
  // A timer that outlives the screen would navigate back to it.
  useEffect(() => () => clearTimeout(timer.current), [])

  const text = waiting || typed.trim() === settled ? typed : settled
  const stop = () => {
    clearTimeout(timer.current)
    setWaiting(false)
  }
  return {
    text,
    type: (next: string) => {
      clearTimeout(timer.current)
      setTyped(next)
      setWaiting(true)
      timer.current = setTimeout(() => {
        setWaiting(false)
        latest.current(next.trim())
      }, restMs)
    },
    /** Cancels the timer and returns the typed text. */
    settle: () => {
      stop()
      return text.trim()
    },
  }
}
