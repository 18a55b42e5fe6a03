/** With Stripe as the provider: a developer pays on its page and returns, and a tester sets up a payout account there. */
import { draftCampaign, earn, newPerson, passHours } from './support/api.ts'
import { inEveryLook, violationsOf } from './support/axe.ts'
import { address } from './support/product.ts'
import { stripe, stripeTells } from './support/stripe.ts'
import { expect, outlivedTokens, test } from './support/test.ts'

test.use({ provider: 'stripe' })

test('a campaign is paid once Stripe says so, and neither a declined card nor going back loses anything', async ({
  open,
}) => {
  const developer = await newPerson('DEVELOPER', 'Dana Checkout')
  const { id } = await draftCampaign(developer, { title: 'Paid by card' })
  const page = await open({ as: developer })
  await page.goto(`/dashboard/campaigns/${id}`)
  await page.getByRole('main').getByRole('button', { name: 'Pay $28.75', exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('on Stripe’s page')
  expect(await violationsOf(page, 'payment by Stripe')).toEqual([])
  await dialog.getByRole('button', { name: 'Pay $28.75' }).click()

  await page.getByRole('button', { name: 'Pay with a declined card' }).click()
  await stripeTells(address())
  await page.getByRole('link', { name: 'Back' }).click()
  const step = page.getByRole('region', { name: 'Next step' })
  await expect(step).toContainText('Finish your payment of $28.75')
  expect(await inEveryLook(page, 'payment-to-finish')).toEqual([])
  await page.goto('/dashboard/payments')
  const unfinished = page.getByRole('listitem').filter({ hasText: 'Finish it from the campaign’s page' })
  await expect(unfinished).toContainText('$28.75')
  expect(await inEveryLook(page, 'payments-on-their-way')).toEqual([])
  await unfinished.getByRole('link', { name: 'Paid by card' }).click()

  await step.getByRole('button', { name: 'Continue to payment' }).click()
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  // The product may ask before Stripe tells it.
  await expect(step).toContainText(/Your payment of \$28\.75 is on its way|In review/)
  await stripeTells(address())
  // The page changes without a reload.
  await expect(step).toContainText('In review')
})

test('a payment that a bank takes days to collect is on its way, and its page is no longer offered', async ({
  open,
}) => {
  const developer = await newPerson('DEVELOPER', 'Dora Debit')
  const { id } = await draftCampaign(developer, { title: 'Paid by debit' })
  const page = await open({ as: developer })
  await page.goto(`/dashboard/campaigns/${id}`)
  await page.getByRole('main').getByRole('button', { name: 'Pay $28.75', exact: true }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Pay $28.75' }).click()
  await expect(page.getByRole('button', { name: 'Pay with a declined card' })).toBeVisible()
  await page.goto(`/dashboard/campaigns/${id}`)
  const step = page.getByRole('region', { name: 'Next step' })
  await expect(step.getByRole('button', { name: 'Continue to payment' })).toBeVisible()

  const [session] = stripe()!.all('checkout.session')
  stripe()!.payLater(session!.id)
  await stripeTells(address())
  // Without a reload.
  await expect(step).toContainText('Your payment of $28.75 is on its way')
  await expect(step.getByRole('button')).toHaveCount(0)
  expect(await inEveryLook(page, 'payment-on-its-way')).toEqual([])
  stripe()!.settlePayment(session!.id, 'succeeded')
  await stripeTells(address())
  await expect(step).toContainText('In review')
})

test('a tester sets up a payout account in two steps, and withdraws to it', async ({ open }) => {
  const tester = await newPerson('TESTER', 'Tilda Payouts')
  await earn(await newPerson('DEVELOPER', 'Piet Pays'), tester, 'Pays by Stripe', 2000)
  const page = await open({ as: tester, screen: 'phone', provokes: outlivedTokens })
  await page.goto('/dashboard/balance')
  await expect(page.getByText('Set up your payout account first')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Withdraw all' })).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Set up payouts' })).toBeDisabled()
  await page.getByLabel('Country of your bank account').selectOption({ label: 'Germany' })
  const found = await inEveryLook(page, 'payout-account-none')
  await page.getByRole('button', { name: 'Set up payouts' }).click()
  await page.getByRole('button', { name: 'Give one thing' }).click()

  await expect(page.getByText('Details missing')).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'External account' })).toBeVisible()
  found.push(...(await inEveryLook(page, 'payout-account-incomplete')))
  await page.getByRole('button', { name: 'Continue at Stripe' }).click()
  await page.getByRole('button', { name: 'Give everything' }).click()

  await expect(page.getByRole('button', { name: 'Change it at Stripe' })).toBeVisible()
  // The account was just set up, so a day has to pass first.
  await expect(page.getByText('Your payout account was set up less than 24 hours ago').first()).toBeVisible()
  found.push(...(await inEveryLook(page, 'payout-account-ready')))
  await passHours(24)
  await page.reload()
  await page.getByRole('button', { name: 'Withdraw all' }).click()
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Your payout account at Stripe')
  await dialog.getByRole('button', { name: 'Withdraw $20.00' }).click()
  await expect(page.getByText('Withdrawal request submitted successfully')).toBeVisible()
  await passHours(0)
  await page.reload()
  await expect(page.getByRole('row').filter({ hasText: 'Withdrawal to' })).toContainText('Completed')
  expect(stripe()!.all('transfer')).toMatchObject([{ amount: 2000 }])
  expect(found).toEqual([])
})

test('a tester removes a payout account and is asked to set up another; the settings show the same account', async ({
  open,
}) => {
  const tester = await newPerson('TESTER', 'Rosa Removes')
  const page = await open({ as: tester, screen: 'phone', provokes: outlivedTokens })
  await page.goto('/dashboard/settings')
  await expect(page.getByRole('heading', { name: 'Payment method' })).toBeHidden()
  await page.getByLabel('Country of your bank account').selectOption({ label: 'Austria' })
  await page.getByRole('button', { name: 'Set up payouts' }).click()
  await page.getByRole('button', { name: 'Give everything' }).click()

  await expect(page.getByText('Stripe forwards your money to your bank in Austria')).toBeVisible()
  await page.getByRole('button', { name: 'Remove payout account' }).click()
  const found = await inEveryLook(page, 'payout-account-removal')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove payout account' }).click()
  await expect(page.getByText('Payout account removed')).toBeVisible()
  await page.getByLabel('Country of your bank account').selectOption({ label: 'France' })
  await page.getByRole('button', { name: 'Set up payouts' }).click()
  await page.getByRole('button', { name: 'Give everything' }).click()
  await expect(page.getByText('your bank in France')).toBeVisible()
  expect(found).toEqual([])
})
