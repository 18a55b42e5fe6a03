/** Headers of the screens, also shown before their code has loaded (src/app/web/shells.tsx). */
export const usersHead = { title: 'Users', description: 'Manage platform users and their accounts' }
export const securityHead = {
  title: 'Security Report',
  description: 'Failed sign-ins, locked accounts, and active sessions',
}
