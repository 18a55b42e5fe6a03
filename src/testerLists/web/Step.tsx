import type { ReactNode } from 'react'

/** One step of bringing the list to its place. */
export const Step = ({ title, hint, children }: { title: string; hint: ReactNode; children: ReactNode }) => (
  <li className="grid min-w-0 content-start gap-2">
    <h3 className="font-semibold">{title}</h3>
    <p className="max-w-prose text-muted-foreground">{hint}</p>
    <div className="flex flex-wrap gap-2">{children}</div>
  </li>
)
