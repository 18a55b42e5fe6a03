/** What the header of the screen says, also before its code has loaded (src/app/web/shells.tsx). */
export const operationsHead = {
  title: 'Operations',
  description: 'Whether the books are right, the jobs keep up, and money arrives.',
}
