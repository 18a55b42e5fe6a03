/** The texts of the screens' headers, available before the screens' code has loaded (src/app/web/shells.tsx). */
export const waitlistHead = { title: 'Waitlist', description: 'Sign-ups from the landing page, newest first.' }
