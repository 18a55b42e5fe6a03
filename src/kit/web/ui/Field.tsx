import type { ReactNode } from 'react'
import {
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
  type UseFormReturn,
  useController,
} from 'react-hook-form'
import { afterPress } from '../press.ts'
import { FieldFrame, type FieldFrameProps, type FieldWiring } from './FieldFrame.tsx'

export type FieldControl<V> = FieldWiring & {
  name: string
  value: V
  onChange: (value: unknown) => void
  onBlur: () => void
}

/**
 * A field of a form: `<Field of={form} name="email" label="Email">{control => <Input {...control} />}</Field>`. A field that was
 * changed is validated on blur, an untouched one only on submit. If a click causes the blur, validation waits for it, because the
 * error would move the button away from under the pointer.
 */
export const Field = <In extends FieldValues, Out, const Name extends FieldPath<In>>({
  of: form,
  name,
  children,
  ...frame
}: FieldFrameProps & {
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
