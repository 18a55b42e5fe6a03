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

// Links such as "I Need Testers" preselect the role in the form; one may have been followed already.
const preselect = ({ hash }: { hash: string }) => {
  for (const role of all<HTMLInputElement>('[name=role]')) if (hash === `#waitlist-${role.value}`) role.checked = true
}
for (const link of all<HTMLAnchorElement>('[href^="#waitlist-"]')) link.addEventListener('click', () => preselect(link))
preselect(location)

const menu = document.querySelector<HTMLElement>('#sections')
menu?.addEventListener('click', event => {
  if (event.target instanceof HTMLAnchorElement) menu.hidePopover()
})

const form = document.querySelector<HTMLFormElement>('#waitlist-form')
if (form) enhanceWaitlistForm(form)

const calculator = document.querySelector<HTMLFormElement>('#calculator')
if (calculator) enhanceCalculator(calculator)
