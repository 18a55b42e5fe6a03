/** The texts of the screen's header, available before its code has loaded (src/app/web/shells.tsx). */
export const operationsHead = {
  title: 'Operations',
  description: 'Whether the books are right, jobs keep up and money arrives.',
}
