import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { useDrawnFromTop } from '../drawn.ts'
import { useMedia } from '../media.ts'

export type Column<Row, Sort extends string = string> = {
  head: string
  cell: (row: Row) => ReactNode
  /** Right for numbers and money. */
  align?: 'right'
  /** The row header; on a phone, the first line of the card. */
  primary?: true
  className?: string
  /** The server's orders by this column: the one that the first press chooses, and its reverse. */
  sorts?: readonly [Sort, Sort]
}

type Sorting<Sort extends string> = { value: Sort; onValue: (sort: Sort) => void }

type TableProps<Row, Sort extends string> = {
  caption: string
  columns: readonly Column<Row, Sort>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** For many rows on a wide screen. */
  dense?: boolean
  /** For a long table on a page of its own: what is visible is drawn first, and the rest in between other work. */
  inSteps?: boolean
  sort?: Sorting<Sort>
}

/** How many rows are visible below the rest of the screen. */
const rowsAtATime = { stacked: 6, wide: 12 }

/**
 * A table from 1,024 px on, where the sidebar leaves room for one; a stack of cards below that. `caption` is for screen readers.
 */
export const Table = <Row, Sort extends string = string>({
  caption,
  columns,
  rows,
  keyOf,
  dense = false,
  inSteps = false,
  sort,
}: TableProps<Row, Sort>) => {
  const stacked = useMedia('(width < 64rem)')
  const atATime = stacked ? rowsAtATime.stacked : rowsAtATime.wide
  const drawn = useDrawnFromTop(rows.length, inSteps ? atATime : Infinity)
  return (
    <table className="block w-full lg:table">
      <caption className="sr-only">{caption}</caption>
      <thead className="sr-only lg:not-sr-only lg:table-header-group">
        <tr className="border-b text-xs text-muted-foreground">
          {columns.map(column => (
            <th
              key={column.head}
              scope="col"
              aria-sort={sort && column.sorts && ariaSort(column.sorts, sort.value)}
              className={clsx(
                'px-3 py-2 font-medium whitespace-nowrap first:pl-5 last:pr-5',
                !dense && 'xl:px-5',
                column.className,
                column.align === 'right' ? 'text-right' : 'text-left',
              )}
            >
              {sort && column.sorts ? <SortButton of={column} sorts={column.sorts} sort={sort} /> : column.head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="block divide-y lg:table-row-group">
        {rows.slice(0, drawn).map(row => (
          <tr key={keyOf(row)} className="grid gap-1 px-5 py-3 lg:table-row lg:px-0 lg:py-0 lg:hover:bg-muted/50">
            {columns.map(column => (
              <Cell key={column.head} column={column} row={row} dense={dense} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Orders by money or age begin with the highest or newest, and so are descending. */
const falls = (order: string) => /^(highest|most|newest)/.test(order)

const ariaSort = (sorts: readonly string[], value: string) => {
  if (!sorts.includes(value)) return 'none'
  return falls(value) ? 'descending' : 'ascending'
}

type SortProps<Row, Sort extends string> = {
  of: Column<Row, Sort>
  sorts: readonly [Sort, Sort]
  sort: Sorting<Sort>
}

const SortButton = <Row, Sort extends string>({ of: { head }, sorts, sort }: SortProps<Row, Sort>) => {
  const chosen = sorts.includes(sort.value)
  return (
    <button
      type="button"
      className={clsx('inline-flex items-center gap-1 rounded-sm hover:text-foreground', chosen && 'text-foreground')}
      onClick={() => sort.onValue(sort.value === sorts[0] ? sorts[1] : sorts[0])}
    >
      {head}
      <span aria-hidden className={chosen ? '' : 'opacity-40'}>
        {chosen ? (falls(sort.value) ? '↓' : '↑') : '↕'}
      </span>
    </button>
  )
}

const Cell = <Row, Sort extends string>({
  column,
  row,
  dense,
}: {
  column: Column<Row, Sort>
  row: Row
  dense: boolean
}) => {
  const look = clsx(
    'flex items-baseline justify-between gap-4 lg:table-cell lg:px-3 lg:align-middle lg:first:pl-5 lg:last:pr-5',
    dense ? 'lg:py-1.5' : 'lg:py-3 xl:px-5',
    column.align === 'right' && 'tabular-nums lg:text-right',
    column.className,
  )
  if (column.primary) {
    return (
      <th scope="row" className={clsx(look, 'text-left font-medium')}>
        <span className="min-w-0 wrap-anywhere">{column.cell(row)}</span>
      </th>
    )
  }
  return (
    <td className={look}>
      <span aria-hidden className="shrink-0 text-muted-foreground lg:hidden">
        {column.head}
      </span>
      <span className="min-w-0 text-right wrap-anywhere lg:text-inherit">{column.cell(row)}</span>
    </td>
  )
}
