/** The waitlist form without leaving the page: sentences at their fields, about a second of work, a toast (spec §2). */
import { ApiError } from '../../../kit/web/apiError.ts'
import { clientOf } from '../../../kit/web/request.ts'
import type { landingApi } from '../../contract.ts'
import { joinEndpoint } from '../../joinEndpoint.ts'
import { toast } from './toast.ts'

/** One call and not the table of all: the page is light. */
const api = clientOf<Pick<typeof landingApi, 'joinWaitlist'>>({
  joinWaitlist: { ...joinEndpoint, open: true, answers: 'body' },
})

type Control = HTMLInputElement | HTMLSelectElement

/** The contract's sentences, for what the browser can see by itself. */
const sentenceFor = ({ name, validity }: Control): string => {
  if (name === 'country') return validity.valueMissing ? 'Country is required' : ''
  if (validity.valueMissing) return 'Email is required'
  return validity.valid ? '' : 'Enter a valid email address'
}

const workMs = 1000
const pause = () => new Promise(resolve => setTimeout(resolve, workMs))

export const enhanceWaitlistForm = (form: HTMLFormElement): void => {
  const controls = [...form.querySelectorAll<Control>('input[name=email], select')]
  const failure = form.querySelector<HTMLElement>('[data-failure]')!
  const button = form.querySelector('button')!
  let busy = false

  const say = (control: Control, sentence: string) => {
    control.closest('[data-field]')!.querySelector('[data-error]')!.textContent = sentence
    if (sentence) control.setAttribute('aria-invalid', 'true')
    else control.removeAttribute('aria-invalid')
  }
  const focusFirstWrong = () => controls.find(control => control.ariaInvalid === 'true')?.focus()

  const setBusy = (value: boolean) => {
    busy = value
    // Not `disabled`: the focus would be lost.
    button.setAttribute('aria-disabled', String(value))
    button.querySelector<HTMLElement>('[data-busy]')!.hidden = !value
  }

  const tell = (error: unknown) => {
    const fields = error instanceof ApiError ? error.fields : {}
    for (const control of controls) say(control, fields[control.name] ?? '')
    const atFields = controls.some(control => fields[control.name])
    if (!atFields) failure.textContent = sentenceOf(error)
    focusFirstWrong()
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
      tell(error)
    } finally {
      setBusy(false)
    }
  }

  for (const control of controls) {
    // An empty field is not scolded before submitting; a mended one is praised at once.
    control.addEventListener('blur', () => control.value && say(control, sentenceFor(control)))
    control.addEventListener('input', () => control.ariaInvalid && say(control, sentenceFor(control)))
  }
  form.noValidate = true
  form.addEventListener('submit', event => {
    event.preventDefault()
    if (busy) return
    failure.textContent = ''
    for (const control of controls) say(control, sentenceFor(control))
    if (controls.every(control => control.validity.valid)) void send()
    else focusFirstWrong()
  })
}

const sentenceOf = (error: unknown) => {
  if (!(error instanceof ApiError)) return 'That did not work. Try again.'
  return error.status === 0 ? 'Network error. Check your connection and try again.' : error.message
}
