import { Bug, Check, MessageSquareText, ShieldCheck } from 'lucide-react'
import { Badge } from '../../../app/web/ui/Badge.tsx'
import { type Mark, dayCount, markOf, testers, today } from './roster.ts'

/** The product as its developer sees it on a campaign's page; a picture, so that nothing in it is read out or focused. */
export const RosterPicture = () => (
  <figure>
    <figcaption className="sr-only">
      A campaign in Fieldtest: twelve testers in rows, fourteen days in columns, and a mark for each day on which a tester
      checked in. It is day 11, and eleven of them have checked in today.
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
        Tidewater 2.0 <Badge tone="green">LIVE</Badge>
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

const columns = 'grid grid-cols-[4.75rem_minmax(0,1fr)] items-center gap-3 sm:grid-cols-[11.5rem_minmax(0,1fr)] sm:gap-5'

const Roster = () => (
  <div className="px-4 py-4 md:px-6">
    <div className={`${columns} pb-2 text-xs text-muted-foreground`}>
      <span>Tester</span>
      <svg viewBox={`0 0 ${dayCount * 20 - 4} 12`} className="w-full fill-current text-[9px] tabular-nums sm:text-[6.5px]">
        {Array.from({ length: dayCount }, (_, day) => (
          <text key={day} x={day * 20 + 8} y={8} textAnchor="middle" className={day === today ? 'fill-foreground font-bold' : ''}>
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
        <Days row={row} marks={Array.from({ length: dayCount }, (_, day) => markOf(tester, day))} />
      </div>
    ))}
  </div>
)

const fills: Record<Mark, string> = {
  DONE: 'fill-primary',
  MISSED: 'fill-red-tone',
  TODAY: 'fill-highlight arrive',
  OPEN: 'fill-none stroke-highlight stroke-2',
  AHEAD: 'fill-secondary',
}

/** Older days recede. */
const ageOf = (mark: Mark, day: number) => (mark === 'DONE' ? (38 + day * 6) / 100 : undefined)

const Days = ({ marks, row }: { marks: Mark[]; row: number }) => (
  <svg viewBox={`0 0 ${dayCount * 20 - 4} 16`} className="w-full overflow-visible" style={{ '--row': row } as React.CSSProperties}>
    {marks.map((mark, day) =>
      mark === 'OPEN' ? (
        <rect key={day} x={day * 20 + 1} y={1} width={14} height={14} rx={3.5} className={fills[mark]} />
      ) : (
        <rect key={day} x={day * 20} width={16} height={16} rx={4} className={fills[mark]} opacity={ageOf(mark, day)} />
      ),
    )}
    {marks.map(
      (mark, day) =>
        mark === 'MISSED' && (
          <path
            key={day}
            d={`M${day * 20 + 5.5} 5.5l5 5m0-5l-5 5`}
            className="fill-none stroke-red-tone-foreground stroke-[1.6]"
            strokeLinecap="round"
          />
        ),
    )}
  </svg>
)

const news = [
  { Icon: Check, look: 'bg-green-tone text-green-tone-foreground', who: 'Tester 6', what: 'checked in', quote: 'The new sync felt instant today.' },
  { Icon: Bug, look: 'bg-red-tone text-red-tone-foreground', who: 'Tester 2', what: 'filed a bug', quote: 'Search forgets what I typed when I switch apps.' },
  { Icon: MessageSquareText, look: 'bg-blue-tone text-blue-tone-foreground', who: 'Tester 9', what: 'answered your form', quote: 'Sign-up took me two tries: the code came late.' },
  { Icon: ShieldCheck, look: 'bg-violet-tone text-violet-tone-foreground', who: 'Tester 10', what: 'verified a device', quote: 'Fairphone 5, Android 14' },
]

const Activity = () => (
  <div className="hidden border-l bg-muted/50 px-6 py-5 lg:block">
    <p className="mb-4 font-semibold">Today</p>
    <ul className="grid gap-5">
      {news.map(({ Icon, look, who, what, quote }) => (
        <li key={who} className="flex gap-3">
          <span className={`grid size-7 shrink-0 place-items-center rounded-full ${look}`}>
            <Icon className="size-3.5" />
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
      <p className="mt-1 text-[0.8125rem] text-muted-foreground">Paid out seat by seat, once you verify.</p>
    </div>
  </div>
)
