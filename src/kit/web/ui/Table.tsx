import { clsx } from 'clsx'
import type { ReactNode } from 'react'

export type Column<Row> = {
  head: string
  cell: (row: Row) => ReactNode
  /** Right for numbers and money. */
  align?: 'right'
  /** The row header; on a phone, the first line of the card. */
  primary?: true
  className?: string
}

/** A table from 768 px on, a stack of cards on a phone. `caption` is for screen readers. */
export const Table = <Row,>({
  caption,
  columns,
  rows,
  keyOf,
}: {
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
}) => (
  <table className="block w-full md:table">
    <caption className="sr-only">{caption}</caption>
    <thead className="sr-only md:not-sr-only md:table-header-group">
      <tr className="border-b text-xs text-muted-foreground">
        {columns.map(column => (
          <th
            key={column.head}
            scope="col"
            className={clsx(
              'px-5 py-2 font-medium whitespace-nowrap',
              column.align === 'right' ? 'text-right' : 'text-left',
            )}
          >
            {column.head}
          </th>
        ))}
      </tr>
    </thead>
    <tbody className="block divide-y md:table-row-group">
      {rows.map(row => (
        <tr key={keyOf(row)} className="grid gap-1 px-5 py-3 md:table-row md:px-0 md:py-0 md:hover:bg-muted/50">
          {columns.map(column => (
            <Cell key={column.head} column={column} row={row} />
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)

const Cell = <Row,>({ column, row }: { column: Column<Row>; row: Row }) => {
  const look = clsx(
    'flex items-baseline justify-between gap-4 md:table-cell md:px-5 md:py-3 md:align-middle',
    column.align === 'right' && 'tabular-nums md:text-right',
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
      <span aria-hidden className="shrink-0 text-muted-foreground md:hidden">
        {column.head}
      </span>
      <span className="min-w-0 text-right wrap-anywhere md:text-inherit">{column.cell(row)}</span>
    </td>
  )
}
