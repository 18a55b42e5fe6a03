import { clsx } from 'clsx'
import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { inputLook } from './inputLook.ts'

type Option = { value: string; label: string }

/** A native select, which suits phones, keyboards and screen readers. `onValue` passes only the value. */
export const Select = ({
  options,
  onValue,
  className,
  ...rest
}: ComponentProps<'select'> & { options: readonly Option[]; onValue?: (value: string) => void }) => (
  <div className={clsx('relative', className)}>
    <select
      className={clsx(inputLook, 'h-10 appearance-none pr-9 md:h-9')}
      {...(onValue && { onChange: ({ target }) => onValue(target.value) })}
      {...rest}
    >
      {options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
    <ChevronDown
      aria-hidden
      className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted-foreground"
    />
  </div>
)
