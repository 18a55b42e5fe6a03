import { monthLong } from '../captions.ts'

export type MonthFacts = {
  /** Such as `2026-11`. */
  month: string
  value: number
  /** Shown beside the value. */
  more?: readonly { label: string; text: string }[]
}

type Props = { label: string; valueLabel: string; months: readonly MonthFacts[]; format: (value: number) => string }

/** The chart as a table, newest month first: for screen readers and anyone who prefers numbers. */
export const MonthTable = ({ label, valueLabel, months, format }: Props) => (
  <details className="mt-3">
    <summary className="w-fit py-1 text-xs text-muted-foreground hover:text-foreground">
      Show as a table<span className="sr-only">: {label}</span>
    </summary>
    <table className="mt-2 w-full text-xs tabular-nums">
      <caption className="sr-only">{label}</caption>
      <thead>
        <tr className="border-b text-muted-foreground">
          <th scope="col" className="py-1.5 text-left font-medium">
            Month
          </th>
          {[valueLabel, ...(months[0]?.more ?? []).map(fact => fact.label)].map(head => (
            <th key={head} scope="col" className="py-1.5 text-right font-medium">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y">
        {months.toReversed().map(({ month, value, more = [] }) => (
          <tr key={month}>
            <th scope="row" className="py-1.5 text-left font-normal">
              {monthLong(month)}
            </th>
            <td className="py-1.5 text-right">{format(value)}</td>
            {more.map(fact => (
              <td key={fact.label} className="py-1.5 text-right">
                {fact.text}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </details>
)
