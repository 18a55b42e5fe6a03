import { parseAsStringLiteral, useQueryState } from 'nuqs'
import { Button } from '../../app/web/ui/Button.tsx'
import { type CampaignTester, type ParticipationStatus, participationStatuses } from '../contract.ts'
import { statusLooks } from './statusWords.ts'

/** The chosen status, kept in the address; null for all. */
export const useStatusFilter = (name: string) => useQueryState(name, parseAsStringLiteral(participationStatuses))

type Counts = Partial<Record<ParticipationStatus, number>>

/** How many there are of each status: only from a list that is whole. */
export const countsOf = (pages: { pages: { items: CampaignTester[]; nextCursor: string | null }[] } | undefined) => {
  if (!pages || pages.pages.at(-1)?.nextCursor != null) return null
  const counts: Counts = {}
  for (const { status } of pages.pages.flatMap(({ items }) => items)) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** All, and each status that there is; without counts every status. */
export const StatusFilter = ({
  label,
  value,
  onValue,
  counts,
}: {
  label: string
  value: ParticipationStatus | null
  onValue: (status: ParticipationStatus | null) => void
  counts: Counts | null
}) => {
  const offered = participationStatuses.filter(status => status === value || counts === null || counts[status])
  const total = counts && Object.values(counts).reduce((sum, count) => sum + count, 0)
  if (offered.length < 2 && value === null) return null
  return (
    <div role="group" aria-label={label} className="-mx-1 flex gap-1 overflow-x-auto px-1 py-1">
      <Choice label="All" count={total} chosen={value === null} onChoose={() => onValue(null)} />
      {offered.map(status => (
        <Choice
          key={status}
          label={statusLooks[status].label}
          count={counts && (counts[status] ?? 0)}
          chosen={value === status}
          onChoose={() => onValue(status)}
        />
      ))}
    </div>
  )
}

const Choice = ({
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
