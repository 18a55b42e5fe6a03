import { ChevronLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

/** A link to the parent screen, above the title. */
export const BackLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <Link to={to} className="-my-3 -ml-1 inline-flex max-w-full items-center gap-1 rounded-md py-3">
    <ChevronLeft aria-hidden className="size-4 shrink-0" />
    <span className="truncate">{children}</span>
  </Link>
)
