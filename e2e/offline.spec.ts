/** Offline, a page says so and recovers without a reload. Online, the service worker does not interfere. */
import { newPerson } from './support/api.ts'
import { expect, test } from './support/test.ts'

test('a page says that it is offline, and recovers when the connection does', async ({ open }) => {
  const tester = await newPerson('TESTER', 'Otto Offline')
  const page = await open({ as: tester, worker: true, provokes: /ERR_INTERNET_DISCONNECTED|Network error/ })
  await page.goto('/dashboard/balance')
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')

  await page.goto('/dashboard/my-tests')
  await expect(page.getByRole('heading', { level: 1, name: 'My Tests' })).toBeVisible()
  // The browser caches the parts of the page, which the document preloads before the worker could answer.
  expect(await page.evaluate(() => caches.keys())).toHaveLength(1)

  await page.context().setOffline(true)
  await page.goto('/dashboard/balance')
  await expect(page.getByRole('heading', { level: 1, name: 'You are offline' })).toBeVisible()
  await page.context().setOffline(false)
  await expect(page.getByRole('heading', { level: 1, name: 'Balance and Earnings' })).toBeVisible()
})

test('a form submitted without a connection says so, keeps what was typed, and works when it is submitted again', async ({
  open,
}) => {
  const page = await open({ provokes: /ERR_INTERNET_DISCONNECTED|Network error/ })
  await page.goto('/forgot-password')
  await page.getByLabel('Email').fill('otto@example.test')
  // The form's validation has been loaded by then.
  await page.waitForLoadState('networkidle')
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Email me a link' }).click()
  await expect(page.getByRole('alert')).toContainText('Network error')
  await page.context().setOffline(false)
  // `navigator.onLine` turns true a moment before requests succeed.
  await page.waitForFunction(() =>
    fetch('/health/live').then(
      reply => reply.ok,
      () => false,
    ),
  )
  await page.getByRole('button', { name: 'Email me a link' }).click()
  await expect(page.getByText('otto@example.test')).toBeVisible()
})

test('a screen that cannot be loaded says so, and is shown after a reload with a connection', async ({ open }) => {
  // A window with an empty cache.
  const page = await open({ as: await newPerson('TESTER', 'Olga Offline'), fresh: true, provokes: /./ })
  await page.goto('/unsubscribe')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.context().setOffline(true)
  await page.evaluate(() => {
    history.pushState(null, '', '/dashboard/notifications')
    dispatchEvent(new PopStateEvent('popstate'))
  })
  await expect(page.getByRole('heading', { level: 1, name: 'This page could not be loaded' })).toBeVisible()
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Reload' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Notifications' })).toBeVisible()
})
