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
import { whenIdle } from '../idle.ts'
import { withoutReload } from '../newVersion.ts'
import { Alert } from './Alert.tsx'
import { Button } from './Button.tsx'
import { DialogButtons } from './DialogButtons.tsx'
import { DialogFooter } from './DialogFooter.tsx'
import { useInDialog } from './dialogContext.ts'
import { passFocusOn } from './passFocus.ts'
import { usePressLock } from './pressLock.ts'

type ValuesOf<S extends ZodType> = input<S> & FieldValues

type FormSchema = ZodType<FieldValues, FieldValues>

type Schema<S extends FormSchema> = S | (() => Promise<S>)

/** Browsers remember that code could not be loaded, so pressing again does not help. */
const unloaded = 'Network error. Check your connection, then reload the page.'

/** Each field shows the schema's first message for it. */
const resolverOf =
  <S extends FormSchema>(schema: Schema<S>): Resolver<ValuesOf<S>, unknown, output<S>> =>
  async values => {
    const loaded = typeof schema === 'function' ? await schema().catch(withoutReload) : schema
    if (!loaded)
      return { values: {}, errors: { root: { type: 'schema', message: unloaded } } as FieldErrors<ValuesOf<S>> }
    const checked = loaded.safeParse(values)
    if (checked.success) return { values: checked.data, errors: {} }
    const errors: FieldErrors<ValuesOf<S>> = {}
    for (const { path, message } of checked.error.issues.toReversed()) {
      set(errors, path.join('.'), { type: 'schema', message })
    }
    return { values: {}, errors }
  }

/** What all schemas share is run first, and a schema's own modules in a later task: together they take a phone 100 ms. */
const loadAhead = async (load: () => Promise<unknown>) => {
  await import('../../schemas.ts').catch(withoutReload)
  whenIdle(() => void load().catch(withoutReload))
}

/**
 * A form validated by a contract's schema. It uses the contract's field names, so the server's errors match them. To keep a
 * screen light, pass a function that imports the schema. It is loaded once the screen is shown, so that pressing the button
 * without a connection fails like any call and can be repeated.
 */
export const useSchemaForm = <S extends FormSchema>(
  schema: Schema<S>,
  defaultValues: DefaultValues<ValuesOf<S>>,
): UseFormReturn<ValuesOf<S>, unknown, output<S>> => {
  const load = useRef(schema)
  useEffect(() => {
    const { current } = load
    if (typeof current === 'function' && navigator.onLine) whenIdle(() => void loadAhead(current))
  }, [])
  return useForm<ValuesOf<S>, unknown, output<S>>({
    resolver: resolverOf(schema),
    defaultValues,
    mode: 'onSubmit',
    reValidateMode: 'onChange',
    // The form sets the focus itself, because the library goes by the order in which fields appeared.
    shouldFocusError: false,
  })
}

type Props<In extends FieldValues, Out> = {
  form: UseFormReturn<In, unknown, Out>
  onSubmit: (values: Out) => void
  loading: boolean
  /** The last submit's error. An ApiError's `fields` are shown at their fields, or below the form if it has no such field. */
  submitError: unknown
  submitLabel: string
  /** `destructive` for refusing or ending something; `secondary` next to a more important button. */
  submitVariant?: 'primary' | 'secondary' | 'outline' | 'destructive'
  /** Shown if the answer has no message, such as the spec's "Login failed". Without it, `HTTP {status}` is shown. */
  errorFallback?: string
  /** Next to the submit button, such as Cancel or a hint; before it in a dialog. */
  actions?: ReactNode
  /** Makes the button as wide as the form. */
  wide?: boolean
  /** The button keeps the focus, which `disabled` would lose when a save leaves nothing to save. */
  disabled?: boolean
  /** It can no longer be sent: there is no button for it, and Enter does nothing. */
  over?: boolean
  /** For a long dialog whose last child is the form: the buttons stay visible while it scrolls. */
  stays?: boolean
  className?: string
  children: ReactNode
}

/** Whether the form shows this field, or the list it belongs to. */
const hasField = (form: HTMLFormElement | null, name: string) =>
  Array.from(form?.elements ?? []).some(control => {
    const own = control.getAttribute('name')
    return Boolean(own) && (name === own || name.startsWith(`${own}.`))
  })

/** An input that is wrong, or one in a group that is. */
const firstWrong = '[aria-invalid=true]:enabled, [aria-invalid=true] :enabled'

/** Fields, submit error and button. Submits on Enter and focuses the first invalid field. */
export const Form = <In extends FieldValues, Out>({
  form,
  onSubmit,
  loading,
  submitError,
  submitLabel,
  submitVariant = 'primary',
  errorFallback,
  actions,
  wide = false,
  disabled = false,
  over = false,
  stays = false,
  className,
  children,
}: Props<In, Out>) => {
  const element = useRef<HTMLFormElement>(null)
  // A layout effect's cleanup runs while the form is still in the document and has the focus.
  useLayoutEffect(() => () => passFocusOn(element.current), [])
  const refused = useRef(false)
  const { errors } = form.formState
  // Runs once the errors are rendered.
  useEffect(() => {
    if (!refused.current || Object.keys(errors).length === 0) return
    refused.current = false
    element.current?.querySelector<HTMLElement>(firstWrong)?.focus()
  })
  // The form library holds field errors, so the server's are added when they arrive.
  useEffect(() => {
    const fields = submitError instanceof ApiError ? Object.entries(submitError.fields) : []
    const { shown = [], homeless = [] } = Object.groupBy(fields, ([name]) =>
      hasField(element.current, name) ? 'shown' : 'homeless',
    )
    for (const [name, message] of shown) {
      form.setError(name as FieldPath<In>, { type: 'server', message })
    }
    if (shown.length > 0) refused.current = true
    if (homeless.length > 0) {
      form.setError('root.server', {
        type: 'server',
        message: [...new Set(homeless.map(([, message]) => message))].join(' '),
      })
    }
  }, [submitError, form])

  const message = submitError ? messageOf(submitError, errorFallback) : null
  const atField = submitError instanceof ApiError && Object.values(submitError.fields).some(said => said === message)
  const homeless = submitError ? errors.root?.server?.message : null
  const failure = [atField ? null : message, homeless, errors.root?.message].filter(Boolean).join(' ')
  const lock = usePressLock(loading, submitError)
  const Buttons = useInDialog() ? (stays ? DialogFooter : DialogButtons) : null
  const submitButton = !over && (
    <Button
      type="submit"
      variant={submitVariant}
      loading={loading}
      aria-disabled={disabled || loading || undefined}
      className={wide ? 'w-full' : ''}
    >
      {submitLabel}
    </Button>
  )
  return (
    <form
      ref={element}
      noValidate
      onSubmit={event => {
        event.preventDefault()
        if (over || disabled || !lock.take()) return
        const submit = form.handleSubmit(
          values => onSubmit(values),
          () => {
            refused.current = true
            lock.release()
          },
        )
        // Also released if validation itself fails, for example because its code cannot be loaded.
        void submit(event).finally(lock.letGo)
      }}
      className={clsx(stays ? 'flex flex-col gap-5' : 'grid gap-5', className)}
    >
      {children}
      {failure && !loading && <Alert tone="red">{failure}</Alert>}
      {Buttons ? (
        <Buttons>
          {actions}
          {submitButton}
        </Buttons>
      ) : (
        <div className="flex flex-wrap items-center gap-3">
          {submitButton}
          {actions}
        </div>
      )}
    </form>
  )
}
