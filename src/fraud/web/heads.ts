/** The headers of the screens, needed even before their code has loaded (src/app/web/shells.tsx). */
export const fraudHead = {
  title: 'Fraud Reports',
  description: 'Monitor and investigate suspicious activities on the platform',
}
