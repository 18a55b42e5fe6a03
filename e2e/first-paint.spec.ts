/** What is shown before the scripts have loaded; the screen then shows the same text. */
import { newPerson, theAdmin } from './support/api.ts'
import { expectLoaded } from './support/loaded.ts'
import { expect, type Page, test } from './support/test.ts'

/** Blocks the app's scripts; returns a function that releases them. */
const holdScripts = async (page: Page) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async route => {
    await promise
    await route.continue()
  })
  return resolve
}

const wordsOf = (page: Page) => page.locator('#root main').innerText()

for (const [path, heading] of [
  ['/login', 'Sign in'],
  ['/register', 'Create account'],
  ['/forgot-password', 'Reset your password'],
] as const) {
  test(`${path} shows its final text before its scripts have loaded`, async ({ open }) => {
    const page = await open({ screen: 'phone' })
    const letScriptsCome = await holdScripts(page)
    await page.goto(path, { waitUntil: 'commit' })
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
    const before = await wordsOf(page)
    letScriptsCome()
    await expect(page.getByLabel('Email')).toBeVisible()
    expect(await wordsOf(page)).toBe(before)
  })
}

test('a dashboard greets its user before its scripts have loaded', async ({ open }) => {
  const page = await open({ as: await newPerson('TESTER', 'Fia First') })
  const letScriptsCome = await holdScripts(page)
  await page.goto('/dashboard', { waitUntil: 'commit' })
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toHaveText('Welcome, Fia First')
  const { y } = (await heading.boundingBox())!
  letScriptsCome()
  await expect(page.getByText('Total Earnings')).toBeVisible()
  await expect(heading).toHaveText('Welcome, Fia First')
  expect((await heading.boundingBox())!.y, 'the greeting stays where it is').toBe(y)
})

test('a visitor who is not signed in sees the sign-in form, not an empty dashboard', async ({ open }) => {
  const page = await open()
  await holdScripts(page)
  await page.goto('/dashboard/balance', { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in')
})

test('a stored user that cannot be read leads to the sign-in form', async ({ open }) => {
  const page = await open()
  await page.goto('/offline.html')
  await page.evaluate(() => {
    localStorage.setItem('accessToken', 'x')
    localStorage.setItem('user', '{')
  })
  await holdScripts(page)
  await page.goto('/dashboard', { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in')
})

const screensOf = {
  DEVELOPER: ['campaigns', 'campaigns/create', 'payments', 'statements', 'notifications', 'settings'],
  TESTER: ['campaigns', 'my-tests', 'balance', 'statements', 'notifications', 'settings'],
  ADMIN: [
    'campaigns',
    'campaigns/pending',
    'users',
    'users/security',
    'fraud',
    'analytics',
    'audit-log',
    'operations',
    'books',
    'system-settings',
    'waitlist',
  ],
} as const

for (const [role, screens] of Object.entries(screensOf) as [keyof typeof screensOf, readonly string[]][]) {
  test(`each screen of ${role} has its header before its scripts, and uses what was requested meanwhile`, async ({
    open,
  }) => {
    const as = role === 'ADMIN' ? await theAdmin() : await newPerson(role, 'Hedda Header')
    const page = await open({ as })
    for (const screen of ['', ...screens]) {
      const letScriptsCome = await holdScripts(page)
      await page.goto(`/dashboard/${screen}`, { waitUntil: 'commit' })
      const heading = page.getByRole('heading', { level: 1 })
      const before = await heading.innerText()
      const asked = () => page.evaluate<string[]>('[...(window.earlyRequests?.keys() ?? [])]')
      const early = await asked()
      letScriptsCome()
      // A developer's charts load only when they are scrolled into view.
      if (screen !== '') await expectLoaded(page, screen)
      await expect(heading, screen).toHaveText(before)
      expect(early.length, screen).toBeGreaterThan(0)
      await expect.poll(asked, { message: `${screen} asks for all that was asked for early` }).toEqual([])
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    }
  })
}
