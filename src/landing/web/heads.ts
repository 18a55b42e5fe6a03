/** What the headers of the screens say, also before their code has loaded (src/app/web/shells.tsx). */
export const waitlistHead = { title: 'Waitlist', description: 'Sign-ups from the landing page, newest first.' }
