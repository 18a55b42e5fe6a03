import { clsx } from 'clsx'
import type { ReactNode } from 'react'

export type Tone = 'neutral' | 'gray' | 'green' | 'yellow' | 'blue' | 'red' | 'violet' | 'primary' | 'outline'

const looks: Record<Tone, string> = {
  neutral: 'bg-neutral-tone text-neutral-tone-foreground',
  gray: 'bg-gray-tone text-gray-tone-foreground',
  green: 'bg-green-tone text-green-tone-foreground',
  yellow: 'bg-yellow-tone text-yellow-tone-foreground',
  blue: 'bg-blue-tone text-blue-tone-foreground',
  red: 'bg-red-tone text-red-tone-foreground',
  violet: 'bg-violet-tone text-violet-tone-foreground',
  primary: 'bg-primary text-primary-foreground',
  outline: 'border text-muted-foreground',
}

/** A status label. Tones come from the slice's `Record<Status, Tone>`, so a new status has to define one. */
export const Badge = ({
  tone = 'neutral',
  children,
  className,
}: {
  tone?: Tone
  children: ReactNode
  className?: string
}) => (
  <span
    className={clsx(
      'inline-flex h-5.5 items-center gap-1 rounded-full px-2 text-xs font-medium whitespace-nowrap [&_svg]:size-3',
      looks[tone],
      className,
    )}
  >
    {children}
  </span>
)
