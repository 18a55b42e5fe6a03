/** Navigation shortcuts by role. A single key never acts while typing, and can be switched off (WCAG 2.1.4). */
import type { Role } from '../../../kit/roles.ts'
import { paths } from '../../../kit/paths.ts'
import { navigation } from './navigation.ts'

/** The key after `g`, by address; side bar entries without a key are not listed. */
const goKeys: Partial<Record<string, string>> = {
  [paths.dashboard]: 'd',
  [paths.campaigns]: 'c',
  [paths.myTests]: 't',
  [paths.balance]: 'b',
  [paths.payments]: 'p',
  [paths.analytics]: 'a',
  [paths.campaignsPending]: 'q',
  [paths.users]: 'u',
  [paths.fraud]: 'f',
  [paths.settings]: 's',
  [paths.notifications]: 'n',
  [paths.auditLog]: 'l',
}

export type Destination = { label: string; to: string; goKey: string | null }

const beside: Record<Role, { label: string; to: string }[]> = {
  DEVELOPER: [],
  TESTER: [],
  ADMIN: [{ label: 'Security Report', to: paths.security }],
}

const ofEverybody = [
  { label: 'Notifications', to: paths.notifications },
  { label: 'Settings', to: paths.settings },
]

/** Every screen of a role; the create form is an action and is listed separately. */
export const destinations = (role: Role): Destination[] =>
  [...navigation[role], ...beside[role], ...ofEverybody]
    .filter(({ to }) => to !== paths.campaignCreate)
    .map(({ label, to }) => ({ label, to, goKey: goKeys[to] ?? null }))

export const isMac = () => /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Letters belong to text fields, and to open menus and dialogs. */
export const isBusy = (target: EventTarget | null): boolean =>
  (target instanceof Element && target.closest('input, textarea, select, [contenteditable="true"]') !== null) ||
  isWindowOpen()

/** Popovers with the role `dialog` (the bell's panel) close like menus. */
export const isDialogOpen = (): boolean => document.querySelector('[role="dialog"]:not([popover])') !== null

const isMenuOpen = () => document.querySelector('[role="menu"], [popover]:popover-open') !== null

const isWindowOpen = (): boolean => isDialogOpen() || isMenuOpen()

/** Closes open menus and popovers as Escape does, and continues once they have returned the focus. */
export const closeMenus = (next: () => void): void => {
  if (!isMenuOpen()) return next()
  for (const popover of document.querySelectorAll<HTMLElement>('[popover]:popover-open')) popover.hidePopover()
  document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
  // A closing menu returns the focus in a separate task.
  setTimeout(() => setTimeout(next))
}
