import { Button } from '../../kit/web/ui/Button.tsx'
import { oneOf, useUrlValue } from '../../kit/web/urlFilters.ts'
import type { CampaignTester, ParticipationStatus } from '../contract.ts'
import { participationStatuses, participationStatusLabels } from '../../campaigns/participationStatus.ts'

/** The chosen status, kept in the URL; null for all. */
export const useStatusFilter = (name: string) => useUrlValue(name, oneOf(participationStatuses))

type Loaded = { pages: { items: CampaignTester[]; nextCursor: string | null }[] } | undefined

/** Counts per status; null until every page is loaded. */
const countsOf = (loaded: Loaded): Partial<Record<ParticipationStatus, number>> | null => {
  if (!loaded || loaded.pages.at(-1)?.nextCursor != null) return null
  return Object.fromEntries(
    [
      ...Map.groupBy(
        loaded.pages.flatMap(({ items }) => items),
        ({ status }) => status,
      ),
    ].map(([status, of]) => [status, of.length]),
  )
}

type Props = {
  label: string
  value: ParticipationStatus | null
  onValue: (status: ParticipationStatus | null) => void
  /** The unfiltered list. */
  all: Loaded
}

/** Offers the statuses that occur, or every status while some pages are not loaded. */
export const StatusFilter = ({ label, value, onValue, all }: Props) => {
  const counts = countsOf(all)
  const offered = participationStatuses.filter(status => status === value || counts === null || counts[status])
  if (value === null && (!all || offered.length < 2)) return null
  const total = counts && Object.values(counts).reduce((sum, count) => sum + count, 0)
  return (
    <div role="group" aria-label={label} className="-mx-1 flex gap-1 overflow-x-auto px-1 py-1">
      <FilterChoice label="All" count={total} chosen={value === null} onChoose={() => onValue(null)} />
      {offered.map(status => (
        <FilterChoice
          key={status}
          label={participationStatusLabels[status]}
          count={counts && (counts[status] ?? 0)}
          chosen={value === status}
          onChoose={() => onValue(status)}
        />
      ))}
    </div>
  )
}

export const FilterChoice = ({
  label,
  count,
  chosen,
  onChoose,
}: {
  label: string
  count: number | null
  chosen: boolean
  onChoose: () => void
}) => (
  <Button variant={chosen ? 'secondary' : 'ghost'} size="sm" aria-pressed={chosen} onClick={onChoose}>
    {label}
    {count !== null && <span className="text-muted-foreground tabular-nums">{count}</span>}
  </Button>
)
