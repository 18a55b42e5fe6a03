import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { EmptyState } from './States.tsx'

type Props = {
  /** Of a list with page numbers, and the way to its first page: earlier pages may have rows, whatever the filters are. */
  page?: number
  onFirst?: () => void
  filtered?: boolean
  /** What is said when nothing fits the filters: "No users found". */
  title?: string
  hint?: string
  onClear?: () => void
  clearLabel?: string
  /** What stands there when the list has nothing at all. */
  none: ReactNode
}

/** In place of a list that shows nothing: why, and what to press. */
export const NoRows = ({
  page = 1,
  onFirst,
  filtered = false,
  title = '',
  hint,
  onClear,
  clearLabel = 'Clear filters',
  none,
}: Props) => {
  if (page > 1) return <Nothing title="Nothing on this page" label="Go to first page" onPress={onFirst} />
  return filtered ? <Nothing title={title} hint={hint} label={clearLabel} onPress={onClear} /> : none
}

type NothingProps = { title: string; hint?: string | undefined; label: string; onPress: (() => void) | undefined }

const Nothing = ({ title, hint, label, onPress }: NothingProps) => (
  <EmptyState
    title={title}
    hint={hint}
    icon={<SearchX aria-hidden />}
    action={
      <Button variant="outline" onClick={onPress}>
        {label}
      </Button>
    }
  />
)
