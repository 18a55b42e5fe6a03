import { Mail } from 'lucide-react'
import type { ReactNode } from 'react'

/** Also drawn before the scripts have loaded (src/app/web/shells.tsx); shell.js then fills in the address. */
export const NoticeFrame = ({ email, children }: { email: string; children: ReactNode }) => (
  <section
    aria-label="Confirm your email address"
    className="mb-5 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg border bg-card px-4 py-3 print:hidden"
  >
    <p className="flex min-w-0 flex-1 basis-64 gap-2.5">
      <Mail aria-hidden className="mt-0.5 size-4 shrink-0 text-muted-foreground" />
      <span className="min-w-0 wrap-anywhere">
        Confirm your email address: open the link in our email to <span data-email>{email}</span>.
      </span>
    </p>
    {children}
  </section>
)
