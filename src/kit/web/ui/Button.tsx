import { clsx } from 'clsx'
import { type ComponentProps, type MouseEvent, use } from 'react'
import { Link } from 'react-router'
import { About } from './about.ts'
import { passFocusOnLeave } from './passFocus.ts'
import { usePressLock } from './pressLock.ts'
import { Spinner } from './Spinner.tsx'

const shape =
  'relative inline-flex shrink-0 items-center justify-center gap-2 rounded-md font-medium whitespace-nowrap transition-colors select-none off:cursor-not-allowed off:opacity-55 [&_svg]:size-4 [&_svg]:shrink-0'

const variants = {
  primary: 'bg-primary text-primary-foreground shadow-card not-off:hover:bg-primary-hover',
  secondary: 'bg-secondary text-secondary-foreground not-off:hover:bg-border',
  outline: 'border border-input bg-card shadow-card not-off:hover:bg-muted',
  ghost: 'not-off:hover:bg-muted',
  destructive: 'bg-destructive text-destructive-foreground shadow-card not-off:hover:bg-destructive-hover',
  link: 'text-link underline-offset-4 hover:underline',
}

const sizes = {
  md: 'h-10 px-4 text-sm md:h-9',
  sm: 'h-9 px-3 text-sm md:h-8',
  lg: 'h-11 px-5 text-base',
  icon: 'size-10 md:size-9',
}

type Look = { variant?: keyof typeof variants; size?: keyof typeof sizes }

/** A link button is inline in the text around it, so it has no height or padding. */
const look = ({ variant = 'primary', size = 'md' }: Look, className: string | undefined) =>
  clsx(shape, variants[variant], variant !== 'link' && sizes[size], className)

/**
 * While `loading` it shows a spinner, ignores clicks, and keeps its width and the focus, which `disabled` would lose. A button that
 * its own action removes passes the focus on.
 */
export const Button = ({
  variant,
  size,
  loading,
  disabled,
  type = 'button',
  className,
  onClick,
  children,
  ref = passFocusOnLeave,
  ...rest
}: ComponentProps<'button'> & Look & { loading?: boolean }) => {
  const about = use(About)
  const lock = usePressLock(loading === true)
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    // Without `loading`, repeated presses are fine, and a form has its own lock.
    if (loading === undefined || type === 'submit') return loading ? event.preventDefault() : onClick?.(event)
    if (!lock.take()) return event.preventDefault()
    onClick?.(event)
    lock.letGo()
  }
  return (
    <button
      ref={ref}
      type={type}
      disabled={disabled}
      aria-disabled={loading || undefined}
      aria-busy={loading || undefined}
      aria-describedby={about ?? undefined}
      onClick={press}
      className={look({ variant, size }, className)}
      data-tip={size === 'icon' ? rest['aria-label'] : undefined}
      {...rest}
    >
      {loading && <Spinner className="absolute" />}
      {loading ? <span className="inline-flex items-center gap-2 opacity-0">{children}</span> : children}
    </button>
  )
}

/** An in-app link that looks like a button. */
export const ButtonLink = ({ variant, size, className, ...rest }: ComponentProps<typeof Link> & Look) => (
  <Link aria-describedby={use(About) ?? undefined} className={look({ variant, size }, className)} {...rest} />
)
