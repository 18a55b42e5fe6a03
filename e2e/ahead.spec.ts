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
