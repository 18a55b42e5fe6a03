import { useRef } from 'react'
import { Button } from './Button.tsx'
import { toTopOf } from './focus.ts'

type Props = { page: number; limit: number; total: number; onPage: (page: number) => void }

/**
 * Below a list with page numbers, in the same `section`: the range shown, and buttons that turn the page and scroll to its
 * top.
 */
export const Pager = ({ page, limit, total, onPage }: Props) => {
  const pager = useRef<HTMLElement>(null)
  const turn = (to: number) => {
    onPage(to)
    toTopOf(pager.current?.closest('section') ?? null)
  }
  const last = Math.min(page * limit, total)
  return (
    <nav ref={pager} aria-label="Pages" className="flex flex-wrap items-center justify-between gap-3">
      <p className="text-muted-foreground tabular-nums" aria-live="polite">
        {((page - 1) * limit + 1).toLocaleString('en-US')} to {last.toLocaleString('en-US')} of{' '}
        {total.toLocaleString('en-US')}
      </p>
      {total > limit && (
        <div className="flex gap-2">
          <Button variant="outline" size="sm" disabled={page === 1} onClick={() => turn(page - 1)}>
            Previous
          </Button>
          <Button variant="outline" size="sm" disabled={last === total} onClick={() => turn(page + 1)}>
            Next
          </Button>
        </div>
      )}
    </nav>
  )
}
