import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import type { ChosenFigures } from '../../../campaigns/chosenFigures.ts'
import { Icon } from './Icon.tsx'
import { registerLink } from './registerLink.ts'

export const frame = 'mx-auto w-full max-w-6xl px-5 sm:px-8'

/** A section that the navigation bar can link to. */
export const Section = ({
  id,
  title,
  lead,
  className,
  children,
}: {
  id: string
  title: string
  lead?: ReactNode
  className?: string
  children: ReactNode
}) => (
  <section id={id} aria-labelledby={`${id}-title`} className={clsx('py-20 md:py-28', className)}>
    <div className={frame}>
      <div className="mb-10 grid gap-4 md:mb-14 md:grid-cols-2 md:items-end md:gap-12">
        <h2 id={`${id}-title`} className="text-heading font-semibold">
          {title}
        </h2>
        {lead && <p className="max-w-lg text-lg text-pretty text-muted-foreground md:justify-self-end">{lead}</p>}
      </div>
      {children}
    </div>
  </section>
)

const variants = {
  primary: 'bg-primary text-primary-foreground shadow-card hover:bg-primary-hover',
  outline: 'border border-input bg-card shadow-card hover:bg-muted',
  ghost: 'hover:bg-muted',
  light: 'bg-white text-[#0b4237] hover:bg-white/90',
}

const sizes = { md: 'h-10 px-4 text-sm', lg: 'h-12 px-6 text-base' }

type Look = { variant?: keyof typeof variants; size?: keyof typeof sizes }

const buttonLook = ({ variant = 'primary', size = 'lg' }: Look, className: string | undefined) =>
  clsx(
    'inline-flex items-center justify-center rounded-md font-medium whitespace-nowrap transition-colors',
    variants[variant],
    sizes[size],
    className,
  )

/**
 * A link styled as a button that leads to the waitlist, with the role `preselect` chosen. The role is in the address, so that a
 * press counts before this page's script has run.
 */
export const WaitlistLink = ({
  variant,
  size,
  preselect,
  label,
  className,
  children,
}: Look & { preselect?: 'developer' | 'tester'; label?: string; className?: string; children: ReactNode }) => (
  <a
    href={preselect ? `#waitlist-${preselect}` : '#waitlist'}
    aria-label={label}
    className={buttonLook({ variant, size }, className)}
  >
    {children}
  </a>
)

/**
 * Buttons that the specification does not name link to the registration form, with the role chosen. A new campaign starts with the
 * `figures` of the link that was followed.
 */
export const RegisterLink = ({
  variant,
  account,
  figures,
  className,
  children,
}: Look & {
  account: 'developer' | 'tester'
  figures?: ChosenFigures
  className?: string
  children: ReactNode
}) => (
  <a href={registerLink(account, figures)} className={buttonLook({ variant }, className)}>
    {children}
  </a>
)

/** An item in a list of benefits. */
export const Point = ({ children }: { children: ReactNode }) => (
  <li className="flex gap-3">
    <Icon name="check" className="mt-1 size-4 shrink-0 text-link stroke-[2.5]" />
    <span>{children}</span>
  </li>
)
