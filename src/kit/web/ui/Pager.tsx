import { useRef } from 'react'
import type { NumberedPage } from '../../endpoint.ts'
import { lastPageByNumber } from '../../numbered.ts'
import type { PageAt } from '../urlFilters.ts'
import { Button } from './Button.tsx'
import { toTopOf } from './focus.ts'
import { rangeOf } from './foundWords.ts'

type Props = { of: NumberedPage<unknown>; onTurn: (to: PageAt) => void }

const at = (page: number, cursor: string | null): PageAt | null => {
  if (page <= lastPageByNumber) return page > 0 ? { page } : null
  return cursor === null ? null : { page, cursor }
}

/** Where the buttons lead: by number if possible, so that addresses are readable; null if there is no such page. */
export const pagesFrom = ({ page, nextCursor, previousCursor }: NumberedPage<unknown>) => ({
  previous: at(page - 1, previousCursor),
  next: nextCursor === null ? null : at(page + 1, nextCursor),
})

/**
 * Goes below a list with page numbers, in the same `section`: shows the range, and has buttons that turn the page and scroll to
 * its top.
 */
export const Pager = ({ of, onTurn }: Props) => {
  const { previous, next } = pagesFrom(of)
  const pager = useRef<HTMLElement>(null)
  const turn = (to: PageAt) => {
    onTurn(to)
    toTopOf(pager.current?.closest('section') ?? null)
  }
  return (
    <nav ref={pager} aria-label="Pages" className="flex flex-wrap items-center justify-between gap-3">
      <p className="text-muted-foreground tabular-nums">{rangeOf(of)}</p>
      {(previous ?? next) && (
        <div className="flex gap-2">
          <Turn to={previous} onTurn={turn}>
            Previous
          </Turn>
          <Turn to={next} onTurn={turn}>
            Next
          </Turn>
        </div>
      )}
    </nav>
  )
}

const Turn = ({ to, onTurn, children }: { to: PageAt | null; onTurn: Props['onTurn']; children: string }) => (
  <Button variant="outline" size="sm" disabled={to === null} onClick={() => to && onTurn(to)}>
    {children}
  </Button>
)
