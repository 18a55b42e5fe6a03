import { clsx } from 'clsx'
import { CircleAlert } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import {
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
  type RefCallBack,
  type UseFormReturn,
  useController,
} from 'react-hook-form'
import { afterPress } from '../press.ts'

type Wiring = {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
  'aria-labelledby'?: string
}

type Frame = {
  /** Absent when the control carries its own (Switch). */
  label?: ReactNode
  hint?: ReactNode
  /** To the right of the label: a counter, a link. */
  aside?: ReactNode
  /** The control is a group of several (RadioCards). */
  group?: boolean
  className?: string
}

/** Label, control, hint and error, tied together for screen readers. Without a form; forms use `Field`. */
export const FieldFrame = ({
  label,
  hint,
  aside,
  group = false,
  error,
  className,
  children,
}: Frame & { error?: string | undefined; children: (wiring: Wiring) => ReactNode }) => {
  const id = useId()
  const describedBy = clsx(error && `${id}-error`, hint && `${id}-hint`)
  const Label = group ? 'span' : 'label'
  return (
    <div className={clsx('grid content-start gap-1.5', className)}>
      {(label ?? aside) && (
        <div className="flex items-baseline justify-between gap-3">
          <Label id={`${id}-label`} {...(!group && { htmlFor: id })} className="font-medium">
            {label}
          </Label>
          {aside && <span className="text-xs text-muted-foreground">{aside}</span>}
        </div>
      )}
      {children({
        id,
        'aria-describedby': describedBy || undefined,
        'aria-invalid': error ? true : undefined,
        ...(group && { 'aria-labelledby': `${id}-label` }),
      })}
      {error && (
        <p id={`${id}-error`} className="flex items-start gap-1.5 text-destructive">
          <CircleAlert aria-hidden className="mt-[0.2em] size-3.5 shrink-0" />
          {error}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="text-muted-foreground">
          {hint}
        </p>
      )}
    </div>
  )
}

export type FieldControl<V> = Wiring & {
  name: string
  value: V
  onChange: (value: unknown) => void
  onBlur: () => void
  ref: RefCallBack
}

/**
 * A field of a form: `<Field of={form} name="email" label="Email">{control => <Input {...control} />}</Field>`.
 * What was filled in is checked on leaving it; an empty field is not scolded before submitting. A field that one leaves
 * by a click is checked after the click: its error would move the button away from under the pointer.
 */
export const Field = <In extends FieldValues, Out, const Name extends FieldPath<In>>({
  of: form,
  name,
  children,
  ...frame
}: Frame & {
  of: UseFormReturn<In, unknown, Out>
  name: Name
  children: (control: FieldControl<FieldPathValue<In, Name>>) => ReactNode
}) => {
  const { field, fieldState } = useController({ control: form.control, name })
  return (
    <FieldFrame error={fieldState.error?.message} {...frame}>
      {wiring =>
        children({
          ...wiring,
          name: field.name,
          value: field.value,
          ref: field.ref,
          onChange: value => {
            field.onChange(value)
            if (fieldState.error) void form.trigger(name)
          },
          onBlur: () => {
            field.onBlur()
            if (fieldState.isDirty) void afterPress(() => form.trigger(name))
          },
        })
      }
    </FieldFrame>
  )
}
