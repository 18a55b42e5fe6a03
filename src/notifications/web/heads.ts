/** What the headers of the screens say, also before their code has loaded (src/app/web/shells.tsx). */
export const notificationsHead = { title: 'Notifications', description: 'We also send these to you by email.' }
