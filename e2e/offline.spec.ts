/** Offline, a page says so and recovers by itself. Online, the service worker does not interfere. */
import { newPerson } from './support/api.ts'
import { expect, test } from './support/test.ts'

test('a page says that it is offline, and recovers with the connection', async ({ open }) => {
  const tester = await newPerson('TESTER', 'Otto Offline')
  const page = await open({ as: tester, worker: true, provokes: /ERR_INTERNET_DISCONNECTED|Network error/ })
  await page.goto('/dashboard/balance')
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')

  await page.goto('/dashboard/my-tests')
  await expect(page.getByRole('heading', { level: 1, name: 'My Tests' })).toBeVisible()
  // The browser keeps the parts of the page, which the document preloads: an answer of the worker would come too late.
  expect(await page.evaluate(() => caches.keys())).toHaveLength(1)

  await page.context().setOffline(true)
  await page.goto('/dashboard/balance')
  await expect(page.getByRole('heading', { level: 1, name: 'You are offline' })).toBeVisible()
  await page.context().setOffline(false)
  await expect(page.getByRole('heading', { level: 1, name: 'Balance and Earnings' })).toBeVisible()
})

test('a form pressed without a connection says so, keeps what was typed, and works when it is pressed again', async ({
  open,
}) => {
  const page = await open({ provokes: /ERR_INTERNET_DISCONNECTED|Network error/ })
  await page.goto('/forgot-password')
  await page.getByLabel('Email').fill('otto@example.test')
  // What checks the form has been fetched by then.
  await page.waitForLoadState('networkidle')
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Email me a link' }).click()
  await expect(page.getByRole('alert')).toContainText('Network error')
  await page.context().setOffline(false)
  // `navigator.onLine` is true a moment before requests pass.
  await page.waitForFunction(() =>
    fetch('/health/live').then(
      reply => reply.ok,
      () => false,
    ),
  )
  await page.getByRole('button', { name: 'Email me a link' }).click()
  await expect(page.getByText('otto@example.test')).toBeVisible()
})

test('a screen that cannot be fetched says so, and is shown after a reload with the connection', async ({ open }) => {
  // Nothing is in its cache yet.
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
