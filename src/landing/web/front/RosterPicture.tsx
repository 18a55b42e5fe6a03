import { Badge } from '../../../kit/web/ui/Badge.tsx'
import { Icon, type IconName } from './Icon.tsx'
import { type Tester, dayCount, testers, today } from './roster.ts'

/** The developer's view of a campaign, hidden from screen readers, which get the caption. */
export const RosterPicture = () => (
  <figure>
    <figcaption className="sr-only">
      A campaign in Fieldtest: 12 testers in rows, 14 days in columns, and a mark for each day a tester checked in. It
      is day 11, and 11 testers have checked in today; one has not for two days and is at risk.
    </figcaption>
    <div aria-hidden className="overflow-hidden rounded-xl border bg-card shadow-raised md:rounded-2xl">
      <Head />
      <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_19rem]">
        <Roster />
        <Activity />
      </div>
    </div>
  </figure>
)

const Head = () => (
  <div className="flex items-center gap-3.5 border-b px-4 py-4 md:px-6">
    <span className="grid size-10 shrink-0 place-items-center rounded-[10px] bg-[#f5b740] text-lg font-bold text-[#3d2900]">
      T
    </span>
    <div className="min-w-0">
      <p className="flex items-center gap-2 text-base font-semibold">
        Tidewater 2.0 <Badge tone="green">Live</Badge>
      </p>
      <p className="truncate text-muted-foreground">
        Android · 12 of 12 testers<span className="max-sm:hidden"> · $10.00 each</span>
      </p>
    </div>
    <div className="ml-auto hidden text-right sm:block">
      <p className="text-base font-semibold tabular-nums">Day 11 of 14</p>
      <p className="text-muted-foreground">3 days until you can apply for production</p>
    </div>
  </div>
)

const columns =
  'grid grid-cols-[4.75rem_minmax(0,1fr)] items-center gap-3 sm:grid-cols-[11.5rem_minmax(0,1fr)] sm:gap-5'

const step = 20
const viewBox = (height: number) => `0 0 ${dayCount * step - 4} ${height}`

const Roster = () => (
  <div className="px-4 py-4 md:px-6">
    <RowSymbols />
    <div className={`${columns} pb-2 text-xs text-muted-foreground`}>
      <span>Tester</span>
      <svg viewBox={viewBox(12)} className="w-full fill-current text-[9px] tabular-nums sm:text-[6.5px]">
        {Array.from({ length: dayCount }, (_, day) => (
          <text
            key={day}
            x={left(day) + 8}
            y={8}
            textAnchor="middle"
            className={day === today ? 'fill-foreground font-bold' : ''}
          >
            {day + 1}
          </text>
        ))}
      </svg>
    </div>
    {testers.map((tester, row) => (
      <div key={tester.alias} className={`${columns} border-t py-[7px] ${row > 7 ? 'max-sm:hidden' : ''}`}>
        <p className="min-w-0 leading-tight">
          <span className="block truncate text-[0.8125rem] font-medium">{tester.alias}</span>
          <span className="hidden truncate text-xs text-muted-foreground sm:block">{tester.device}</span>
        </p>
        <Days row={row} tester={tester} />
      </div>
    ))}
  </div>
)

const left = (day: number) => day * step
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)

/** The days that most rows share, drawn once: ten completed days, fading with age, and the days to come. */
const RowSymbols = () => (
  <svg className="hidden">
    <symbol id="days-done" overflow="visible">
      {range(0, today).map(day => (
        <rect key={day} x={left(day)} className="day fill-primary" opacity={(38 + day * 6) / 100} />
      ))}
    </symbol>
    <symbol id="days-ahead" overflow="visible">
      {range(today, dayCount).map(day => (
        <rect key={day} x={left(day)} className="day fill-secondary" />
      ))}
    </symbol>
  </svg>
)

const Days = ({ tester: { missed, checkedIn }, row }: { tester: Tester; row: number }) => (
  <svg viewBox={viewBox(16)} className="w-full overflow-visible" style={{ '--row': row } as React.CSSProperties}>
    <use href="#days-done" />
    <use href="#days-ahead" />
    {missed !== undefined && (
      <g transform={`translate(${left(missed)})`}>
        <path d="M-1-1h18v18h-18z" className="fill-card" />
        <rect className="day fill-red-tone" />
        <path
          d="M5.500 5.500l5 5m0-5l-5 5"
          className="stroke-red-tone-foreground stroke-[1.6] [stroke-linecap:round]"
        />
      </g>
    )}
    {checkedIn ? (
      <rect x={left(today)} className="day arrive fill-highlight" />
    ) : (
      <rect x={left(today) + 1} y={1} width={14} height={14} rx={3} className="fill-card stroke-highlight stroke-2" />
    )}
  </svg>
)

const events: { icon: IconName; style: string; who: string; what: string; quote: string }[] = [
  {
    icon: 'check',
    style: 'bg-green-tone text-green-tone-foreground',
    who: 'Tester 6',
    what: 'checked in',
    quote: 'The new sync felt instant today.',
  },
  {
    icon: 'check',
    style: 'bg-green-tone text-green-tone-foreground',
    who: 'Tester 2',
    what: 'checked in',
    quote: 'Search forgets what I typed when I switch apps.',
  },
  {
    icon: 'check',
    style: 'bg-green-tone text-green-tone-foreground',
    who: 'Tester 9',
    what: 'checked in',
    quote: 'Signing up took me two tries: the code came late.',
  },
  {
    icon: 'alert',
    style: 'bg-yellow-tone text-yellow-tone-foreground',
    who: 'Tester 5',
    what: 'is at risk',
    quote: 'No check-in for 48 hours.',
  },
]

const Activity = () => (
  <div className="hidden border-l bg-muted/50 px-6 py-5 lg:block">
    <p className="mb-4 font-semibold">Today</p>
    <ul className="grid gap-5">
      {events.map(({ icon, style, who, what, quote }) => (
        <li key={who} className="flex gap-3">
          <span className={`grid size-7 shrink-0 place-items-center rounded-full ${style}`}>
            <Icon name={icon} className="size-3.5" />
          </span>
          <div className="min-w-0">
            <p>
              <span className="font-medium">{who}</span> <span className="text-muted-foreground">{what}</span>
            </p>
            <p className="mt-1 text-[0.8125rem] leading-snug text-muted-foreground">{quote}</p>
          </div>
        </li>
      ))}
    </ul>
    <div className="mt-6 border-t pt-5">
      <p className="text-muted-foreground">Held for testers</p>
      <p className="text-xl font-semibold tabular-nums">$120.00</p>
      <p className="mt-1 text-[0.8125rem] text-muted-foreground">Paid to each tester once you verify their proof.</p>
    </div>
  </div>
)
