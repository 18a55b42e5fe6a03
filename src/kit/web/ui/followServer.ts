import { useEffect, useEffectEvent } from 'react'
import type { DefaultValues, FieldPath, FieldValues, PathValue, UseFormReturn } from 'react-hook-form'

const isSame = (one: unknown, other: unknown) => Object.is(one, other) || JSON.stringify(one) === JSON.stringify(other)

/**
 * For a form about something that others change too: fields that are as they were loaded follow the server, and typed values
 * stay, as changes to what the server says now.
 */
export const useFollowServer = <In extends FieldValues, Out>(
  form: UseFormReturn<In, unknown, Out>,
  values: DefaultValues<In>,
): void => {
  const { defaultValues } = form.formState
  const follow = useEffectEvent(() => {
    if (isSame(values, defaultValues)) return
    for (const [name, value] of Object.entries(values)) {
      const field = name as FieldPath<In>
      if (isSame(form.getValues(field), defaultValues?.[name]))
        form.setValue(field, value as PathValue<In, FieldPath<In>>)
    }
    form.reset(values as In, {
      keepValues: true,
      keepFieldsRef: true,
      keepErrors: true,
      keepTouched: true,
      keepIsSubmitted: true,
      keepSubmitCount: true,
    })
  })
  const said = JSON.stringify(values)
  useEffect(() => follow(), [said])
}
