// Runs before the first paint, so that a dark page never flashes white. src/app/web/theme.ts changes the choice later.
;(() => {
  let choice = 'system'
  try {
    choice = localStorage.getItem('theme') ?? 'system'
  } catch {
    // Storage is blocked: follow the system.
  }
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
})()
