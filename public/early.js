// Who is signed in, and what the first screen asks the server for: sent before the app's code has come (src/kit/web/early.ts takes
// the answers). shell.js draws with what is kept here.
;(() => {
  let user = null
  let token = null
  let hasRunOut = false
  try {
    token = localStorage.getItem('accessToken')
    if (token) user = JSON.parse(localStorage.getItem('user'))
    const facts = token?.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')
    hasRunOut = Boolean(user) && JSON.parse(atob(facts)).exp <= new Date().getTime() / 1000
  } catch {
    // Storage is blocked, or what is stored cannot be read: nobody.
  }
  const path = location.pathname.replace(/\/+$/, '')
  // `address` is a path, with `:id` for any one, and maybe with a part of the screen: `?tab=bugs`.
  const matchOf = (address, shown) =>
    new RegExp(`^${address.replace(':id', '([\\w-]+)').replace('?', '\\?')}$`).exec(shown)
  // A part is meant if the address names it and nothing else.
  const matchHere = address => matchOf(address, path + location.search) ?? matchOf(address, path)
  const fieldOf = (said, field) => field.split('.').reduce((value, key) => value?.[key], said) ?? ''
  // src/kit/web/ui/Said.tsx says what needs are.
  const meets = (said, needs) => Object.entries(needs).every(([field, values]) => values.includes(fieldOf(said, field)))
  // As src/kit/web/refresh.ts does it: the app repeats the same attempt if its answer is lost.
  const replaceToken = async () => {
    // Another tab was faster.
    if (localStorage.getItem('accessToken') !== token) return
    const refreshToken = localStorage.getItem('refreshToken')
    const attempt = localStorage.getItem('refreshAttempt') || crypto.randomUUID()
    localStorage.setItem('refreshAttempt', attempt)
    const response = await fetch('/api/v1/auth/refresh', {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify({ refreshToken, attempt }),
    })
    // A refusal is the app's to explain: it will be refused in turn.
    const tokens = response.ok && (await response.json())
    if (!tokens || localStorage.getItem('refreshToken') !== refreshToken) return
    localStorage.setItem('refreshToken', tokens.refreshToken)
    localStorage.setItem('accessToken', tokens.accessToken)
    localStorage.removeItem('refreshAttempt')
  }
  // One tab at a time, until the others can read what was stored.
  const replacedAlone = () =>
    new Promise((resolve, reject) => {
      const held = navigator.locks.request('fieldtest-refresh', async () => {
        await replaceToken().then(resolve, reject)
        await new Promise(spread => setTimeout(spread, 250))
      })
      held.catch(reject)
    })
  // What the screen asks the server for first is sent now, beside its code (src/kit/web/early.ts takes the answers), with a new
  // token if the one from the last visit has run out. Gives copies of the screen's answers; it is about the first of them.
  const askEarly = async () => {
    const table = JSON.parse(document.getElementById('first-requests').textContent)
    const [screen, { filtered, byRole, next }] = Object.entries(table).find(([address]) => matchHere(address)) ?? [
      '',
      {},
    ]
    // A filter in the address asks for something else.
    if (!screen || (filtered && location.search)) return []
    const owner = localStorage.getItem('user')
    if (hasRunOut) await replacedAlone()
    const fresh = localStorage.getItem('accessToken')
    // Refused, or somebody else has signed in meanwhile, in another tab; or the app was faster, with that tab's token.
    if (hasRunOut && (fresh === token || localStorage.getItem('user') !== owner || window.askedWith === fresh))
      return []
    // As src/kit/web/position.ts has kept it.
    const position = (localStorage.getItem('position') ?? '').split(' ')[0] || '0'.repeat(16)
    const headers = { accept: 'application/json', authorization: `Bearer ${fresh}`, 'fieldtest-position': position }
    const [, id] = matchHere(screen)
    const ask = address => {
      const full = address.replace(':id', id)
      const response = fetch(full, { headers })
      response.catch(() => undefined)
      return [full, { token: fresh, response }]
    }
    const requests = (byRole[user.role] ?? []).map(ask)
    window.earlyRequests = new Map(requests)
    // The frame's own is the first. Copied before anybody reads it. A refusal says nothing of the screen, and who has signed out
    // meanwhile, in another tab, is shown nothing more.
    const copyOf = answer =>
      answer.ok && localStorage.getItem('user') === owner ? answer.clone() : Promise.reject(answer)
    const copies = requests.slice(1).map(([, { response }]) => response.then(copyOf))
    for (const copy of copies) copy.catch(() => undefined)
    const askNext = async () => {
      const said = await (await copies[0]).clone().json()
      // Once the app has read the first answer, it asks for these itself.
      if (!window.earlyRequests.has(requests[1][0])) return
      for (const { needs, address } of next[user.role]) {
        const named = address.replace(/:(\w+\.\w+)/, (_, field) => encodeURIComponent(fieldOf(said, field)))
        if (meets(said, needs)) window.earlyRequests.set(...ask(named))
      }
    }
    // With more in the address, another part may be shown.
    if (next?.[user.role] && matchOf(screen, path + location.search)) askNext().catch(() => undefined)
    return copies
  }
  const answers = user && askEarly()
  answers?.catch(() => undefined)
  window.firstVisit = { user, path, matchOf, matchHere, fieldOf, meets, hasRunOut, answers }
})()
