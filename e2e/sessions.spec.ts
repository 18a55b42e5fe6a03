/** Sessions under bad conditions: an expired token, other tabs, other devices, a server that does not respond. */
import { call, draftCampaign, newPerson, passHours, signInByCall, theAdmin } from './support/api.ts'
import { holdScripts } from './support/heldScripts.ts'
import { expectLoaded } from './support/loaded.ts'
import { expect, type Page, test } from './support/test.ts'

const expired = /status of 401/

const logOut = async (page: Page) => {
  await page.getByRole('button', { name: /user menu/i }).click()
  await page.getByRole('button', { name: 'Log out' }).click()
}

/** The document shows the label before the balance has come. */
const showsBalance = async (page: Page) => {
  await expect(page.getByText('Available balance')).toBeVisible()
  await expectLoaded(page, 'the balance')
}

const callsTo = (page: Page, path: string) => {
  const seen: number[] = []
  page.on('response', reply => {
    if (new URL(reply.url()).pathname === `/api/v1${path}`) seen.push(reply.status())
  })
  return seen
}

test('when a token has expired, all waiting requests share one refresh, and the screen loads', async ({ open }) => {
  const tester = await newPerson('TESTER', 'Rhea Refreshes')
  const page = await open({ as: tester, provokes: expired })
  // An open screen would notice it first.
  await page.goto('/offline.html')
  await passHours(1)
  const refreshes = callsTo(page, '/auth/refresh')
  const refused: string[] = []
  page.on('response', reply => reply.status() === 401 && refused.push(reply.url()))
  await page.goto('/dashboard/balance')
  await showsBalance(page)
  await expect(page.getByRole('main').getByText(tester.email).last()).toBeVisible()
  expect(refused.length, 'more than one request was refused at once').toBeGreaterThan(1)
  expect(refreshes).toEqual([200])
})

test('a page that is left before its refresh is answered works when its user returns', async ({ open }) => {
  const page = await open({
    as: await newPerson('TESTER', 'Lea Leaves'),
    provokes: /status of 401|ERR_FAILED|Network error/,
  })
  await page.goto('/offline.html')
  await passHours(1)
  let lost = 0
  await page.route('**/auth/refresh', async route => {
    if (lost++ > 0) return route.continue()
    // The server has rotated the token, but the page does not learn it.
    await route.fetch()
    return route.abort()
  })
  await page.goto('/dashboard/balance')
  await expect.poll(() => lost).toBeGreaterThan(0)
  await page.goto('/dashboard/balance')
  await showsBalance(page)
  expect(lost).toBeGreaterThan(1)
})

test('two tabs of one browser refresh once, and both continue', async ({ open }) => {
  const page = await open({ as: await newPerson('TESTER', 'Tom Twotabs'), provokes: expired })
  const other = await page.context().newPage()
  await Promise.all([page.goto('/offline.html'), other.goto('/offline.html')])
  await passHours(1)
  const refreshes = [callsTo(page, '/auth/refresh'), callsTo(other, '/auth/refresh')]
  await Promise.all([page.goto('/dashboard/balance'), other.goto('/dashboard/balance')])
  for (const tab of [page, other]) await showsBalance(tab)
  expect(refreshes.flat()).toEqual([200])
})

/** An hour later, for the server and for the browser. */
const comeBackLater = async (...tabs: Page[]) => {
  const now = await passHours(1)
  for (const tab of tabs) await tab.clock.setSystemTime(now)
}

test('a token that ran out while nobody was there is replaced before the code is there, and nothing is refused', async ({
  open,
}) => {
  const owner = await newPerson('DEVELOPER', 'Rosa Returns')
  const { id } = await draftCampaign(owner, { title: 'Back after lunch' })
  const page = await open({ as: owner })
  await page.goto('/offline.html')
  await comeBackLater(page)
  const answers: number[] = []
  page.on('response', reply => new URL(reply.url()).pathname.startsWith('/api/') && answers.push(reply.status()))
  const refreshes = callsTo(page, '/auth/refresh')
  const letScriptsCome = await holdScripts(page)
  await page.goto(`/dashboard/campaigns/${id}`, { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Back after lunch')
  letScriptsCome()
  await expect(page.getByText('Draft').first()).toBeVisible()
  expect(refreshes).toEqual([200])
  expect(answers.filter(status => status >= 400)).toEqual([])
  expect(await page.evaluate(() => localStorage.getItem('refreshAttempt'))).toBeNull()
})

test('two tabs that are opened after a token ran out replace it once', async ({ open }) => {
  const page = await open({ as: await newPerson('TESTER', 'Tina Twotabs'), provokes: expired })
  const other = await page.context().newPage()
  await Promise.all([page.goto('/offline.html'), other.goto('/offline.html')])
  await comeBackLater(page, other)
  const refreshes = [callsTo(page, '/auth/refresh'), callsTo(other, '/auth/refresh')]
  await Promise.all([page.goto('/dashboard/balance'), other.goto('/dashboard/balance')])
  for (const tab of [page, other]) await showsBalance(tab)
  expect(refreshes.flat()).toEqual([200])
})

test('a tab that waited for another one to replace the token requests nothing twice', async ({ open }) => {
  const owner = await newPerson('DEVELOPER', 'Wanda Waits')
  const { id } = await draftCampaign(owner, { title: 'Asked for once' })
  const page = await open({ as: owner })
  const other = await page.context().newPage()
  await Promise.all([page.goto('/offline.html'), other.goto('/offline.html')])
  await comeBackLater(page, other)
  // An open stream delivers changes, for which the page asks again.
  await page.route('**/api/v1/users/me/events*', route => route.fulfill({ contentType: 'text/event-stream', body: '' }))
  const asked = callsTo(page, `/campaigns/${id}`)
  const letGo = await other.evaluateHandle(() => {
    const locked = Promise.withResolvers<() => void>()
    const held = Promise.withResolvers<void>()
    void navigator.locks.request('fieldtest-refresh', () => {
      locked.resolve(held.resolve)
      return held.promise
    })
    return locked.promise
  })
  const letScriptsCome = await holdScripts(page)
  await page.goto(`/dashboard/campaigns/${id}`, { waitUntil: 'commit' })
  await expect(page.getByText('Loading')).toBeAttached()
  const { accessToken, refreshToken } = await signInByCall(owner.email)
  await other.evaluate(tokens => Object.assign(localStorage, tokens), { accessToken, refreshToken })
  letScriptsCome()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Asked for once')
  await letGo.evaluate(end => end())
  // Only after the document has had its turn.
  await page.evaluate(() => navigator.locks.request('fieldtest-refresh', () => undefined))
  expect(asked).toEqual([200])
  expect(await page.evaluate<string[]>('[...(window.earlyRequests?.keys() ?? [])]')).toEqual([])
})

test('before its scripts have loaded, a document shows nothing of somebody who has signed out meanwhile in another tab', async ({
  open,
}) => {
  const owner = await newPerson('DEVELOPER', 'Gus Gone')
  const { id } = await draftCampaign(owner, { title: 'Nobody else’s' })
  const page = await open({ as: owner })
  const other = await page.context().newPage()
  await other.goto('/offline.html')
  const signedOut = Promise.withResolvers<void>()
  await page.route(`**/api/v1/campaigns/${id}`, async route => {
    await signedOut.promise
    await route.continue()
  })
  const answer = page.waitForResponse(`**/api/v1/campaigns/${id}`)
  const letScriptsCome = await holdScripts(page)
  await page.goto(`/dashboard/campaigns/${id}`, { waitUntil: 'commit' })
  await expect(page.getByText('Loading')).toBeAttached()
  await other.evaluate(() => localStorage.clear())
  signedOut.resolve()
  await (await answer).finished()
  // By then the document has read it as well.
  await page.evaluate(
    'Promise.all([...window.earlyRequests.values()].map(async early => (await early.response).clone().text()))',
  )
  await expect(page.locator('#root').getByRole('heading')).toHaveCount(0)
  letScriptsCome()
  await expect(page).toHaveURL(/\/login$/)
})

test('a document that is left before its token is replaced does not lose the session', async ({ open }) => {
  const page = await open({ as: await newPerson('TESTER', 'Lou Leaves'), provokes: /status of 401|ERR_FAILED/ })
  await page.goto('/offline.html')
  await comeBackLater(page)
  const lost = Promise.withResolvers<void>()
  await page.route(
    '**/auth/refresh',
    async route => {
      // The server has rotated the token, but the page does not learn it.
      await route.fetch()
      await route.abort()
      lost.resolve()
    },
    { times: 1 },
  )
  await holdScripts(page)
  await page.goto('/dashboard/balance', { waitUntil: 'commit' })
  await lost.promise
  await page.goto('/offline.html')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.goto('/dashboard/balance')
  await showsBalance(page)
})

test('a session that was ended elsewhere while nobody was there leads to the sign-in form, with the reason', async ({
  open,
}) => {
  const tester = await newPerson('TESTER', 'Enid Ended')
  const page = await open({ as: tester, provokes: /status of 401|Refresh was refused/ })
  await page.goto('/offline.html')
  await call(tester, 'DELETE', '/users/me/sessions')
  await comeBackLater(page)
  await page.goto('/dashboard/balance')
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByText('Your session has ended. Sign in again.')).toBeVisible()
})

test('a logout in one tab signs out the other', async ({ open }) => {
  // The other tab may be sending a request just when its session ends.
  const page = await open({ as: await newPerson('DEVELOPER', 'Lola Leaves'), provokes: expired })
  const other = await page.context().newPage()
  await page.goto('/dashboard/payments')
  await other.goto('/dashboard/campaigns')
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('My Campaigns')
  await logOut(page)
  await expect(page).toHaveURL(/\/$/)
  await expect(other).toHaveURL(/\/login$/)
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('Sign in')
})

test('two devices are two sessions: a logout on one leaves the other alone', async ({ open }) => {
  const tester = await newPerson('TESTER', 'Dora Devices')
  const phone = await open({ as: tester, screen: 'phone', provokes: expired })
  const desk = await open({ as: tester })
  await phone.goto('/dashboard')
  await desk.goto('/dashboard')
  await logOut(desk)
  await expect(desk).toHaveURL(/\/$/)
  // The access token has expired, so the other device has to refresh by itself.
  await passHours(1)
  await phone.goto('/dashboard/balance')
  await showsBalance(phone)
})

test('Sign out everywhere ends the sessions on all devices, this one included', async ({ open }) => {
  const tester = await newPerson('TESTER', 'Ella Everywhere')
  const phone = await open({
    as: tester,
    screen: 'phone',
    provokes: /status of 401|Refresh was refused|Sign in to continue/,
  })
  const desk = await open({ as: tester, provokes: expired })
  await phone.goto('/dashboard')
  await expect(phone.getByRole('heading', { level: 1 })).toBeVisible()
  await desk.goto('/dashboard/settings')
  await desk.getByRole('button', { name: 'Sign out everywhere' }).click()
  await desk.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(desk).toHaveURL(/\/login$/)
  await expect(desk.getByText('You are signed out everywhere.')).toBeVisible()
  await phone.goto('/dashboard/balance')
  await expect(phone).toHaveURL(/\/login$/)
})

test('a logout that does not reach the server still signs out this browser', async ({ open }) => {
  const page = await open({
    as: await newPerson('TESTER', 'Nell Noserver'),
    provokes: /ERR_FAILED|Logout failed|auth\/logout/,
  })
  await page.goto('/dashboard')
  await page.route('**/api/v1/auth/logout', route => route.abort())
  await logOut(page)
  await expect(page).toHaveURL(/\/$/)
  expect(
    await page.evaluate(() => localStorage.getItem('accessToken') ?? localStorage.getItem('refreshToken')),
  ).toBeNull()
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/login$/)
})

test('a stored user that cannot be read signs out and breaks nothing', async ({ open }) => {
  const page = await open({ as: await newPerson('TESTER', 'Rudi Ruined'), provokes: /stored session cannot be read/ })
  await page.goto('/offline.html')
  await page.evaluate(() => localStorage.setItem('user', '{"id":'))
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/login$/)
  expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toBeNull()
})

test('a card that fails to load affects no other, and Try Again loads it', async ({ open }) => {
  const page = await open({ as: await newPerson('DEVELOPER', 'Cara Cards'), provokes: /418|No campaigns today/ })
  const broken = (url: URL) => url.pathname === '/api/v1/campaigns'
  // A 4xx, because the page would retry after other errors for seven seconds.
  await page.route(broken, route =>
    route.fulfill({ status: 418, json: { code: 'NOPE', message: 'No campaigns today.' } }),
  )
  await page.goto('/dashboard')
  await expect(page.getByText('Failed to load recent campaigns')).toBeVisible()
  await expect(page.getByText('Total Campaigns')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Quick actions' })).toBeVisible()
  await expect(page.getByText('Failed to load dashboard data')).toBeHidden()
  await page.unroute(broken)
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByText('No campaigns yet')).toBeVisible()
})

test('when a refetch fails, the screen stays and is marked as out of date', async ({ open }) => {
  const page = await open({ as: await theAdmin(), provokes: /418|Not now/ })
  await page.goto('/dashboard/analytics')
  await expect(page.getByText('Conversion Rate')).toBeVisible()
  const figures = (url: URL) => url.pathname === '/api/v1/admin/analytics'
  await page.route(figures, route => route.fulfill({ status: 418, json: { code: 'NOPE', message: 'Not now.' } }))
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByText('What you see may be out of date.')).toBeVisible()
  await expect(page.getByText('Conversion Rate')).toBeVisible()
  await page.unroute(figures)
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByText('What you see may be out of date.')).toBeHidden()
})

for (const path of ['/login', '/dashboard']) {
  test(`in a browser that blocks storage, ${path} says what to change`, async ({ open }) => {
    const page = await open({ fresh: true })
    await page.addInitScript(() => {
      Object.defineProperty(window, 'localStorage', {
        get: () => {
          throw new DOMException('The operation is insecure.', 'SecurityError')
        },
      })
    })
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your browser blocks storage')
    await expect(page).toHaveTitle(/^Storage is blocked/)
    await expect(page.getByRole('button', { name: 'Reload' })).toBeEnabled()
  })
}
