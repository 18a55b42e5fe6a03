/** The ledger: an admin follows money from a campaign to the other account, and back to an earlier balance. */
import { call, earn, liveCampaign, newPerson, theAdmin } from './support/api.ts'
import { inEveryLook, violationsOf } from './support/axe.ts'
import { expect, outlivedTokens, type Page, test } from './support/test.ts'

const rows = (page: Page) => page.getByRole('table', { name: 'Transfers' }).getByRole('row').filter({ hasText: '$' })

test('an admin opens an account, pages through it, sees it as it was after an earlier transfer, and returns', async ({
  open,
}) => {
  const developer = await newPerson('DEVELOPER', 'Lena Ledger')
  const tester = await newPerson('TESTER', 'Tom Ledger')
  await earn(developer, tester, 'Earned before', 5000)
  for (const amountCents of [1000, 1100, 1200]) await call(tester, 'POST', '/testers/withdraw', { amountCents })
  const { id } = await liveCampaign(developer, { title: 'Followed through the books' })
  await call(developer, 'POST', `/campaigns/${id}/cancel`)
  const page = await open({ as: await theAdmin(), provokes: outlivedTokens })
  await page.goto(`/dashboard/campaigns/${id}`)
  await page.getByRole('main').getByRole('link', { name: 'Ledger' }).click()
  await expect(page.getByRole('link', { name: 'Followed through the books' })).toBeVisible()
  await page.getByLabel('Account', { exact: true }).selectOption({ label: 'Campaign fee' })
  // The payment, and its refund after the cancellation.
  await expect(rows(page)).toHaveCount(2)
  await expect(rows(page).first()).toContainText('−$3.75')
  await expect(page.getByText('newest', { exact: false }).first()).toBeVisible()

  await rows(page)
    .nth(1)
    .getByRole('link', { name: /^\d+: the account as it was/ })
    .click()
  await expect(page.getByText(/^As it was after transfer/)).toBeVisible()
  await expect(rows(page)).toHaveCount(1)
  await page.getByLabel('Up to transfer number').fill('the last one')
  await page.getByRole('button', { name: 'Show' }).click()
  await expect(page.getByText('Enter a transfer number, such as 1042')).toBeVisible()
  await expect(page.getByLabel('Up to transfer number')).toBeFocused()
  const found = await inEveryLook(page, 'books-up-to')
  await page.getByRole('button', { name: 'Back to the newest' }).click()
  await expect(rows(page)).toHaveCount(2)
  await expect(page.getByLabel('Up to transfer number')).toHaveValue('')

  // Two per page, so that four transfers fill two pages.
  const transfers = '**/admin/ledger/transfers?*'
  await page.route(transfers, route => route.continue({ url: route.request().url().replace('limit=50', 'limit=2') }))
  await page.goto(`/dashboard/users/${tester.session.user.id}`)
  await page.getByRole('main').getByRole('link', { name: 'Ledger' }).click()
  await expect(rows(page)).toHaveCount(4)
  await expect(rows(page)).toContainText(['−$12.00', '−$11.00', '−$10.00', '+$50.00'])
  await expect(rows(page)).toContainText(['$17.00', '$29.00', '$40.00', '$50.00'])
  found.push(...(await violationsOf(page, 'books-of-a-tester')))
  await page.unroute(transfers)
  await rows(page).first().getByRole('link', { name: 'Payouts in transit' }).click()
  const account = page.getByLabel('Account', { exact: true }).locator('option:checked')
  await expect(account).toHaveText('Payouts in transit')
  await page.goBack()
  await expect(account).toHaveText('Tester balance')
  expect(found).toEqual([])
})
