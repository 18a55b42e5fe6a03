/** For developers, and for testers. */
import { frame, Point, WaitlistLink } from './parts.tsx'
import { dayCount, optedIn } from './roster.ts'

export const ForDevelopers = () => (
  <section id="developers" aria-labelledby="developers-title" className="border-t bg-card py-20 md:py-28">
    <div className={`${frame} grid gap-12 lg:grid-cols-2 lg:items-center lg:gap-20`}>
      <div>
        <h2 id="developers-title" className="text-heading font-semibold">
          For developers: twelve testers, fourteen days, no gap
        </h2>
        <p className="mt-5 text-lg text-pretty text-muted-foreground">
          Google Play asks new personal accounts for at least 12 testers who stay opted in for 14 days in a row. One who
          leaves on day nine can cost you the whole run. Fieldtest shows it coming.
        </p>
        <ul className="mt-7 grid gap-3 text-base">
          <Point>The earliest day on which you can apply for production access</Point>
          <Point>A seat that falls free is open again at once, for the next tester who fits</Point>
          <Point>What nobody earned comes back to you when the campaign ends</Point>
        </ul>
        <WaitlistLink wish="developer" className="mt-9">
          Get testers
        </WaitlistLink>
      </div>
      <ContinuityPicture />
    </div>
  </section>
)

const height = 160
const top = 16
const barHeight = (count: number) => (count / top) * height
const asked = 12

/** The continuity clock: how many were in on each day, and the twelve that the store asks for. */
const ContinuityPicture = () => (
  <figure className="rounded-2xl border bg-background p-5 shadow-card sm:p-7">
    <figcaption className="flex items-start justify-between gap-4">
      <div>
        <p className="font-semibold">Testers opted in, by day</p>
        <p className="text-muted-foreground">Two left, two came. The run held.</p>
      </div>
      <p className="shrink-0 text-right whitespace-nowrap">
        <span className="block text-xl leading-6 font-semibold tabular-nums">11 of 14</span>
        <span className="text-muted-foreground">days in a row</span>
      </p>
    </figcaption>
    <svg
      viewBox={`-24 0 ${dayCount * 30 + 16} 190`}
      role="img"
      aria-label="Between 12 and 15 testers opted in on each of the eleven days so far, never fewer than the 12 that the store asks for"
      className="mt-7 w-full overflow-visible text-[11px] tabular-nums"
    >
      {Array.from({ length: dayCount }, (_, day) => (
        <DayBar key={day} day={day} />
      ))}
      <line
        x1={0}
        x2={dayCount * 30 - 8}
        y1={height - barHeight(asked)}
        y2={height - barHeight(asked)}
        className="stroke-highlight stroke-2"
      />
      <text x={-8} y={height - barHeight(asked) + 4} textAnchor="end" className="fill-foreground font-semibold">
        {asked}
      </text>
    </svg>
  </figure>
)

const DayBar = ({ day }: { day: number }) => {
  const count = optedIn[day]
  const bar = barHeight(count ?? asked)
  const look = count === undefined ? 'fill-none stroke-input [stroke-dasharray:3_3]' : 'fill-primary'
  return (
    <>
      <rect x={day * 30} y={height - bar} width={22} height={bar} rx={4} className={look} />
      <text x={day * 30 + 11} y={182} textAnchor="middle" className="fill-muted-foreground">
        {day + 1}
      </text>
    </>
  )
}

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
            For testers: get paid to try what is not out yet
          </h2>
          <WaitlistLink wish="tester" look="light" className="mt-9 max-lg:hidden">
            Earn as a tester
          </WaitlistLink>
        </div>
        <div className="text-lg text-white/85">
          <p>
            Pick apps that fit your phone. Open them once a day, say honestly what you think, and hand in your proof at
            the end. The money for your seat is set aside before you start, so it is there when you are done.
          </p>
          <p className="mt-4">Withdraw from $10 on. If a campaign is cancelled, the days you did are paid.</p>
          <WaitlistLink wish="tester" look="light" className="mt-8 lg:hidden">
            Earn as a tester
          </WaitlistLink>
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
