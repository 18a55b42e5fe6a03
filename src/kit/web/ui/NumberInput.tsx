/** Number fields, in a separate file because no public screen has any, and they load the code that parses money. */
import { clsx } from 'clsx'
import { type ComponentProps, useState } from 'react'
import { type BasisPoints, type Cents, centsToInput, formatRate, parseDollars, parsePercent } from '../../money.ts'
import { Input } from './Input.tsx'

type NumberControl = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type'> & {
  value: number | undefined
  /** NaN while the text is not a number, for the schema to report. */
  onChange: (value: number) => void
}

/** Keeps the typed text ("1.", "") while the form has a number. */
const useNumberText = (value: number | undefined, show: (value: number) => string, read: (text: string) => number) => {
  const [typed, setTyped] = useState<string | null>(null)
  const shown = value === undefined || Number.isNaN(value) ? '' : show(value)
  // The typed text stays as long as it means the form's value; a reset from outside wins.
  const text = typed !== null && Object.is(read(typed), value ?? Number.NaN) ? typed : shown
  return { text, setTyped }
}

/** Reads "1.5" as it is, so that the schema can ask for a whole number. */
const readNumber = (text: string) => (/^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN)

/** A whole number. */
export const NumberInput = ({ value, onChange, className, onBlur, ...rest }: NumberControl) => {
  const { text, setTyped } = useNumberText(value, String, readNumber)
  return (
    <Input
      inputMode="numeric"
      autoComplete="off"
      className={clsx('tabular-nums', className)}
      value={text}
      onChange={({ target }) => {
        setTyped(target.value)
        onChange(readNumber(target.value))
      }}
      onBlur={onBlur}
      {...rest}
    />
  )
}

const readDollars = (text: string): Cents => parseDollars(text) ?? Number.NaN

/** Dollars in the field, cents in the form: "10.5" is 1050, and becomes "10.50" on blur. */
export const MoneyInput = ({ value, onChange, onBlur, className, ...rest }: NumberControl) => {
  const { text, setTyped } = useNumberText(value, centsToInput, readDollars)
  return (
    <div className="relative">
      <span
        aria-hidden
        className="pointer-events-none absolute inset-y-0 left-3 flex items-center text-muted-foreground"
      >
        $
      </span>
      <Input
        inputMode="decimal"
        autoComplete="off"
        className={clsx('pl-7 tabular-nums', className)}
        value={text}
        onChange={({ target }) => {
          setTyped(target.value)
          onChange(readDollars(target.value))
        }}
        onBlur={event => {
          if (parseDollars(text) !== null) setTyped(null)
          onBlur?.(event)
        }}
        {...rest}
      />
    </div>
  )
}

const readPercent = (text: string): BasisPoints => parsePercent(text) ?? Number.NaN
const showPercent = (rate: BasisPoints) => formatRate(rate).replace('%', '')

/** Percent in the field, basis points in the form: "12.5" is 1250. */
export const PercentInput = ({ value, onChange, className, ...rest }: NumberControl) => {
  const { text, setTyped } = useNumberText(value, showPercent, readPercent)
  return (
    <div className="relative">
      <Input
        inputMode="decimal"
        autoComplete="off"
        className={clsx('pr-8 tabular-nums', className)}
        value={text}
        onChange={({ target }) => {
          setTyped(target.value)
          onChange(readPercent(target.value))
        }}
        {...rest}
      />
      <span
        aria-hidden
        className="pointer-events-none absolute inset-y-0 right-3 flex items-center text-muted-foreground"
      >
        %
      </span>
    </div>
  )
}
