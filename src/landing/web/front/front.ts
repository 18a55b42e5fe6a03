/** Enhancements of the landing page, which also works without JavaScript. */
import { enhanceCalculator } from './calculator.ts'
import { enhanceWaitlistForm } from './waitlistForm.ts'

const all = <T extends Element>(selector: string) => document.querySelectorAll<T>(selector)

/** Reads what src/kit/web/session.ts stores, without loading it. */
const isSignedIn = () => {
  try {
    return localStorage.getItem('accessToken') !== null
  } catch {
    return false
  }
}

if (isSignedIn()) for (const element of all<HTMLElement>('[data-signed-in]')) element.hidden = false

// Links such as "I Need Testers" preselect the role in the form.
for (const link of all<HTMLElement>('[data-preselect]')) {
  link.addEventListener('click', () => {
    const role = document.querySelector<HTMLInputElement>(`[name=role][value=${link.dataset.preselect}]`)
    if (role) role.checked = true
  })
}

const menu = document.querySelector<HTMLElement>('#sections')
menu?.addEventListener('click', event => {
  if (event.target instanceof HTMLAnchorElement) menu.hidePopover()
})

const form = document.querySelector<HTMLFormElement>('#waitlist-form')
if (form) enhanceWaitlistForm(form)

const calculator = document.querySelector<HTMLFormElement>('#calculator')
if (calculator) enhanceCalculator(calculator)
