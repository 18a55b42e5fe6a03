/** The headers of the screens, needed even before their code has loaded (src/app/web/shells.tsx). */
export const settingsHead = { title: 'Settings', description: 'Your profile, how you sign in, and your data' }
