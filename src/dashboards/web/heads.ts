/** Headers of the screens, also shown before their code has loaded (src/app/web/shells.tsx). */
export const analyticsHead = { title: 'Analytics', description: 'Platform performance and insights' }
