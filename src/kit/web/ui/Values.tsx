import { clsx } from 'clsx'
import { Check, Copy } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Instant } from '../../clock.ts'
import { type Cents, formatCents } from '../../money.ts'
import { useNow } from '../now.ts'
import { Button } from './Button.tsx'
import { dateOnly, exact, relativeWords } from './relativeWords.ts'
import { notify } from './toast.tsx'

/** An amount, "$1,234.56" or "−$1.00", in tabular figures. `sign` adds a plus for incoming or a minus for outgoing money. */
export const Money = ({ cents, sign, className }: { cents: Cents; sign?: '+' | '−'; className?: string }) => (
  <span
    // $100,000.00 and more, for which a StatCard on a phone has no room.
    data-long={Math.abs(cents) >= 1e7 || undefined}
    className={clsx('whitespace-nowrap tabular-nums', className)}
  >
    {sign ?? (cents < 0 && '−')}
    {formatCents(Math.abs(cents))}
  </span>
)

/** "3 hours ago", "in 2 days"; on hover, the exact time in the reader's time zone. */
export const RelativeTime = ({ at }: { at: Instant }) => (
  <time dateTime={at} data-tip={exact(at)} className="whitespace-nowrap">
    {relativeWords(useNow(), at)}
  </time>
)

/** "Nov 21, 2026", with the time of day if `withTime`, in the reader's time zone. */
export const DateTime = ({ at, withTime = false }: { at: Instant; withTime?: boolean }) => (
  <time dateTime={at} data-tip={exact(at)} className="whitespace-nowrap">
    {(withTime ? exact : dateOnly)(at)}
  </time>
)

/** Progress from 0 to 100. */
export const Progress = ({ percent, label, className }: { percent: number; label: string; className?: string }) => (
  <progress
    aria-label={label}
    value={percent}
    max={100}
    className={clsx(
      'block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-secondary',
      '[&::-moz-progress-bar]:bg-primary [&::-webkit-progress-bar]:bg-transparent [&::-webkit-progress-value]:rounded-full [&::-webkit-progress-value]:bg-primary',
      className,
    )}
  />
)

export const CopyButton = ({ text, label = 'Copy' }: { text: string; label?: ReactNode }) => {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
      // Not once the focus has left: Safari gives it to no button that is pressed.
      setTimeout(setCopied, 2_000, false)
    } catch {
      notify.error('Your browser blocked copying. Select the text and copy it manually.')
    }
  }
  return (
    <>
      <Button variant="ghost" size="sm" onClick={() => void copy()}>
        {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
        <span>{copied ? 'Copied' : label}</span>
      </Button>
      {/* Not in the button: its content is only its name, and with `aria-live` in it an open dialog would not hide it. */}
      <span role="status" className="sr-only">
        {copied && 'Copied'}
      </span>
    </>
  )
}

export const initialsOf = (name: string) => {
  const words = name.trim().split(/\s+/)
  const letters = [words[0], words.length > 1 ? words.at(-1) : ''].map(word => Array.from(word ?? '')[0] ?? '')
  return letters.join('').toUpperCase()
}

/** Initials in a circle; show the name next to it. */
export const Avatar = ({ name, className }: { name: string; className?: string }) => (
  <span
    aria-hidden
    className={clsx(
      'grid size-8 shrink-0 place-items-center rounded-full bg-violet-tone text-xs font-semibold text-violet-tone-foreground',
      className,
    )}
  >
    {initialsOf(name)}
  </span>
)
