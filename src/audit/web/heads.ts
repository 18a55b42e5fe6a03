/** Headers of the screens, also shown before their code has loaded (src/app/web/shells.tsx). */
export const auditLogHead = {
  title: 'Audit Logs',
  description:
    'Every admin action and every export of tester addresses, newest first. Entries cannot be changed or deleted.',
}
