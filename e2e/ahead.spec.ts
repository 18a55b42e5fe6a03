/** The code of the screens that the open one links to is loaded before a link is pressed (decision 033). */
import type { Page } from '@playwright/test'
import { newPerson } from './support/api.ts'
import { expect, test } from './support/test.ts'

const scriptsOf = (page: Page): string[] => {
  const asked: string[] = []
  page.on('request', request => {
    if (request.resourceType() === 'script') asked.push(new URL(request.url()).pathname)
  })
  return asked
}

/** The files of a screen, from the document's table, as public/shell.js reads it. */
const filesOf = (page: Page, screen: string): Promise<string[]> =>
  page.locator('#first-code').evaluate((script, path) => {
    const { files, screens } = JSON.parse(script.textContent!) as { files: string[]; screens: Record<string, number[]> }
    return screens[path]!.map(number => `/${files[number]}`)
  }, screen)

const pressPayments = async (page: Page) => {
  await page.getByRole('link', { name: 'Payments', exact: true }).first().click()
  await expect(page.getByRole('heading', { name: 'Payments', level: 1 })).toBeVisible()
}

test('a screen that the open one links to opens without requesting a script', async ({ open }) => {
  const page = await open({ as: await newPerson('DEVELOPER', 'Ada Ahead') })
  const asked = scriptsOf(page)
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const files = await filesOf(page, '/dashboard/payments')
  await expect(async () => expect(asked).toEqual(expect.arrayContaining(files))).toPass()
  asked.length = 0
  await pressPayments(page)
  expect(asked.filter(script => files.includes(script))).toEqual([])
})

test('when the browser saves data, a screen’s code is requested only once its link is pressed', async ({ open }) => {
  const page = await open({ as: await newPerson('DEVELOPER', 'Sam Saver'), fresh: true })
  await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }))
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  // By now the page would have prefetched, because the same code opens the event stream.
  await page.waitForRequest(/\/users\/me\/events/)
  const asked = scriptsOf(page)
  await pressPayments(page)
  const [own] = (await filesOf(page, '/dashboard/payments')).filter(file => file.includes('PaymentsPage'))
  expect(asked).toContain(own)
})

test('a screen whose code is missing takes nothing from who only points at its link, and reloads the page once pressed', async ({
  open,
}) => {
  const page = await open({ as: await newPerson('DEVELOPER', 'Mia Missing'), fresh: true, provokes: /./ })
  await page.route('**/assets/PaymentsPage-*.js', route => route.abort())
  await page.goto('/dashboard/settings')
  const name = page.getByLabel('Full name')
  await name.fill('Mia, still typing')
  const link = page.getByRole('link', { name: 'Payments', exact: true }).first()
  const missed = page.evaluate(() =>
    new Promise(resolve => addEventListener('vite:preloadError', resolve)).then(() => true),
  )
  await link.hover()
  expect(await missed).toBe(true)
  // Longer than the page takes to decide.
  await page.evaluate(() => new Promise(resolve => setTimeout(() => setTimeout(resolve))))
  await expect(name).toHaveValue('Mia, still typing')
  const reloaded = page.waitForEvent('domcontentloaded')
  await link.click()
  await page.getByRole('button', { name: 'Leave' }).click()
  await reloaded
  await expect(page).toHaveURL(/\/dashboard\/payments$/)
  await expect(page.getByRole('heading', { name: 'This page could not be loaded' })).toBeVisible()
})
