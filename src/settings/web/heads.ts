/** What the headers of the screens say, also before their code has loaded (src/app/web/shells.tsx). */
export const systemSettingsHead = {
  title: 'System Settings',
  description:
    'Changes to the fee and hours apply to new campaigns only; existing campaigns keep their terms. Everything else changes immediately.',
}
