import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { EmptyState } from './States.tsx'

type Props = {
  /**
   * For a list with page numbers: the current page, and the way to the first. Earlier pages may have rows, whatever the filters
   * are.
   */
  page?: number
  onFirst?: () => void
  filtered?: boolean
  /** Shown if nothing matches the filters: "No users found". */
  title?: string
  hint?: string
  onClear?: () => void
  clearLabel?: string
  /** Shown if the list has nothing at all. */
  none: ReactNode
}

/** Shown instead of an empty list: why it is empty, and what to press. */
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
