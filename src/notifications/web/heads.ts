/** What the headers of the screens say, also before their code has loaded (src/app/web/shells.tsx). */
export const notificationsHead = { title: 'Notifications', description: 'What happened, by campaign' }

export const choicesHead = {
  title: 'Notification settings',
  description: 'Choose how we notify you of each kind of event.',
}
