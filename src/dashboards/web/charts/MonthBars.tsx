import { clsx } from 'clsx'
import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { monthLong, monthShort } from '../captions.ts'
import { type MonthFacts, MonthTable } from './MonthTable.tsx'
import { labelEvery, ticksOf } from './scale.ts'

type Props = {
  label: string
  valueLabel: string
  months: readonly MonthFacts[]
  format: (value: number) => string
  formatAxis: (value: number) => string
  /** The smallest allowed distance between two ticks. */
  minStep: number
}

const height = 216
const plot = { top: 10, bottom: 24, right: 4 }

/**
 * Bars by month, at least one. The current month is lighter because it is not over. The pointer or the arrow keys select a month
 * and show its figures, hence the role `slider`; the table below the chart contains all of them.
 */
export const MonthBars = (props: Props) => {
  const [width, setWidth] = useState(0)
  const [watch] = useState(() => watchWidth(setWidth))
  const [at, setAt] = useState<number | null>(null)
  const { label, months, format, formatAxis, minStep } = props
  const ticks = ticksOf(
    months.map(month => month.value),
    minStep,
  )
  const left = Math.max(...ticks.map(tick => formatAxis(tick).length)) * 7 + 10
  const band = Math.max(width - left - plot.right, 0) / months.length
  const pointAt = ({ clientX, currentTarget }: PointerEvent<HTMLElement>) => {
    const index = Math.floor((clientX - currentTarget.getBoundingClientRect().left - left) / band)
    setAt(index >= 0 && index < months.length ? index : null)
  }
  const shown = at === null ? undefined : months[at]
  const selected = shown ?? months.at(-1)!
  return (
    <figure>
      <div
        ref={watch}
        role="slider"
        aria-label={`${label}: month`}
        aria-valuemin={1}
        aria-valuemax={months.length}
        aria-valuenow={(at ?? months.length - 1) + 1}
        aria-valuetext={`${monthLong(selected.month)}: ${format(selected.value)}`}
        tabIndex={0}
        className="relative rounded-md"
        style={{ height }}
        onPointerMove={pointAt}
        onPointerDown={pointAt}
        onPointerLeave={() => setAt(null)}
        onFocus={() => setAt(index => index ?? months.length - 1)}
        onBlur={() => setAt(null)}
        onKeyDown={event => step(event, months.length, setAt)}
      >
        {width > 0 && <Drawing {...props} width={width} left={left} band={band} ticks={ticks} at={at} />}
        {shown && at !== null && (
          <Tooltip of={shown} {...props} x={left + band * (at + 0.5)} width={width} isLast={at === months.length - 1} />
        )}
      </div>
      <MonthTable {...props} />
    </figure>
  )
}

const watchWidth = (onWidth: (width: number) => void) => (element: HTMLElement | null) => {
  if (!element) return undefined
  const watcher = new ResizeObserver(([entry]) => entry && onWidth(entry.contentRect.width))
  watcher.observe(element)
  return () => watcher.disconnect()
}

const step = (event: KeyboardEvent, count: number, setAt: (change: (at: number | null) => number | null) => void) => {
  const move: Record<string, (at: number) => number> = {
    ArrowLeft: at => Math.max(at - 1, 0),
    ArrowRight: at => Math.min(at + 1, count - 1),
    Home: () => 0,
    End: () => count - 1,
  }
  const to = move[event.key]
  if (event.key === 'Escape') setAt(() => null)
  if (!to) return
  event.preventDefault()
  setAt(at => to(at ?? count - 1))
}

type DrawingProps = Props & { width: number; left: number; band: number; ticks: number[]; at: number | null }

const Drawing = ({ months, formatAxis, width, left, band, ticks, at }: DrawingProps) => {
  const bottom = ticks[0]!
  const span = ticks.at(-1)! - bottom
  const y = (value: number) => height - plot.bottom - ((value - bottom) / span) * (height - plot.top - plot.bottom)
  const every = labelEvery(months.length, width - left, 34)
  return (
    <svg aria-hidden width={width} height={height} className="block text-[11px] tabular-nums">
      {ticks.map(tick => (
        <g key={tick}>
          <line
            x1={left}
            x2={width - plot.right}
            y1={y(tick)}
            y2={y(tick)}
            className={tick === 0 ? 'stroke-input' : 'stroke-border'}
          />
          <text x={left - 8} y={y(tick)} dy="0.35em" textAnchor="end" className="fill-muted-foreground">
            {formatAxis(tick)}
          </text>
        </g>
      ))}
      {months.map(({ month, value }, index) => (
        <g key={month}>
          <rect
            x={left + band * index + band * 0.5 - barWidth(band) / 2}
            y={Math.min(y(value), y(0))}
            width={barWidth(band)}
            height={Math.abs(y(value) - y(0))}
            rx={Math.min(3, barWidth(band) / 4)}
            className={clsx('transition-colors', shadeOf(index, at, months.length))}
          />
          {(months.length - 1 - index) % every === 0 && (
            <text x={left + band * (index + 0.5)} y={height - 7} textAnchor="middle" className="fill-muted-foreground">
              {monthShort(month)}
            </text>
          )}
        </g>
      ))}
    </svg>
  )
}

/** The shades are opaque, because the axis lines are behind the bars. */
const shadeOf = (index: number, at: number | null, count: number) => {
  if (at !== null && at !== index) return 'fill-[color-mix(in_oklab,var(--primary)_30%,var(--card))]'
  return index === count - 1 ? 'fill-[color-mix(in_oklab,var(--primary)_55%,var(--card))]' : 'fill-primary'
}

const barWidth = (band: number) => Math.min(band * 0.62, 44)

type TooltipProps = Props & { of: MonthFacts; x: number; width: number; isLast: boolean }

/** Shown beside the bar, on the side with more room. */
const Tooltip = ({ of: { month, value, more = [] }, valueLabel, format, x, width, isLast }: TooltipProps) => (
  <div
    aria-hidden
    className="pointer-events-none absolute top-1 z-10 min-w-36 rounded-md border bg-card px-3 py-2 text-xs shadow-raised"
    style={x < width / 2 ? { left: x + 14 } : { right: width - x + 14 }}
  >
    <p className="mb-1 font-medium whitespace-nowrap">
      {monthLong(month)}
      {isLast && ' so far'}
    </p>
    {[{ label: valueLabel, text: format(value) }, ...more].map(line => (
      <p key={line.label} className="flex justify-between gap-4 whitespace-nowrap text-muted-foreground">
        {line.label} <span className="text-foreground tabular-nums">{line.text}</span>
      </p>
    ))}
  </div>
)
