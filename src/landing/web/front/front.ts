/** What the landing page does beyond links: the form's niceties, and small comforts. It reads and scrolls without. */
import { enhanceWaitlistForm } from './waitlistForm.ts'

const all = <T extends Element>(selector: string) => document.querySelectorAll<T>(selector)

/** The session's own mark (src/kit/web/session.ts), looked at without loading it. */
const isSignedIn = () => {
  try {
    return localStorage.getItem('accessToken') !== null
  } catch {
    return false
  }
}

if (isSignedIn()) for (const element of all<HTMLElement>('[data-signed-in]')) element.hidden = false

// "I Need Testers" and "Start Earning" choose the role on the way to the form.
for (const link of all<HTMLElement>('[data-wish]')) {
  link.addEventListener('click', () => {
    const role = document.querySelector<HTMLInputElement>(`[name=role][value=${link.dataset.wish}]`)
    if (role) role.checked = true
  })
}

const menu = document.querySelector<HTMLElement>('#sections')
menu?.addEventListener('click', event => {
  if (event.target instanceof HTMLAnchorElement) menu.hidePopover()
})

const form = document.querySelector<HTMLFormElement>('#waitlist-form')
if (form) enhanceWaitlistForm(form)
