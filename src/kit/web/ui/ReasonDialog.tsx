import type { ReactNode } from 'react'
import type { FieldPath, FieldValues } from 'react-hook-form'
import { Field } from './Field.tsx'
import { FormDialog, type FormDialogProps } from './FormDialog.tsx'
import { Textarea } from './Input.tsx'
import { Length } from './Length.tsx'

type Props<In extends FieldValues, Out> = FormDialogProps<In, Out> & {
  /** The field for the text. */
  name: FieldPath<In>
  label?: string
  hint?: ReactNode
  rows?: number
  /** Shows a counter with the minimum number of characters. */
  minLength?: number
}

/** Asks for a reason or a note in free text before an action on somebody else's work. `children` appear above the text. */
export const ReasonDialog = <In extends FieldValues, Out>({
  name,
  label = 'Reason',
  hint,
  rows = 5,
  minLength,
  children,
  ...dialog
}: Props<In, Out>) => (
  <FormDialog {...dialog}>
    {children}
    <Field
      of={dialog.form}
      name={name}
      label={label}
      hint={hint}
      aside={minLength && <Length text={dialog.form.watch(name)} minLength={minLength} />}
    >
      {control => <Textarea rows={rows} {...control} />}
    </Field>
  </FormDialog>
)
