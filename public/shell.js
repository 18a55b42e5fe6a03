// Shows what the screen will look like until its scripts have loaded (src/app/web/shells.tsx), by the address and by
// who is signed in: what guards.tsx will decide, a moment earlier.
;(() => {
  let user = null
  try {
    if (localStorage.getItem('accessToken')) user = JSON.parse(localStorage.getItem('user'))
  } catch {
    // Storage is blocked, or what is stored cannot be read: nobody.
  }
  const path = location.pathname.replace(/\/+$/, '')
  const shellOf = () => {
    const isPublic = path === '/login' || path === '/register'
    if (isPublic) return user ? 'dashboard' : path.slice(1)
    if (path === '/dashboard') return user ? 'dashboard' : 'login'
    if (path.startsWith('/dashboard/')) return user ? 'signed-in' : 'login'
    return 'other'
  }
  const name = shellOf()
  const root = document.getElementById('root')
  root.append(document.getElementById(`shell-${name}`).content.cloneNode(true))
  if (name === 'dashboard') root.querySelector('h1').textContent = `Welcome, ${user.name}`
  // Pressed before the app runs, "Create account" is a plain link: it carries the requested page along.
  const isDashboard = /^\/dashboard(\/|$)/.test(path)
  const from = isDashboard
    ? location.pathname + location.search + location.hash
    : new URLSearchParams(location.search).get('from')
  if (!user && from) {
    for (const link of root.querySelectorAll('a[href="/login"], a[href="/register"]')) {
      link.search = new URLSearchParams({ from })
    }
  }
})()
