/** Submits the waitlist form without leaving the page: field errors, about a second of loading, a toast (spec §2). */
import { ApiError } from '../../../kit/web/apiError.ts'
import { clientOf } from '../../../kit/web/request.ts'
import type { landingApi } from '../../contract.ts'
import { joinEndpoint } from '../../joinEndpoint.ts'
import { toast } from './toast.ts'

/** A client of this one call keeps the page small. */
const api = clientOf<Pick<typeof landingApi, 'joinWaitlist'>>({
  joinWaitlist: { ...joinEndpoint, open: true },
})

type Control = HTMLInputElement | HTMLSelectElement

/** The contract's messages, for what the browser can validate. */
const validationMessage = ({ name, validity }: Control): string => {
  if (name === 'country') return validity.valueMissing ? 'Country is required' : ''
  if (validity.valueMissing) return 'Email is required'
  return validity.valid ? '' : 'Enter a valid email address'
}

const minLoadingMs = 1000
const pause = () => new Promise(resolve => setTimeout(resolve, minLoadingMs))

export const enhanceWaitlistForm = (form: HTMLFormElement): void => {
  const controls = [...form.querySelectorAll<Control>('input[name=email], select')]
  const failure = form.querySelector<HTMLElement>('[data-failure]')!
  const button = form.querySelector('button')!
  let busy = false

  const showError = (control: Control, message: string) => {
    control.closest('[data-field]')!.querySelector('[data-error]')!.textContent = message
    if (message) control.setAttribute('aria-invalid', 'true')
    else control.removeAttribute('aria-invalid')
  }
  const focusFirstInvalid = () => controls.find(control => control.ariaInvalid === 'true')?.focus()

  const setBusy = (value: boolean) => {
    busy = value
    // `disabled` would lose the focus.
    button.setAttribute('aria-disabled', String(value))
    button.querySelector<HTMLElement>('[data-busy]')!.hidden = !value
  }

  const showFailure = (error: unknown) => {
    const fields = error instanceof ApiError ? error.fields : {}
    for (const control of controls) showError(control, fields[control.name] ?? '')
    const hasFieldError = controls.some(control => fields[control.name])
    if (!hasFieldError) failure.textContent = failureMessage(error)
    focusFirstInvalid()
  }

  const send = async () => {
    const { email, country, role } = Object.fromEntries(new FormData(form)) as Record<string, string>
    const body = {
      email: email!,
      country: country!,
      role: role === 'tester' ? ('tester' as const) : ('developer' as const),
    }
    setBusy(true)
    try {
      await Promise.all([api.joinWaitlist({ body }), pause()])
      form.reset()
      toast('Welcome to Fieldtest', 'We will be in touch soon.')
    } catch (error) {
      showFailure(error)
    } finally {
      setBusy(false)
    }
  }

  for (const control of controls) {
    // Empty fields are validated on submit only; a corrected field clears its error immediately.
    control.addEventListener('blur', () => control.value && showError(control, validationMessage(control)))
    control.addEventListener('input', () => control.ariaInvalid && showError(control, validationMessage(control)))
  }
  form.noValidate = true
  form.addEventListener('submit', event => {
    event.preventDefault()
    if (busy) return
    failure.textContent = ''
    for (const control of controls) showError(control, validationMessage(control))
    if (controls.every(control => control.validity.valid)) void send()
    else focusFirstInvalid()
  })
}

const failureMessage = (error: unknown) => {
  if (!(error instanceof ApiError)) return 'Something went wrong. Try again.'
  return error.status === 0 ? 'Network error. Check your connection and try again.' : error.message
}
