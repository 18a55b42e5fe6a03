/** Spec §8, the error catalog: each sentence is provoked, or looked up in the source if no user can provoke it. */
import { expectAccessible } from './support/axe.ts'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { draftCampaign, earn, newPerson, theAdmin } from './support/api.ts'
import { password } from './support/people.ts'
import { expect, type Page, test } from './support/test.ts'

const provoked = /418|status of (4|5)\d\d|ERR_FAILED|HTTP \d\d\d|Network error|Not today|TypeError|error occurred/

/** From now on this call is answered without a message. */
const failWithoutWords = (page: Page, path: string) =>
  page.route(`**/api/v1${path}`, route => route.fulfill({ status: 502, json: {} }))

const submit = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true }).click()

const fillLogin = async (page: Page) => {
  await page.goto('/login')
  await page.getByLabel('Email').fill('somebody@journeys.test')
  await page.getByLabel('Password', { exact: true }).fill(password)
}

const fillRegistration = async (page: Page) => {
  await page.goto('/register')
  await page.getByLabel('Full name').fill('Some Body')
  await page.getByLabel('Email').fill('somebody.new@journeys.test')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password', { exact: true }).fill(password)
}

const fillCampaign = async (page: Page) => {
  await page.goto('/dashboard/campaigns/create')
  await page.getByLabel('Title').fill('Never created')
  await page.getByLabel('Description').fill('It fails.')
  await page.getByLabel('Distribution link').fill('https://example.com/app')
}

test('an answer without a message gets the sentence of its form', async ({ open }) => {
  const visitor = await open({ provokes: provoked })
  await fillLogin(visitor)
  await failWithoutWords(visitor, '/auth/login')
  await submit(visitor, 'Sign in')
  await expect(visitor.getByText('Login failed', { exact: true })).toBeVisible()
  await fillRegistration(visitor)
  await failWithoutWords(visitor, '/auth/register')
  await submit(visitor, 'Create account')
  await expect(visitor.getByText('Registration failed', { exact: true })).toBeVisible()

  const developer = await open({ as: await newPerson('DEVELOPER', 'Fae Fallback'), provokes: provoked })
  await fillCampaign(developer)
  await failWithoutWords(developer, '/campaigns')
  await submit(developer, 'Create Campaign')
  await expect(developer.getByText('Failed to create campaign', { exact: true })).toBeVisible()

  const earner = await newPerson('TESTER', 'Fia Fallback')
  await earn(await newPerson('DEVELOPER', 'Finn Funds'), earner, 'For the fallback', 1000)
  const tester = await open({ as: earner, provokes: provoked })
  await tester.goto('/dashboard/balance')
  await tester.getByLabel('Amount').fill('10')
  await tester.getByRole('button', { name: 'Withdraw', exact: true }).click()
  await failWithoutWords(tester, '/testers/withdraw')
  await tester.getByRole('dialog').getByRole('button', { name: 'Withdraw $10.00' }).click()
  await expect(tester.getByText('Withdrawal failed', { exact: true })).toBeVisible()
})

test('a failed answer shows its message, otherwise HTTP and its status, otherwise a network error', async ({
  open,
}) => {
  const page = await open({ as: await newPerson('TESTER', 'Hal Fails'), provokes: provoked })
  await page.goto('/dashboard/settings')
  for (const [answer, sentence] of [
    [{ status: 418, json: { message: 'Not today.' } }, 'Not today.'],
    [{ status: 502, json: {} }, 'HTTP 502'],
    [{ status: 500, body: '<html>' }, 'Network error'],
    [null, 'Network error'],
  ] as const) {
    await page.unrouteAll()
    await page.route('**/api/v1/users/me', route => {
      if (route.request().method() !== 'PATCH') return route.continue()
      return answer ? route.fulfill(answer) : route.abort()
    })
    await page.getByLabel('Full name').fill(`Hal ${sentence}`)
    await submit(page, 'Save profile')
    await expect(page.getByText(sentence, { exact: true })).toBeVisible()
  }
})

test('the registration form has the sentences of §5', async ({ open }) => {
  const page = await open()
  await fillRegistration(page)
  await page.getByLabel('Password', { exact: true }).fill('12345')
  await submit(page, 'Create account')
  await expect(page.getByText('Passwords do not match', { exact: true })).toBeVisible()
  await expect(page.getByText('Password must be at least 6 characters', { exact: true })).toBeVisible()
})

test('when an admin’s action fails, the screen says so in the words of §8', async ({ open }) => {
  const page = await open({ as: await theAdmin(), provokes: provoked })
  for (const [path, button, sentence] of [
    ['**/admin/fraud-reports/generate-samples', 'Generate Samples', 'Failed to generate sample reports'],
    ['**/admin/fraud-scan/trigger', 'Trigger Scan', 'Failed to trigger fraud scan'],
  ] as const) {
    await page.route(path, route => route.fulfill({ status: 418, json: { message: 'Not today.' } }))
    await page.goto('/dashboard/fraud')
    await page.getByRole('button', { name: button }).click()
    await expect(page.getByText(sentence, { exact: true })).toBeVisible()
  }
})

test('a screen that cannot be rendered says Unexpected Application Error! and leads back', async ({ open }) => {
  const developer = await newPerson('DEVELOPER', 'Bron Broken')
  const { id } = await draftCampaign(developer, { title: 'Comes as nonsense' })
  const page = await open({ as: developer, provokes: /./ })
  await page.route(`**/api/v1/campaigns/${id}`, route =>
    route.fulfill({ json: { id, title: { not: 'a text' }, actions: 7 } }),
  )
  await page.goto(`/dashboard/campaigns/${id}`)
  await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible()
  // It is at the top of the frame: no second `main` as high as the window pushes its buttons below the fold.
  await expect(page.getByRole('main')).toHaveCount(1)
  await expectAccessible(page, 'a screen that cannot be drawn')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Reload' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Comes as nonsense' })).toBeVisible()
})

test('a refresh without a token is refused in the words of §5', async ({ request }) => {
  const reply = await request.post('/api/v1/auth/refresh', { data: {} })
  expect(reply.status()).toBeGreaterThanOrEqual(400)
  expect(reply.status()).toBeLessThan(500)
  expect(await reply.text()).toContain('No refresh token available')
})

test('the sentence that nobody can provoke is in the source', async () => {
  const source = (path: string) => readFile(join(import.meta.dirname, '..', 'src', path), 'utf8')
  expect(await source('accounts/web/auth.tsx')).toContain('useAuth must be used within an AuthProvider')
})
