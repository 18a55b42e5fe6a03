/** Papers for bookkeeping: a developer saves a receipt and a table, a tester reads a statement and a payout advice on a phone. */
import { readFile } from 'node:fs/promises'
import type { Download } from '@playwright/test'
import { call, earn, newPerson, pendingCampaign } from './support/api.ts'
import { violationsOf } from './support/axe.ts'
import { expectLoaded } from './support/loaded.ts'
import { expect, outlivedTokens, type Page, test } from './support/test.ts'

const saved = async (page: Page, press: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> => {
  const coming: Promise<Download> = page.waitForEvent('download')
  await press()
  const download = await coming
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
}

test('a developer saves a receipt, the year’s summary and the transactions of a few days', async ({ open }) => {
  const developer = await newPerson('DEVELOPER', 'Petra Papers')
  await pendingCampaign(developer, { title: 'Łódź şehir notes' })
  const page = await open({ as: developer })
  await page.goto('/dashboard/payments')
  await page
    .getByRole('link', { name: /^View receipt/ })
    .first()
    .click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Receipt')
  const number = (await page.getByText(/^RCP-\d{8}-[0-9A-F]{12}$/).innerText()).trim()
  const receipt = await saved(page, () => page.getByRole('button', { name: 'PDF', exact: true }).click())
  expect(receipt.name).toBe(`${number}.pdf`)
  expect(receipt.bytes.subarray(0, 5).toString()).toBe('%PDF-')

  await page.goto('/dashboard/payments')
  await page.getByRole('link', { name: 'Statements', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Statements')
  const table = await saved(page, () => page.getByRole('button', { name: 'CSV for these days' }).click())
  expect(table.name).toBe('transactions.csv')
  expect(table.bytes.toString()).toContain('Łódź şehir notes,-25.00,USD,Completed')
  await page.getByLabel('First day').fill('2020-01-01')
  await page.getByLabel('Last day').fill('2020-12-31')
  const none = await saved(page, () => page.getByRole('button', { name: 'CSV for these days' }).click())
  expect(none.bytes.toString().trimEnd().split('\r\n')).toHaveLength(1)
  await page.getByLabel('Last day').fill('2019-12-31')
  await expect(page.getByText('The last day must not be before the first')).toBeVisible()
  await expect(page.getByRole('button', { name: 'CSV for these days' })).toBeDisabled()

  await page
    .getByRole('link', { name: /^Summary of/ })
    .first()
    .click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Summary of 20\d\d$/)
  await expect(page.getByRole('row').filter({ hasText: 'Łódź şehir notes' })).toContainText('$28.75')
  const year = await saved(page, () => page.getByRole('button', { name: 'PDF', exact: true }).click())
  expect(year.name).toMatch(/^YRS-20\d\d-[0-9A-F]{12}\.pdf$/)
})

test('a tester opens a statement and a payout advice on a phone, and both are accessible', async ({ open }) => {
  const tester = await newPerson('TESTER', 'Tessa Papers')
  await earn(await newPerson('DEVELOPER', 'Per Pays'), tester, 'Pays for papers', 2500)
  await call(tester, 'POST', '/testers/withdraw', { amountCents: 1000 })
  const page = await open({ as: tester, screen: 'phone', provokes: outlivedTokens })
  await page.goto('/dashboard/balance')
  await page.getByRole('link', { name: 'Statements', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Statements')
  const found = await violationsOf(page, 'statements')
  // The newest month comes first.
  await page.getByRole('main').getByRole('listitem').first().getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Statement, \w+ 20\d\d$/)
  await expect(page.getByText('Closing balance')).toBeVisible()
  await expectLoaded(page, 'statement')
  await expect(page.getByRole('row').filter({ hasText: 'Withdrawal' })).toContainText('−$10.00')
  found.push(...(await violationsOf(page, 'statement')))
  const statement = await saved(page, () => page.getByRole('button', { name: 'PDF', exact: true }).click())
  expect(statement.name).toMatch(/^STM-20\d{4}-[0-9A-F]{12}\.pdf$/)
  await page.getByRole('link', { name: /^View payout advice/ }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Payout advice')
  await expect(page.getByText('Gross amount', { exact: true })).toBeVisible()
  found.push(...(await violationsOf(page, 'payout advice')))
  const advice = await saved(page, () => page.getByRole('button', { name: 'PDF', exact: true }).click())
  expect(advice.bytes.subarray(0, 5).toString()).toBe('%PDF-')
  expect(found).toEqual([])
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
  expect(wide).toBe(false)
})

test('papers are printed dark on white, whatever the theme', async ({ open }) => {
  const page = await open({ as: await newPerson('DEVELOPER', 'Pam Paper'), fresh: true })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto('/dashboard/statements')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const colorOf = (name: string) =>
    page.evaluate(wanted => getComputedStyle(document.documentElement).getPropertyValue(wanted), name)
  // Adds a rule for the dark theme alone, such as the matrix has for its days.
  const dayOpacity = () =>
    page.evaluate(() => {
      const day = document.body.appendChild(document.createElement('i'))
      day.className = 'opacity-60 dark:opacity-100'
      const { opacity } = getComputedStyle(day)
      day.remove()
      return opacity
    })
  expect(await dayOpacity()).toBe('1')
  const dark = [await colorOf('--card'), await colorOf('--foreground')]
  await page.emulateMedia({ colorScheme: 'dark', media: 'print' })
  expect(await colorOf('--card')).toBe('#fff')
  expect(await dayOpacity()).toBe('0.6')
  expect([await colorOf('--card'), await colorOf('--foreground')]).not.toEqual(dark)
})
