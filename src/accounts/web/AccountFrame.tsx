import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { focusOnArrival } from '../../app/web/arrival.ts'
import { paths } from '../../app/web/paths.ts'
import { Brand } from '../../app/web/ui/Brand.tsx'
import { DocumentTitle } from '../../app/web/ui/DocumentTitle.tsx'

/** Around the sign-in and the registration form; on a wide screen with the product's picture beside it. */
export const AccountFrame = ({
  title,
  lead,
  footer,
  children,
}: {
  title: string
  lead: string
  footer: ReactNode
  children: ReactNode
}) => (
  <div className="grid min-h-dvh lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
    <DocumentTitle title={title} />
    <div className="flex flex-col px-5 py-6 sm:px-10">
      <Link to={paths.home} className="self-start rounded-md" aria-label="Fieldtest, to the start page">
        <Brand />
      </Link>
      <main className="mx-auto flex w-full max-w-sm flex-1 flex-col justify-center py-10">
        <h1 ref={focusOnArrival} tabIndex={-1} className="text-2xl font-semibold tracking-tight">
          {title}
        </h1>
        <p className="mt-1 mb-7 text-muted-foreground">{lead}</p>
        {children}
        <p className="mt-6 text-muted-foreground [&_a]:font-medium [&_a]:text-link [&_a]:underline-offset-4 [&_a]:hover:underline">
          {footer}
        </p>
      </main>
    </div>
    <Picture />
  </div>
)

const days = 14

/** When each of twelve testers joined, and a day one of them missed: what the product keeps track of. */
const testers = [0, 0, 0, 1, 0, 2, 0, 0, 3, 1, 0, 0]
const missed = new Set(['5-8', '8-6'])

const Picture = () => (
  <aside className="hidden flex-col justify-center gap-10 bg-[#0b4237] px-14 text-white lg:flex xl:px-20">
    <div aria-hidden className="grid max-w-md gap-1.5">
      {testers.map((joined, tester) => (
        <div key={tester} className="grid grid-cols-14 gap-1.5">
          {Array.from({ length: days }, (_, day) => (
            <span
              key={day}
              className={clsx(
                'aspect-square rounded-[4px]',
                day < joined || missed.has(`${tester}-${day}`) ? 'bg-white/8' : 'bg-[#5fcfae]/75',
                day === days - 1 && 'bg-[#f5b740]!',
              )}
            />
          ))}
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
