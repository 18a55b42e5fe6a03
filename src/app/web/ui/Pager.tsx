import { Button } from './Button.tsx'

type Props = { page: number; limit: number; total: number; onPage: (page: number) => void }

/** Under a numbered list: which of how many are shown, and the way to the others. */
export const Pager = ({ page, limit, total, onPage }: Props) => {
  const last = Math.min(page * limit, total)
  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center justify-between gap-3">
      <p className="text-muted-foreground tabular-nums" aria-live="polite">
        {((page - 1) * limit + 1).toLocaleString('en-US')} to {last.toLocaleString('en-US')} of{' '}
        {total.toLocaleString('en-US')}
      </p>
      {total > limit && (
        <div className="flex gap-2">
          <Button variant="outline" size="sm" disabled={page === 1} onClick={() => onPage(page - 1)}>
            Previous
          </Button>
          <Button variant="outline" size="sm" disabled={last === total} onClick={() => onPage(page + 1)}>
            Next
          </Button>
        </div>
      )}
    </nav>
  )
}
