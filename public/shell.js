// Shows what the screen will look like until its scripts have loaded (src/app/web/shells.tsx), by the address and by
// who is signed in: what guards.tsx will decide, a moment earlier.

// An address that is opened anew begins at its top: the router has one key for all entries that a document begins with, and
// the browser keeps the entry of an address that is opened again, so that both would scroll to where an earlier page was left.
// A reload keeps its place.
if (!history.state || performance.getEntriesByType('navigation')[0]?.type === 'navigate') {
  history.scrollRestoration = 'manual'
  history.replaceState({ key: `${Math.random()}` }, '')
}

;(() => {
  const { user, path, matchOf, matchHere, fieldOf, meets, hasRunOut, answers } = window.firstVisit
  const shellOf = () => {
    const isPublic = path === '/login' || path === '/register'
    if (isPublic) return user ? 'dashboard' : path.slice(1)
    // Anybody's, signed in or not.
    if (/^\/(forgot-password|reset-password|verify-email|undo-email-change)$/.test(path)) return path.slice(1)
    if (path === '/dashboard') return user ? 'dashboard' : 'login'
    if (path.startsWith('/dashboard/')) return user ? 'signed-in' : 'login'
    return 'other'
  }
  const name = shellOf()
  // The files of the screen's code, beside the app's own (build/firstCode.ts). Where a guard will send on, those of that screen.
  const askForCode = () => {
    const table = JSON.parse(document.getElementById('first-code')?.textContent ?? '{"screens":{}}')
    const isSignedIn = name === 'dashboard' || name === 'signed-in'
    const shown = !isSignedIn ? `/${name}` : path.startsWith('/dashboard') ? path : '/dashboard'
    const [screen, own = []] = Object.entries(table.screens).find(([address]) => matchOf(address, shown)) ?? []
    // The part that the address names.
    const part = Object.keys(table.screens).find(key => {
      const [address, role] = key.split(' ')
      return address.includes('?') && role === user?.role && matchHere(address)
    })
    const besides = isSignedIn ? [`${screen} ${user.role}`, 'below /dashboard', part] : []
    const numbers = [...own, ...besides.flatMap(key => table.screens[key] ?? [])]
    for (const number of new Set(numbers)) {
      const link = document.createElement('link')
      // What is asked for with a new token comes later, and without HTTP/2 it would wait for all these files.
      const fetchPriority = hasRunOut ? 'low' : 'auto'
      Object.assign(link, { rel: 'modulepreload', crossOrigin: '', fetchPriority, href: `/${table.files[number]}` })
      document.head.append(link)
    }
  }
  // What the first of the platform's formats costs, a worker pays while the code is on its way.
  const makeFormat = () => new Worker('/first-format.js')
  // After the app's own, which are asked for with the first frame (build/scriptsAfterPaint.ts).
  requestAnimationFrame(() =>
    setTimeout(() => {
      askForCode()
      if (user) setTimeout(makeFormat)
    }),
  )
  const root = document.getElementById('root')
  const shell = shellName => document.getElementById(`shell-${shellName}`).content.cloneNode(true)
  root.append(shell(name))
  // Kept once in the document, for all public screens.
  root.querySelector('aside:empty')?.replaceWith(shell('login').querySelector('aside'))
  const screen = [...document.querySelectorAll('template[data-screen]')].find(
    ({ dataset }) => matchOf(dataset.screen, path) && dataset.roles.split(' ').includes(user?.role),
  )
  const content = root.querySelector('[data-content]')
  // As paperWords.ts says it.
  const monthFormat = { month: 'long', year: 'numeric', timeZone: 'UTC' }
  const words = { month: value => new Date(value).toLocaleDateString('en-US', monthFormat) }
  // A copy of a template with what the server says; null if it says nothing of it, as in a refusal (src/kit/web/ui/Said.tsx).
  const filledIn = (template, said) => {
    if (!meets(said, JSON.parse(template.dataset.needs ?? '{}'))) return null
    const copy = template.content.cloneNode(true)
    const places = [...copy.querySelectorAll('[data-field]')]
    for (const place of places) {
      const value = fieldOf(said, place.dataset.field)
      place.textContent = value && place.dataset.as ? words[place.dataset.as](value) : value
    }
    // Links, and the ids by which cards are named.
    for (const attribute of ['href', 'id', 'aria-labelledby']) {
      for (const part of copy.querySelectorAll(`[${attribute}*="%3A"], [${attribute}*=":id"]`)) {
        const named = part
          .getAttribute(attribute)
          .replace(/(?:%3A|:)([\w.]+)/, (_, field) => encodeURIComponent(fieldOf(said, field)))
        part.setAttribute(attribute, named)
      }
    }
    return places.every(({ textContent }) => textContent) ? copy : null
  }
  const isOfOne = Boolean(screen?.dataset.needs || screen?.content.querySelector('[data-field]'))
  if (screen && !isOfOne) content?.replaceChildren(screen.content.cloneNode(true))
  const showOnce = said => {
    // A query in the address may ask for another part of the screen.
    if (location.search) return
    for (const place of content.querySelectorAll('[data-once]')) {
      const copy = filledIn(place.querySelector('template'), said)
      if (copy) place.replaceWith(copy)
    }
  }
  // The header of a screen of one object, or the first of a list, a moment before the screen is drawn.
  const showAnswer = said => {
    const header = isOfOne && filledIn(screen, said)
    if (header) content.replaceChildren(header)
    for (const list of location.search ? [] : content.querySelectorAll('[data-each]')) {
      const cards = said
        .slice(0, Number(list.dataset.each) || 3)
        .map(item => filledIn(list.querySelector('template'), item))
      const unknown = cards.indexOf(null)
      const known = unknown === -1 ? cards : cards.slice(0, unknown)
      if (known.length > 0) list.replaceChildren(...known)
    }
    showOnce(said)
  }
  const read = async copy => (await copy).json()
  const showAnswers = async () => {
    // Once React has drawn, the content is no longer in the document, and filling it in changes nothing.
    if (!isOfOne && !content?.querySelector('[data-each], [data-once]')) return
    const [first, ...others] = (await answers) ?? []
    if (!first) return
    const said = await read(first)
    showAnswer(said)
    // What takes more than one answer.
    if (others.length > 0) showOnce({ ...said, others: await Promise.all(others.map(read)) })
  }
  showAnswers().catch(() => undefined)
  const notice = root.querySelector('[data-unconfirmed]')
  if (notice && user.emailVerifiedAt === null) {
    notice.hidden = false
    notice.querySelector('[data-email]').textContent = user.email
  }
  if (name === 'dashboard') root.querySelector('h1').textContent = `Welcome, ${user.name}`
  // The role that the landing page's button chose.
  if (name === 'register' && new URLSearchParams(location.search).get('role') === 'developer') {
    root.querySelector('[name="role"][value="DEVELOPER"]').checked = true
  }
  // The figures that the landing page's link carries (registerLink.ts). A new campaign starts with them.
  const chosen = new URLSearchParams(location.search)
  if (path === '/register' && chosen.has('testers')) {
    const [testersRequired, payPerTesterCents] = ['testers', 'payCents'].map(figure => Number(chosen.get(figure)))
    try {
      localStorage.setItem('chosenFigures', JSON.stringify({ testersRequired, payPerTesterCents }))
    } catch {
      // The form then starts blank.
    }
  }
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
