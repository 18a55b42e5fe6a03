/** A visitor who does not know the product yet: reads, joins the waitlist, registers, gets lost. */
import { theAdmin } from './support/api.ts'
import { register } from './support/people.ts'
import { expect, type Page, test } from './support/test.ts'

const sections = ['How It Works', 'Features', 'Pricing', 'Testimonials']

/** Waits until the section is in place and at rest, because a click while the page moves can stop it halfway. */
const scrolledTo = async (page: Page, id: string) => {
  const top = () => page.evaluate(anchor => document.getElementById(anchor)!.getBoundingClientRect().top, id)
  let last = Number.NaN
  await expect
    .poll(
      async () => {
        const before = last
        last = await top()
        return last === before && last < 200
      },
      { message: `the page comes to rest at ${id}`, intervals: [100] },
    )
    .toBe(true)
}

test('the landing page works without scripts', async ({ open }) => {
  const page = await open({ javaScript: false })
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Real testers.')
  for (const text of ['$49', '$99', '$199', 'Up to $10', '500+', '14 days', 'Most popular'])
    await expect(page.getByText(text, { exact: true }).first(), text).toBeVisible()
  await expect(page.getByRole('link', { name: 'Sign in', exact: true })).toHaveAttribute('href', '/login')
  await page.getByRole('link', { name: 'Pricing' }).first().click()
  await expect(page).toHaveURL(/#pricing$/)
  await expect(page.getByRole('heading', { name: 'Pay per campaign' })).toBeInViewport()
})

test('the waitlist accepts a sign-up without scripts', async ({ open }) => {
  const page = await open({ javaScript: false })
  await page.goto('/')
  await page.getByLabel('Email', { exact: true }).fill('no.script@visitors.test')
  await page.getByLabel('Country').selectOption('Portugal')
  await page.getByRole('button', { name: 'Join Waitlist' }).click()
  await expect(page.getByText('We will be in touch soon.')).toBeVisible()
})

test('the links in the bar scroll smoothly to their sections', async ({ open }) => {
  const page = await open({ motion: 'no-preference' })
  await page.goto('/')
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior)).toBe('smooth')
  for (const name of sections) {
    await page.getByRole('navigation', { name: 'Page' }).getByRole('link', { name }).click()
    await scrolledTo(page, name.toLowerCase().replaceAll(' ', '-'))
  }
  for (const name of ['Sign In', 'Join Waitlist']) {
    await page.getByRole('navigation', { name: 'Page' }).getByRole('link', { name, exact: true }).click()
    await expect(page).toHaveURL(/#waitlist$/)
    await scrolledTo(page, 'waitlist')
  }
})

test('the two buttons in the hero lead to the waitlist with the role chosen', async ({ open }) => {
  const page = await open()
  for (const [button, role] of [
    ['Start Earning', 'Tester'],
    ['I Need Testers', 'Developer'],
  ] as const) {
    const { promise: pressed, resolve: letScriptsCome } = Promise.withResolvers<void>()
    await page.route('**/assets/*.js', async route => {
      await pressed
      await route.continue()
    })
    await page.goto('/', { waitUntil: 'commit' })
    // Before the page's script has come.
    await page.getByRole('link', { name: button }).click()
    await expect(page).toHaveURL(`/#waitlist-${role.toLowerCase()}`)
    await scrolledTo(page, 'waitlist')
    letScriptsCome()
    await expect(page.getByRole('radio', { name: new RegExp(`^${role}`) })).toBeChecked()
    await page.unrouteAll({ behavior: 'wait' })
  }
  // And afterwards.
  await page.getByRole('link', { name: 'Start Earning' }).click()
  await expect(page.getByRole('radio', { name: /^Tester/ })).toBeChecked()
})

test('the other buttons lead to the registration form, with the role chosen before and after the scripts have loaded', async ({
  open,
}) => {
  const page = await open()
  for (const [button, role] of [
    ['Choose Growth', 'Developer - Create campaigns'],
    ['Get testers', 'Developer - Create campaigns'],
    ['Create your campaign', 'Developer - Create campaigns'],
    ['Earn as a tester', 'Tester - Test apps and earn money'],
  ] as const) {
    await page.goto('/')
    await page.getByRole('link', { name: button }).filter({ visible: true }).click()
    await expect(page).toHaveURL(/\/register\?role=/)
    await expect(page.getByRole('radio', { name: role })).toBeChecked()
    await expect(page.getByLabel('Full name')).toBeVisible()
    await expect(page.getByRole('radio', { name: role })).toBeChecked()
  }
  // Also by way of the sign-in form.
  await page.goto('/register?role=developer')
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Create account' }).click()
  await expect(page.getByRole('radio', { name: 'Developer - Create campaigns' })).toBeChecked()
})

test('the calculator shows a price for what a campaign may have, and for nothing else', async ({ open }) => {
  const page = await open({ screen: 'phone' })
  await page.goto('/#pricing')
  const calculator = page.getByRole('form', { name: 'Or set your own price' })
  await expect(calculator).toContainText('$138.00')
  await calculator.getByLabel('Testers', { exact: true }).fill('20')
  await calculator.getByLabel('Pay per tester').fill('7.50')
  await expect(calculator).toContainText('$172.50')
  await calculator.getByLabel('Testers', { exact: true }).fill('500')
  await expect(calculator.getByText('–', { exact: true })).toHaveCount(3)
})

test('whoever joins the waitlist is welcomed, the form is reset, and the admin sees the entry once', async ({
  open,
}) => {
  const email = 'vera.visitor@visitors.test'
  const page = await open()
  for (let time = 1; time <= 2; time++) {
    await page.goto('/')
    await page.getByLabel('Email', { exact: true }).fill(email)
    await page.getByLabel('Country').selectOption('Germany')
    await page.locator('label', { has: page.getByRole('radio', { name: /^Tester/ }) }).click()
    await page.getByRole('button', { name: 'Join Waitlist' }).click()
    await expect(page.getByRole('status').getByText('Welcome to Fieldtest')).toBeVisible()
    await expect(page.getByRole('status').getByText('We will be in touch soon.').last()).toBeVisible()
    await expect(page.getByLabel('Email', { exact: true })).toHaveValue('')
    await expect(page.getByLabel('Country')).toHaveValue('')
    await expect(page.getByRole('radio', { name: /^Developer/ })).toBeChecked()
  }
  const admin = await open({ as: await theAdmin() })
  await admin.goto('/dashboard/waitlist')
  await admin.getByRole('searchbox', { name: 'Search by email' }).fill(email)
  await expect(admin.getByText('1 to 1 of 1')).toBeVisible()
  await expect(admin.getByRole('row', { name: email })).toContainText('Germany')
  await expect(admin.getByRole('row', { name: email })).toContainText('Tester')
})

test('the waitlist form says what is missing at each field, and sends nothing', async ({ open }) => {
  const page = await open()
  let sent = 0
  page.on('request', request => request.url().endsWith('/waitlist') && request.method() === 'POST' && sent++)
  await page.goto('/')
  // Before the scripts have loaded, the browser itself says so, at the first field.
  await expect(async () => {
    await page.getByRole('button', { name: 'Join Waitlist' }).click()
    await expect(page.getByText('Email is required')).toBeVisible({ timeout: 1000 })
  }).toPass()
  await expect(page.getByText('Country is required')).toBeVisible()
  await expect(page.getByLabel('Email', { exact: true })).toBeFocused()
  expect(sent).toBe(0)
})

test('a visitor registers through the small link and gets to the dashboard', async ({ open }) => {
  const page = await open({ screen: 'phone' })
  await page.goto('/')
  await page.getByRole('link', { name: 'Create an account' }).click()
  await expect(page).toHaveURL(/\/register$/)
  await register(page, { name: 'Vito Visitor', email: 'vito@visitors.test', role: 'TESTER' })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Vito Visitor')
  await page.getByRole('button', { name: /user menu/i }).click()
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL(/\/$/)
  expect(await page.evaluate(() => Object.keys(localStorage).filter(key => /token|user/i.test(key)))).toEqual([])
})

test('an unknown address says so, is shown, asks not to be indexed, and leads back', async ({ open }) => {
  const page = await open({ provokes: /status of 404/ })
  const answer = await page.goto('/no/such/page?at=all')
  expect(answer?.status()).toBe(404)
  await expect(page).toHaveTitle(/Page Not Found/)
  await expect(page.getByText('404', { exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page Not Found')
  await expect(page.getByText('/no/such/page', { exact: true })).toBeVisible()
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', /noindex/)
  await page.getByRole('link', { name: 'Back to home' }).click()
  await expect(page).toHaveURL(/\/$/)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Real testers.')
})
