import { clsx } from 'clsx'
import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

const looks = {
  red: { Icon: CircleAlert, look: 'bg-red-tone text-red-tone-foreground' },
  yellow: { Icon: TriangleAlert, look: 'bg-yellow-tone text-yellow-tone-foreground' },
  blue: { Icon: Info, look: 'bg-blue-tone text-blue-tone-foreground' },
  green: { Icon: CircleCheck, look: 'bg-green-tone text-green-tone-foreground' },
  neutral: { Icon: Info, look: 'bg-muted' },
} as const

/** A message in a page: a form error, a warning, a note. Screen readers announce errors when they appear. */
export const Alert = ({
  tone = 'neutral',
  title,
  children,
  className,
}: {
  tone?: keyof typeof looks
  title?: ReactNode
  children?: ReactNode
  className?: string
}) => {
  const { Icon, look } = looks[tone]
  return (
    <div
      role={tone === 'red' ? 'alert' : 'note'}
      className={clsx('flex gap-2.5 rounded-md px-3 py-2.5', look, className)}
    >
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 wrap-anywhere">
        {title && <p className="font-semibold">{title}</p>}
        {children}
      </div>
    </div>
  )
}
