import { clsx } from 'clsx'
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import {
  type DefaultValues,
  type FieldErrors,
  type FieldPath,
  type FieldValues,
  type Resolver,
  type UseFormReturn,
  set,
  useForm,
} from 'react-hook-form'
import type { ZodType, input, output } from 'zod'
import { ApiError, messageOf } from '../apiError.ts'
import { Alert } from './Alert.tsx'
import { Button } from './Button.tsx'
import { passFocusOn } from './focus.ts'
import { usePressLock } from './pressLock.ts'

type ValuesOf<S extends ZodType> = input<S> & FieldValues

type FormSchema = ZodType<FieldValues, FieldValues>

/** Each field gets the first sentence that the schema has for it. */
const resolverOf =
  <S extends FormSchema>(schema: S | (() => Promise<S>)): Resolver<ValuesOf<S>, unknown, output<S>> =>
  async values => {
    const checked = (typeof schema === 'function' ? await schema() : schema).safeParse(values)
    if (checked.success) return { values: checked.data, errors: {} }
    const errors: FieldErrors<ValuesOf<S>> = {}
    for (const { path, message } of checked.error.issues.toReversed()) {
      set(errors, path.join('.'), { type: 'schema', message })
    }
    return { values: {}, errors }
  }

/**
 * A form that a schema of a contract checks; field names are the contract's, so that the server's errors find them.
 * A page that has to be light gives a function that imports the schema: it is loaded when first needed.
 */
export const useSchemaForm = <S extends FormSchema>(
  schema: S | (() => Promise<S>),
  defaultValues: DefaultValues<ValuesOf<S>>,
): UseFormReturn<ValuesOf<S>, unknown, output<S>> =>
  useForm<ValuesOf<S>, unknown, output<S>>({
    resolver: resolverOf(schema),
    defaultValues,
    mode: 'onSubmit',
    reValidateMode: 'onChange',
  })

type Props<In extends FieldValues, Out> = {
  form: UseFormReturn<In, unknown, Out>
  onSubmit: (values: Out) => void
  loading: boolean
  /** What the last submit failed with; the `fields` of an ApiError are shown at their fields, those of others below. */
  submitError: unknown
  submitLabel: string
  /** `destructive` for what refuses or ends something, `secondary` beside a weightier button. */
  submitVariant?: 'primary' | 'secondary' | 'destructive'
  /** Shown when the error has no sentence of its own: the spec's "Login failed". */
  errorFallback?: string
  /** Beside the submit button: Cancel, a hint. */
  actions?: ReactNode
  /** The button as wide as the form. */
  wide?: boolean
  disabled?: boolean
  className?: string
  children: ReactNode
}

/** Whether the form shows this field, or the list that it is an item of. */
const hasField = (form: HTMLFormElement | null, name: string) =>
  Array.from(form?.elements ?? []).some(control => {
    const own = control.getAttribute('name')
    return Boolean(own) && (name === own || name.startsWith(`${own}.`))
  })

/** The one form shell: fields, the error of the submit, the button. Submits on Enter, focuses the first wrong field. */
export const Form = <In extends FieldValues, Out>({
  form,
  onSubmit,
  loading,
  submitError,
  submitLabel,
  submitVariant = 'primary',
  errorFallback = 'That did not work. Please try again.',
  actions,
  wide = false,
  disabled = false,
  className,
  children,
}: Props<In, Out>) => {
  const element = useRef<HTMLFormElement>(null)
  // A layout effect ends while the form still stands and holds the focus.
  useLayoutEffect(() => () => passFocusOn(element.current), [])
  // The form library keeps the errors of fields; the server's have to be put there when they arrive.
  useEffect(() => {
    const fields = submitError instanceof ApiError ? Object.entries(submitError.fields) : []
    const { shown = [], homeless = [] } = Object.groupBy(fields, ([name]) =>
      hasField(element.current, name) ? 'shown' : 'homeless',
    )
    for (const [index, [name, message]] of shown.entries()) {
      form.setError(name as FieldPath<In>, { type: 'server', message }, { shouldFocus: index === 0 })
    }
    if (homeless.length > 0) {
      form.setError('root.server', {
        type: 'server',
        message: [...new Set(homeless.map(([, message]) => message))].join(' '),
      })
    }
  }, [submitError, form])

  const message = submitError ? messageOf(submitError, errorFallback) : null
  const atField = submitError instanceof ApiError && Object.values(submitError.fields).some(said => said === message)
  const homeless = submitError ? form.formState.errors.root?.server?.message : null
  const failure = [atField ? null : message, homeless].filter(Boolean).join(' ')
  const lock = usePressLock(loading)
  const submit = form.handleSubmit(values => onSubmit(values), lock.release)
  return (
    <form
      ref={element}
      noValidate
      onSubmit={event => {
        event.preventDefault()
        // Also when the check itself fails, as when its part of the page cannot be fetched: a form is never left locked.
        if (lock.take()) void submit(event).finally(lock.letGo)
      }}
      className={clsx('grid gap-5', className)}
    >
      {children}
      {failure && !loading && <Alert tone="red">{failure}</Alert>}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          type="submit"
          variant={submitVariant}
          loading={loading}
          disabled={disabled}
          className={wide ? 'w-full' : ''}
        >
          {submitLabel}
        </Button>
        {actions}
      </div>
    </form>
  )
}
