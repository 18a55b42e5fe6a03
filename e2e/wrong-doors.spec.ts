/** Where each role is redirected from another role's screens (spec §2, guard behavior). */
import { draftCampaign, newPerson, theAdmin } from './support/api.ts'
import { trySignIn } from './support/people.ts'
import { expect, type Page, test } from './support/test.ts'

/** Screens of details are closed to other roles whatever object they show. */
const anyId = '00000000-0000-4000-8000-000000000000'

const adminOnly = [
  'users',
  'users/security',
  `users/${anyId}`,
  'fraud',
  'campaigns/pending',
  `disputes/${anyId}`,
  `appeals/${anyId}`,
  'waitlist',
  'audit-log',
  'operations',
  'books',
  'system-settings',
]
const developerOnly = ['campaigns/create', 'payments', `payments/${anyId}`, `payments/refunds/${anyId}`]
const testerOnly = ['balance', `balance/withdrawals/${anyId}`, 'my-tests', `my-tests/${anyId}`]
/** Testers and developers have these; an admin has the books. */
const bookkeeping = ['statements', 'statements/2026-11', 'statements/years/2026']

/** Checks that the screen itself never appears on the way, by its heading. */
const isSentHome = async (page: Page, name: string, doors: string[]) => {
  for (const door of doors) {
    await page.goto(`/dashboard/${door}`)
    await expect(page, door).toHaveURL(/\/dashboard$/)
    await expect(page.getByRole('heading', { level: 1 }), door).toHaveText(`Welcome, ${name}`)
  }
}

test('a tester is redirected from every screen of developers and admins to the dashboard', async ({ open }) => {
  const tester = await newPerson('TESTER', 'Tilda Doors')
  await isSentHome(await open({ as: tester }), tester.name, [...developerOnly, 'analytics', ...adminOnly])
})

test('a developer is redirected from other roles’ screens, and from analytics to the developer’s own figures', async ({
  open,
}) => {
  const developer = await newPerson('DEVELOPER', 'Doris Doors')
  const page = await open({ as: developer })
  await isSentHome(page, developer.name, [...testerOnly, ...adminOnly])
  await page.goto('/dashboard/analytics')
  await expect(page).toHaveURL(/\/dashboard#analytics$/)
  await expect(page.getByRole('heading', { level: 2, name: 'Analytics' })).toBeFocused()
  await expect(page.getByRole('heading', { level: 2, name: 'Analytics' })).toBeInViewport()
})

test('an admin is redirected from the screens of testers and developers', async ({ open }) => {
  const admin = await theAdmin()
  await isSentHome(await open({ as: admin }), admin.name, [...testerOnly, ...developerOnly, ...bookkeeping])
})

test('a redirected user is told why, in the specification’s words', async ({ open }) => {
  const tester = await open({ as: await newPerson('TESTER', 'Told Tester') })
  const developer = await open({ as: await newPerson('DEVELOPER', 'Told Developer') })
  for (const [page, door, sentence] of [
    [tester, 'campaigns/create', 'Only developers can create campaigns. Please switch to a developer account.'],
    [tester, 'payments', 'This page is only available for developers.'],
    [developer, 'balance', 'This page is only available for testers.'],
    [developer, 'users', 'This page is only available for admins.'],
  ] as const) {
    await page.goto(`/dashboard/${door}`)
    await expect(page).toHaveURL(/\/dashboard$/)
    await expect(page.getByText(sentence, { exact: true })).toBeVisible()
  }
})

test('another developer’s campaign is not found, like one that never existed', async ({ open }) => {
  const owner = await newPerson('DEVELOPER', 'Olga Owns')
  const other = await newPerson('DEVELOPER', 'Otto Others')
  const { id } = await draftCampaign(owner, { title: 'Nobody else may see this' })
  const page = await open({ as: other, provokes: /404/ })
  const said: string[] = []
  for (const address of [id, anyId]) {
    await page.goto(`/dashboard/campaigns/${address}`)
    await expect(page.getByRole('heading', { level: 1, name: 'Campaign not found' })).toBeVisible()
    said.push(await page.getByRole('main').innerText())
  }
  expect(said[0]).toBe(said[1])
})

test('a visitor is redirected to /login, and after signing in to the requested page', async ({ open }) => {
  const tester = await newPerson('TESTER', 'Tina Returns')
  const page = await open()
  for (const door of ['', ...testerOnly, ...developerOnly, ...bookkeeping, ...adminOnly]) {
    await page.goto(`/dashboard/${door}`)
    await expect(page, door).toHaveURL(/\/login$/)
  }
  await page.goto('/dashboard/campaigns?search=moon&platform=ios')
  await expect(page).toHaveURL(/\/login$/)
  await trySignIn(page, tester.email)
  await expect(page).toHaveURL(/\/dashboard\/campaigns\?search=moon&platform=ios$/)
  await expect(page.getByRole('searchbox', { name: 'Search campaigns' })).toHaveValue('moon')
})

test('the requested page is remembered through registration', async ({ open }) => {
  const page = await open()
  await page.goto('/dashboard/balance')
  await expect(page).toHaveURL(/\/login$/)
  await page.getByRole('link', { name: 'Create account' }).click()
  await page.getByLabel('Full name').fill('Wanda Wishes')
  await page.getByLabel('Email').fill('wanda.wishes@journeys.test')
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
  await page.getByLabel('Confirm password', { exact: true }).fill('correct horse battery')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page).toHaveURL(/\/dashboard\/balance$/)
})

test('the requested page is remembered when “Create account” is pressed before the app runs', async ({ open }) => {
  const page = await open()
  const held = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async route => {
    await held.promise
    await route.continue()
  })
  await page.goto('/dashboard/campaigns?search=moon', { waitUntil: 'commit' })
  await page.getByRole('link', { name: 'Create account' }).click({ noWaitAfter: true })
  await expect(page).toHaveURL(/\/register\?from=/)
  // And back, because the other form's link carries it as well.
  await page.getByRole('link', { name: 'Sign in' }).click({ noWaitAfter: true })
  await expect(page).toHaveURL(/\/login\?from=/)
  held.resolve()
  await trySignIn(page, (await newPerson('TESTER', 'Early Presser')).email)
  await expect(page).toHaveURL(/\/dashboard\/campaigns\?search=moon$/)
})

test('a signed-in user is redirected from the sign-in page', async ({ open }) => {
  const page = await open({ as: await newPerson('TESTER', 'Sina Signed') })
  for (const door of ['/login', '/register']) {
    await page.goto(door)
    await expect(page).toHaveURL(/\/dashboard$/)
  }
})
