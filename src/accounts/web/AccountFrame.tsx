import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { focusOnArrival } from '../../kit/web/arrival.ts'
import { paths } from '../../kit/paths.ts'
import { Brand } from '../../kit/web/ui/Brand.tsx'
import { DocumentTitle } from '../../kit/web/ui/DocumentTitle.tsx'

/** The frame of the sign-in and registration forms; wide screens show an illustration beside it. */
export const AccountFrame = ({
  title,
  lead,
  footer,
  children,
}: {
  title: string
  /** Omitted once there is nothing left to do. */
  lead?: string | undefined
  footer: ReactNode
  children: ReactNode
}) => (
  <div className="grid min-h-dvh lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
    <DocumentTitle title={title} />
    <div className="flex flex-col px-5 py-6 sm:px-10">
      <header className="flex">
        <Link to={paths.home} className="rounded-md" aria-label="Fieldtest, go to home page">
          <Brand />
        </Link>
      </header>
      <main className="mx-auto flex w-full max-w-sm flex-1 flex-col justify-center py-10">
        <h1 ref={focusOnArrival} tabIndex={-1} className="text-2xl font-semibold tracking-tight">
          {title}
        </h1>
        {lead !== undefined && <p className="mt-1 text-muted-foreground">{lead}</p>}
        <div className="mt-7">{children}</div>
        <p className="mt-6 text-muted-foreground [&_a]:font-medium [&_a]:text-link [&_a]:underline-offset-4 [&_a]:hover:underline">
          {footer}
        </p>
      </main>
    </div>
    <Picture />
  </div>
)

const days = 14

/** Twelve testers: the day each joined, the days each missed, and whether today's check-in has been made. */
const testers = [
  { joined: 0, today: true },
  { joined: 0, today: true },
  { joined: 1, today: false },
  { joined: 0, today: true },
  { joined: 0, missed: 8, today: true },
  { joined: 2, today: true },
  { joined: 0, today: false },
  { joined: 0, today: true },
  { joined: 3, missed: 6, today: true },
  { joined: 1, today: true },
  { joined: 0, today: false },
  { joined: 0, today: true },
]

const Picture = () => (
  <aside className="hidden flex-col justify-center gap-10 bg-[#0b4237] px-14 text-white lg:flex xl:px-20">
    <div aria-hidden className="grid max-w-sm gap-1.5">
      {testers.map(({ joined, missed, today }, tester) => (
        <div key={tester} className="grid grid-cols-14 gap-1.5">
          {Array.from({ length: days }, (_, day) => {
            const isToday = day === days - 1
            const checkedIn = isToday ? today : day >= joined && day !== missed
            return (
              <span
                key={day}
                className={clsx(
                  'aspect-square rounded-[4px]',
                  checkedIn ? 'bg-[#5fcfae]' : 'bg-white/7',
                  isToday && today && 'bg-[#f5b740]!',
                )}
                // Older days fade.
                style={checkedIn && !isToday ? { opacity: 0.25 + (day / days) * 0.55 } : undefined}
              />
            )
          })}
        </div>
      ))}
    </div>
    <div className="max-w-md">
      <p className="text-xl font-semibold tracking-tight text-balance">Real people, on real devices, day after day.</p>
      <p className="mt-2 text-base text-white/80">
        Every tester checks in each day. Developers see who is testing, and testers are paid when their work is
        verified.
      </p>
    </div>
  </aside>
)
