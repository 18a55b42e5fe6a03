import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../../../kit/paths.ts'
import { Brand } from '../../../kit/web/ui/Brand.tsx'
import { TestModeStrip } from '../../../kit/web/ui/TestMode.tsx'

type Parts = {
  /** Below the product's name in the side bar. */
  side?: ReactNode
  /** In the top bar; on a phone beside the product's name. */
  top?: ReactNode
  /** At the bottom edge of a phone. */
  bottom: ReactNode
  children: ReactNode
}

/** The frame of every signed-in screen: side bar (a bottom bar on a phone), top bar, and the main area. */
export const DashboardFrame = ({ side, top, bottom, children }: Parts) => (
  <>
    <div className="md:grid md:grid-cols-[14.5rem_minmax(0,1fr)] print:block">
      <div className="sticky top-0 hidden h-dvh flex-col gap-6 border-r px-3 py-4 md:flex print:hidden">
        <HomeLink className="px-2 py-1" />
        {side}
      </div>
      <div className="flex min-h-dvh min-w-0 flex-col">
        <TestModeStrip />
        <header className="sticky top-0 z-20 flex h-14 items-center gap-3 border-b bg-background/95 px-4 backdrop-blur md:px-8 print:hidden">
          <HomeLink className="md:hidden" />
          <div className="ml-auto flex items-center gap-1.5 sm:gap-3 md:ml-0 md:flex-1">{top}</div>
        </header>
        <main
          id="main"
          tabIndex={-1}
          className="mx-auto w-full max-w-6xl flex-1 px-4 pt-6 pb-28 md:px-8 md:pt-8 md:pb-16"
        >
          {children}
        </main>
      </div>
    </div>
    <div className="fixed inset-x-0 bottom-0 z-30 border-t bg-card pb-[env(safe-area-inset-bottom)] md:hidden print:hidden">
      {bottom}
    </div>
  </>
)

const HomeLink = ({ className }: { className: string }) => (
  <Link
    to={paths.dashboard}
    className={`flex items-center rounded-md ${className}`}
    aria-label="Fieldtest, go to dashboard"
  >
    <Brand />
  </Link>
)
