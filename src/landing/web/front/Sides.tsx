/** The sections for developers and for testers. */
import { frame, Point, RegisterLink } from './parts.tsx'
import { dayCount, type Run, runs, today } from './roster.ts'

export const ForDevelopers = () => (
  <section id="developers" aria-labelledby="developers-title" className="border-t bg-card py-20 md:py-28">
    <div className={`${frame} grid gap-12 lg:grid-cols-2 lg:items-center lg:gap-20`}>
      <div>
        <h2 id="developers-title" className="text-heading font-semibold">
          For developers: 12 testers, 14 days, no gaps
        </h2>
        <p className="mt-5 text-lg text-pretty text-muted-foreground">
          Google Play requires new personal accounts to keep at least 12 testers opted in for 14 days in a row. Whoever
          replaces a tester on day nine starts at day one. Fieldtest shows you who is at risk before that happens.
        </p>
        <ul className="mt-7 grid gap-3 text-base">
          <Point>See the earliest date you can apply for production access</Point>
          <Point>When a tester leaves, their seat reopens right away for the next one</Point>
          <Point>Get unspent money back when the campaign ends</Point>
        </ul>
        <RegisterLink account="developer" className="mt-9">
          Get testers
        </RegisterLink>
      </div>
      <ContinuityPicture />
    </div>
  </section>
)

const dayWidth = 28
const rowHeight = 11
const required = 12

/** Each tester's unbroken time opted in, sorted by when it began, and the twelve testers that the store requires. */
const ContinuityPicture = () => (
  <figure className="rounded-2xl border bg-background p-5 shadow-card sm:p-7">
    <figcaption className="flex items-start justify-between gap-4">
      <div>
        <p className="font-semibold">Opted in without a break</p>
        <p className="text-muted-foreground">Two left. The spare seats kept the date.</p>
      </div>
      <p className="shrink-0 text-right whitespace-nowrap">
        <span className="block text-xl leading-6 font-semibold tabular-nums">Day 11 of 14</span>
        <span className="text-muted-foreground">12 testers, 2 to spare</span>
      </p>
    </figcaption>
    <svg
      viewBox={`-24 -4 ${dayCount * dayWidth + 28} ${runs.length * rowHeight + 26}`}
      role="img"
      aria-label="Sixteen testers opted in, two of them left. Twelve have been opted in without a break since day 1, and two more since days 3 and 6."
      className="mt-7 w-full overflow-visible text-[11px] tabular-nums"
    >
      {runs.map((run, row) => (
        <RunBar key={row} run={run} row={row} />
      ))}
      <line
        x1={0}
        x2={dayCount * dayWidth}
        y1={required * rowHeight - 1.5}
        y2={required * rowHeight - 1.5}
        className="stroke-highlight stroke-2"
      />
      <text x={-8} y={required * rowHeight + 2} textAnchor="end" className="fill-foreground font-semibold">
        {required}
      </text>
      {Array.from({ length: dayCount }, (_, day) => (
        <text
          key={day}
          x={day * dayWidth + dayWidth / 2}
          y={runs.length * rowHeight + 16}
          textAnchor="middle"
          className="fill-muted-foreground"
        >
          {day + 1}
        </text>
      ))}
    </svg>
  </figure>
)

const RunBar = ({ run: { from, until }, row }: { run: Run; row: number }) => (
  <>
    <rect
      x={from * dayWidth}
      y={row * rowHeight}
      width={((until ?? today + 1) - from) * dayWidth - 2}
      height={rowHeight - 3}
      rx={3}
      className={until === undefined ? 'fill-primary' : 'fill-input'}
    />
    {until === undefined && (
      <rect
        x={(today + 1) * dayWidth}
        y={row * rowHeight}
        width={(dayCount - today - 1) * dayWidth - 2}
        height={rowHeight - 3}
        rx={3}
        className="fill-secondary"
      />
    )}
  </>
)

const claims = [
  { figure: 'Up to $10', text: 'testers earn per test cycle' },
  { figure: '500+', text: 'apps tested monthly' },
  { figure: '14 days', text: 'average test period' },
]

export const ForTesters = () => (
  <section id="testers" aria-labelledby="testers-title" className="bg-[#0b4237] py-20 text-white md:py-28">
    <div className={frame}>
      <div className="grid gap-10 lg:grid-cols-2 lg:gap-20">
        <div>
          <h2 id="testers-title" className="text-heading font-semibold">
            For testers: get paid to try apps before they launch
          </h2>
          <RegisterLink account="tester" variant="light" className="mt-9 max-lg:hidden">
            Earn as a tester
          </RegisterLink>
        </div>
        <div className="text-lg text-white/85">
          <p>
            Pick apps that match your phone. Open them once a day, say what you really think, and submit your proof at
            the end. Your pay is set aside before you start, so it is there when you finish.
          </p>
          <p className="mt-4">
            Withdraw your balance once it reaches a small minimum. If a campaign is cancelled, you are paid for the days
            you completed.
          </p>
          <RegisterLink account="tester" variant="light" className="mt-8 lg:hidden">
            Earn as a tester
          </RegisterLink>
        </div>
      </div>
      <dl className="mt-14 grid border-t border-white/20 sm:grid-cols-3 md:mt-20">
        {claims.map(({ figure, text }) => (
          <div
            key={figure}
            className="flex flex-col-reverse justify-end gap-1 border-white/20 py-6 max-sm:not-first:border-t sm:not-first:border-l sm:not-first:pl-8"
          >
            <dt className="text-base text-white/80">{text}</dt>
            <dd className="text-[clamp(2.25rem,1.5rem+2.6vw,3.5rem)] leading-none font-semibold tracking-[-0.035em] tabular-nums">
              {figure}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  </section>
)
