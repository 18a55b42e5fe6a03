import { CircleAlert } from 'lucide-react'
import { clsx } from 'clsx'
import { type ReactNode, useId } from 'react'

export type FieldWiring = {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
  'aria-labelledby'?: string
}

export type FieldFrameProps = {
  /** Undefined if the control has its own label (Switch). */
  label?: ReactNode
  hint?: ReactNode
  /** To the right of the label, such as a counter or a link. */
  aside?: ReactNode
  /** The control is a group of inputs (RadioCards). */
  group?: boolean
  className?: string
}

/** Label, control, hint and error, linked for screen readers. For use outside forms; forms use `Field`. */
export const FieldFrame = ({
  label,
  hint,
  aside,
  group = false,
  error,
  className,
  children,
}: FieldFrameProps & { error?: string | undefined; children: (wiring: FieldWiring) => ReactNode }) => {
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
