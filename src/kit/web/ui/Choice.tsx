import { clsx } from 'clsx'
import type { ComponentProps, ReactNode } from 'react'

type Toggle = Omit<ComponentProps<'input'>, 'type' | 'value' | 'onChange' | 'checked'> & {
  value: boolean
  onChange: (value: boolean) => void
  label: ReactNode
}

const toggleRow = 'flex items-start gap-3 py-1 select-none has-disabled:opacity-55'

/** An on/off control. */
export const Switch = ({ value, onChange, label, className, ...rest }: Toggle) => (
  <label className={clsx(toggleRow, className)}>
    <input
      type="checkbox"
      role="switch"
      checked={value}
      onChange={({ target }) => onChange(target.checked)}
      className="relative h-5 w-9 shrink-0 appearance-none rounded-full bg-input transition-colors before:absolute before:top-0.5 before:left-0.5 before:size-4 before:rounded-full before:bg-card before:shadow-card before:transition-transform checked:bg-primary checked:before:translate-x-4"
      {...rest}
    />
    <span>{label}</span>
  </label>
)

/** Agreeing to something, or choosing one thing of several. */
export const Checkbox = ({ value, onChange, label, className, ...rest }: Toggle) => (
  <label className={clsx(toggleRow, className)}>
    <input
      type="checkbox"
      checked={value}
      onChange={({ target }) => onChange(target.checked)}
      className="choice-mark mt-0.5 size-4.5"
      {...rest}
    />
    <span className="min-w-0">{label}</span>
  </label>
)

type Card<V extends string> = { value: V; label: ReactNode; hint?: ReactNode; icon?: ReactNode }

/** A choice among a few options, each with a hint. Its Field needs `group`, so that the label names the group. */
export const RadioCards = <V extends string>({
  options,
  value,
  onChange,
  name,
  id,
  className,
  onBlur,
  ...aria
}: {
  options: readonly Card<V>[]
  value: V
  onChange: (value: V) => void
  name: string
  id?: string
  className?: string
  onBlur?: () => void
  'aria-labelledby'?: string
  'aria-describedby'?: string | undefined
  'aria-invalid'?: boolean | undefined
}) => (
  <div role="radiogroup" id={id} className={clsx('grid gap-2', className)} {...aria}>
    {options.map(option => (
      <label
        key={option.value}
        className="flex items-start gap-3 rounded-md border border-input bg-card p-3 shadow-card transition-colors select-none not-has-disabled:hover:bg-muted has-disabled:opacity-55 has-checked:border-ring has-checked:bg-accent has-checked:ring-1 has-checked:ring-ring has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring"
      >
        <input
          type="radio"
          name={name}
          value={option.value}
          checked={option.value === value}
          onChange={() => onChange(option.value)}
          onBlur={onBlur}
          className="choice-mark mt-0.5 size-4.5 focus-visible:outline-none"
        />
        <span className="min-w-0">
          <span className="font-medium">{option.label}</span>
          {option.hint && <span className="block text-muted-foreground">{option.hint}</span>}
        </span>
        {option.icon && <span className="ml-auto text-muted-foreground [&_svg]:size-5">{option.icon}</span>}
      </label>
    ))}
  </div>
)
