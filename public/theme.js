// Runs before the first paint, so that a dark page never flashes white, and follows the system from then on.
// src/kit/web/theme.ts changes the choice later.
;(() => {
  const systemDark = matchMedia('(prefers-color-scheme: dark)')
  const paint = () => {
    let choice = 'system'
    try {
      choice = localStorage.getItem('theme') ?? 'system'
    } catch {
      // Storage is blocked: follow the system.
    }
    const dark = choice === 'dark' || (choice !== 'light' && systemDark.matches)
    document.documentElement.dataset.theme = dark ? 'dark' : 'light'
  }
  paint()
  systemDark.addEventListener('change', paint)
})()
