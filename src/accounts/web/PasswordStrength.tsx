import { clsx } from 'clsx'
import { strengthOf, strengths } from './passwordStrength.ts'

const colors = ['bg-input', 'bg-destructive', 'bg-highlight', 'bg-ring', 'bg-ring'] as const

/** Four bars and a word, updated while typing. */
export const PasswordStrength = ({ password, weak = false }: { password: string; weak?: boolean }) => {
  const rough = strengthOf(password)
  const strength = weak && rough > 1 ? 1 : rough
  return (
    <span className="mt-0.5 flex items-center gap-3">
      <span aria-hidden className="flex flex-1 gap-1">
        {[1, 2, 3, 4].map(bar => (
          <span
            key={bar}
            className={clsx(
              'h-1 flex-1 rounded-full transition-colors',
              bar <= strength ? colors[strength] : 'bg-secondary',
            )}
          />
        ))}
      </span>
      <span aria-live="polite" className="w-32 text-right text-xs">
        {password === '' ? 'At least 6 characters' : <>Strength: {strengths[strength]}</>}
      </span>
    </span>
  )
}
