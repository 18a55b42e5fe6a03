/** What stands before the scripts have come: people on a slow line read it, and it gives way to the same words. */
import { newPerson } from './support/api.ts'
import { expect, type Page, test } from './support/test.ts'

/** Holds the app's scripts back; answers what lets them come. */
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
] as const) {
  test(`${path} stands before its scripts, with the words that it keeps`, async ({ open }) => {
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

test('a dashboard greets its owner before its scripts have come', async ({ open }) => {
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

test('who is not signed in sees the way in and not an empty dashboard', async ({ open }) => {
  const page = await open()
  await holdScripts(page)
  await page.goto('/dashboard/balance', { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in')
})

test('a stored user that cannot be read shows the way in', async ({ open }) => {
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
