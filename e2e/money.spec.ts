/** Money and seats under bad conditions: a declined payment, a failed payout, an ineligible device. */
import { call, draftCampaign, earn, join, liveCampaign, newPerson, passHours, pendingCampaign } from './support/api.ts'
import { confirm, password } from './support/people.ts'
import { expect, outlivedTokens, type Page, test } from './support/test.ts'

const changePaymentMethod = async (page: Page, address: string) => {
  await page.getByRole('button', { name: 'Change payment method' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email address of your payment account').fill(address)
  await dialog.getByLabel('Current password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Change payment method' }).click()
  await expect(dialog).toBeHidden()
}

test('a declined payment says so and moves nothing, and a different method pays', async ({ open }) => {
  const developer = await newPerson('DEVELOPER', 'Dina Declined')
  const { id } = await draftCampaign(developer, { title: 'Paid at the second try' })
  const page = await open({ as: developer, provokes: /402/ })
  await page.goto('/dashboard/payments')
  await changePaymentMethod(page, 'decline@journeys.test')
  await page.goto(`/dashboard/campaigns/${id}`)
  await page.getByRole('main').getByRole('button', { name: 'Pay $28.75', exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('decline@journeys.test')
  await dialog.getByRole('button', { name: 'Pay $28.75' }).click()
  await expect(dialog.getByText(/declined/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('main').getByText('Draft', { exact: true })).toBeVisible()
  const nextStep = page.getByRole('region', { name: 'Next step' })
  await expect(nextStep).toContainText('Your payment of $28.75 was declined')
  await expect(nextStep).toContainText('The sandbox declines this payment method')
  await page.goto('/dashboard/payments')
  await expect(
    page.getByRole('link', { name: 'View declined payment: Paid at the second try', exact: true }),
  ).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: 'Paid at the second try' }).first()).toContainText('Failed')
  await changePaymentMethod(page, 'dina@journeys.test')
  await page.goto(`/dashboard/campaigns/${id}`)
  await confirm(page, 'Pay $28.75')
  await expect(page.getByRole('main').getByText('Pending approval', { exact: true }).first()).toBeVisible()
})

test('a payment on its way is shown above the statement until its line appears, on a phone too', async ({ open }) => {
  const developer = await newPerson('DEVELOPER', 'Sol Slow')
  await call(developer, 'PATCH', '/users/me', { paymentMethod: 'slow@journeys.test', currentPassword: password })
  const title = 'Paid a while later'
  const { id } = await draftCampaign(developer, { title })
  await call(developer, 'POST', `/campaigns/${id}/fund`, { amountCents: 2875 })
  const page = await open({ as: developer, screen: 'phone' })
  await page.goto('/dashboard/payments')
  const waiting = page.getByRole('listitem').filter({ hasText: title })
  await expect(waiting).toContainText('$28.75')
  await expect(waiting).toContainText('Waiting for the payment provider to confirm it.')
  await waiting.getByRole('link', { name: title }).click()
  await expect(page.getByRole('heading', { name: 'Your payment of $28.75 is on its way' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Pay / })).toBeHidden()
})

test('a payment whose answers are lost is charged once: the page repeats the request without a press', async ({
  open,
}) => {
  const developer = await newPerson('DEVELOPER', 'Liv Lostanswer')
  const { id } = await draftCampaign(developer, { title: 'Paid exactly once' })
  const page = await open({ as: developer, provokes: /ERR_FAILED|Network error/ })
  await page.goto(`/dashboard/campaigns/${id}`)
  let lost = 0
  await page.route(`**/api/v1/campaigns/${id}/fund`, async route => {
    if (lost === 2) return route.fallback()
    lost++
    await route.fetch()
    return route.abort()
  })
  await page.getByRole('main').getByRole('button', { name: 'Pay $28.75', exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Pay $28.75' }).click()
  await expect(dialog).toBeHidden({ timeout: 20_000 })
  expect(lost).toBe(2)
  const { data } = await call<{ data: { amountCents: number }[] }>(developer, 'GET', '/users/me/transactions')
  expect(data.map(({ amountCents }) => amountCents).toSorted((a, b) => a - b)).toEqual([375, 2500])
})

test('a withdrawal whose answer is lost is made once, even if the dialog was closed in between', async ({ open }) => {
  const tester = await newPerson('TESTER', 'Lea Lostanswer')
  await earn(await newPerson('DEVELOPER', 'Per Pays'), tester, 'Pays twenty-five', 2500)
  const page = await open({ as: tester, provokes: /ERR_FAILED|Network error/ })
  await page.goto('/dashboard/balance')
  let lost = 0
  await page.route('**/api/v1/testers/withdraw', async route => {
    if (lost === 4) return route.fallback()
    lost++
    await route.fetch()
    return route.abort()
  })
  await page.getByLabel('Amount').fill('10')
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Withdraw $10.00' }).click()
  await expect(dialog.getByText('Network error')).toBeVisible({ timeout: 20_000 })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
  await dialog.getByRole('button', { name: 'Withdraw $10.00' }).click()
  await expect(page.getByText('Withdrawal request submitted successfully')).toBeVisible()
  expect(lost).toBe(4)
  expect((await call<{ balanceCents: number }>(tester, 'GET', '/testers/balance')).balanceCents).toBe(1500)
})

test('a refund has a credit note with its parts, date and payment method', async ({ open }) => {
  const developer = await newPerson('DEVELOPER', 'Rita Refunded')
  const { id } = await draftCampaign(developer, { title: 'Called off again' })
  await call(developer, 'POST', `/campaigns/${id}/fund`, { amountCents: 2875 })
  await call(developer, 'POST', `/campaigns/${id}/cancel`)
  const page = await open({ as: developer, provokes: outlivedTokens })
  await page.goto('/dashboard/payments')
  await page.getByRole('link', { name: 'View credit note: Refund, Called off again' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Credit note')
  const paper = page.getByRole('article')
  await expect(paper).toContainText('Processing')
  await passHours(1)
  await page.reload()
  await expect(paper).toContainText('Completed')
  for (const words of [
    'Called off again',
    'Rita Refunded',
    'Testers’ pay$25.00',
    'Platform fee$3.75',
    'Total refunded$28.75',
  ])
    await expect(paper).toContainText(words)
  await page.getByRole('link', { name: 'Payments' }).last().click()
  // A payment is one line; pressing it shows its parts.
  await expect(page.getByRole('link', { name: /^View receipt/ })).toHaveCount(1)
  const line = page.getByRole('row').filter({ hasText: 'Payment' }).filter({ hasText: 'Called off again' })
  await expect(line).toContainText('−$28.75')
  await expect(line.getByText('Platform fee')).toBeHidden()
  await line.getByRole('button', { name: /^Breakdown of the payment/ }).click()
  await expect(line).toContainText('Testers’ pay$25.00Platform fee$3.75')
})

test('a failed payout returns to the balance, and both transactions say so', async ({ open }) => {
  const tester = await newPerson('TESTER', 'Fina Fails')
  await earn(await newPerson('DEVELOPER', 'Paul Pays'), tester, 'Pays fifteen', 1500)
  const page = await open({ as: tester, screen: 'phone', provokes: outlivedTokens })
  await page.goto('/dashboard/balance')
  await changePaymentMethod(page, 'decline@journeys.test')
  await expect(page.getByText('Withdrawals are paused', { exact: true })).toBeVisible()
  await expect(page.getByText(/^Your payment method changed .* The pause ends on /)).toBeVisible()
  await passHours(25)
  await page.goto('/dashboard/balance')
  await page.getByRole('button', { name: 'Withdraw all' }).click()
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('decline@journeys.test')
  await dialog.getByRole('button', { name: 'Withdraw $15.00' }).click()
  await expect(page.getByText('Withdrawal request submitted successfully')).toBeVisible()
  await passHours(1)
  await page.goto('/dashboard/balance')
  const lines = page.getByRole('list', { name: 'Transactions' }).getByRole('listitem')
  await expect(lines.filter({ hasText: 'Withdrawal to decline@' })).toContainText('Failed')
  await expect(lines.filter({ hasText: 'Withdrawal returned' })).toContainText('+$15.00')
  await expect(page.getByRole('button', { name: 'Withdraw all' })).toBeEnabled()
  expect((await call<{ balanceCents: number }>(tester, 'GET', '/testers/balance')).balanceCents).toBe(1500)
})

test('an outdated device is refused with the required and the actual version', async ({ open }) => {
  const developer = await newPerson('DEVELOPER', 'Nora Needs')
  const campaign = await liveCampaign(developer, {
    title: 'Needs a newer phone',
    filters: { countries: [], minAndroidVersion: '13', minIOSVersion: null },
  })
  const page = await open({ as: await newPerson('TESTER', 'Otis Oldphone'), screen: 'phone', provokes: /422/ })
  await page.goto(`/dashboard/campaigns/${campaign.id}`)
  await page.getByRole('main').getByRole('button', { name: 'Join Campaign' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Platform').selectOption('android')
  await dialog.getByLabel('OS version').fill('12')
  await dialog.getByLabel('Model').fill('Galaxy S10')
  await dialog.getByRole('button', { name: 'Join Campaign' }).click()
  await expect(dialog.getByText(/Needs Android 13 or newer; you have 12/)).toBeVisible()
  const { _count } = await call<typeof campaign>(developer, 'GET', `/campaigns/${campaign.id}`)
  expect(_count.campaignTesters).toBe(0)
  await dialog.getByLabel('OS version').fill('13')
  await dialog.getByRole('button', { name: 'Join Campaign' }).click()
  await expect(page).toHaveURL(/\/dashboard\/my-tests/)
})

test('a tester who is too late for the last seat is refused, and offered the bench', async ({ open }) => {
  const developer = await newPerson('DEVELOPER', 'Lars Lastseat')
  const campaign = await liveCampaign(developer, { title: 'One seat only', testersRequired: 1 })
  const page = await open({ as: await newPerson('TESTER', 'Late Comer'), provokes: /409/ })
  await page.goto(`/dashboard/campaigns/${campaign.id}`)
  await page.getByRole('main').getByRole('button', { name: 'Join Campaign' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Platform').selectOption('android')
  await dialog.getByLabel('OS version').fill('14')
  await dialog.getByLabel('Model').fill('Pixel 8')
  await join(await newPerson('TESTER', 'Early Bird'), campaign)
  await dialog.getByRole('button', { name: 'Join Campaign' }).click()
  await expect(
    dialog
      .getByRole('alert')
      .or(dialog.getByText(/seat|full/i))
      .first(),
  ).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByRole('main').getByRole('button', { name: 'Wait for a seat' }).first()).toBeEnabled()
})

test('an amount in the millions stays inside its card on a phone', async ({ open }) => {
  const developer = await newPerson('DEVELOPER', 'Mila Millions')
  await pendingCampaign(developer, { title: 'A million', testersRequired: 100, payPerTesterCents: 1_000_000 })
  const page = await open({ as: developer, screen: 'phone' })
  await page.goto('/dashboard/payments')
  const amount = page.getByText('$1,150,000.00', { exact: true }).first()
  await expect(amount).toBeVisible()
  const [inside, card] = await Promise.all([amount.boundingBox(), amount.locator('xpath=..').boundingBox()])
  expect(inside!.x + inside!.width).toBeLessThanOrEqual(card!.x + card!.width)
})
