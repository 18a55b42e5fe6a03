/** A payout above the limit: one admin releases it, another confirms, and the tester sees what it waits for. */
import { anotherAdmin, call, earn, newPerson, passHours, theAdmin } from './support/api.ts'
import { inEveryLook, violationsOf } from './support/axe.ts'
import { inDatabase } from './support/product.ts'
import { expect, outlivedTokens, type Page, test } from './support/test.ts'

const settings = '/dashboard/system-settings'
const queue = '/dashboard/campaigns/pending?list=payouts'

const limitTo = async (page: Page, dollars: string) => {
  await page.goto(settings)
  await page.getByRole('switch', { name: 'Require two admins' }).check()
  await page.getByLabel('Two admins for payouts above').fill(dollars)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save changes' }).click()
}
const turnOff = () => inDatabase('update settings set payout_approval_cents = null')
const withdrawAll = async (page: Page, amount: string) => {
  await page.goto('/dashboard/balance')
  await page.getByRole('button', { name: 'Withdraw all' }).click()
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Two members of our team first check')
  await dialog.getByRole('button', { name: `Withdraw ${amount}` }).click()
  await expect(page.getByText('Withdrawal request submitted successfully')).toBeVisible()
}

test('one admin sets the limit and releases a payout, another confirms it, and then it is paid', async ({ open }) => {
  const admin = await theAdmin()
  // Other journeys of this worker may have made more.
  await inDatabase(`update users set role = 'DEVELOPER' where role = 'ADMIN' and email <> $1`, [admin.email])
  const first = await open({ as: admin, provokes: /409|status of 401|: 401 Sign in to continue/ })
  await limitTo(first, '15')
  await expect(first.getByRole('dialog')).toContainText('only while there are two')
  const colleague = await anotherAdmin('Cora Colleague')
  try {
    await first.reload()
    await limitTo(first, '15')
    await expect(first.getByRole('dialog')).toBeHidden()
    const tester = await newPerson('TESTER', 'Lara Large')
    await earn(await newPerson('DEVELOPER', 'Paul Pays'), tester, 'Pays twenty', 2000)
    const page = await open({ as: tester, screen: 'phone', provokes: outlivedTokens })
    await withdrawAll(page, '$20.00')
    const line = page.getByRole('list', { name: 'Transactions' }).getByRole('listitem').first()
    await expect(line).toContainText('Two members of our team check')
    await expect(line).toContainText('On hold since')
    expect(await inEveryLook(page, 'balance-held')).toEqual([])

    const one = await open({ as: await theAdmin(), provokes: outlivedTokens })
    await one.goto('/dashboard')
    const need = one.getByRole('listitem').filter({ hasText: '1 payout to release or confirm' })
    await need.getByRole('link').first().click()
    await expect(one.getByRole('heading', { name: /\$20\.00 to Lara Large/ })).toBeVisible()
    expect(await inEveryLook(one, 'payouts-to-release')).toEqual([])
    await one.getByRole('button', { name: 'Release: $20.00 to Lara Large' }).click()
    await expect(one.getByRole('dialog')).toBeVisible()
    expect(await violationsOf(one, 'payout to release')).toEqual([])
    await one.getByRole('dialog').getByRole('button', { name: 'Release $20.00' }).click()
    await expect(one.getByText('It is paid once another admin confirms.')).toBeVisible()
    await expect(one.getByRole('button', { name: /^Confirm/ })).toBeHidden()
    await expect(page.getByText('One has released yours').first()).toBeVisible({ timeout: 15_000 })

    const two = await open({ as: colleague, screen: 'phone', provokes: outlivedTokens })
    await two.goto(queue)
    await expect(two.getByText('by Admin,')).toBeVisible()
    expect(await inEveryLook(two, 'payouts-to-confirm')).toEqual([])
    await two.getByRole('button', { name: 'Confirm: $20.00 to Lara Large' }).click()
    await two.getByRole('dialog').getByRole('button', { name: 'Confirm $20.00' }).click()
    await expect(two.getByText('No payouts')).toBeVisible()
    await passHours(1)
    await page.goto('/dashboard/balance')
    await expect(page.getByRole('row').filter({ hasText: 'Withdrawal to' })).toContainText('Completed')
  } finally {
    await turnOff()
  }
})

test('a refused payout returns to the balance, with the reason', async ({ open }) => {
  const admin = await theAdmin()
  await anotherAdmin('Carl Colleague')
  await call(admin, 'PATCH', '/admin/settings', { payoutApprovalCents: 1500 })
  try {
    const tester = await newPerson('TESTER', 'Rosa Refused')
    await earn(await newPerson('DEVELOPER', 'Pia Pays'), tester, 'Pays sixteen', 1600)
    const page = await open({ as: tester, provokes: outlivedTokens })
    await withdrawAll(page, '$16.00')
    const one = await open({ as: await theAdmin(), provokes: outlivedTokens })
    await one.goto(queue)
    await one.getByRole('button', { name: 'Refuse: $16.00 to Rosa Refused' }).click()
    await one.getByRole('textbox', { name: 'Reason' }).fill('We could not reach you about this account.')
    await one.getByRole('dialog').getByRole('button', { name: 'Refuse' }).click()
    await expect(one.getByText('No payouts')).toBeVisible()
    await page.goto('/dashboard/balance')
    await expect(page.getByRole('row').filter({ hasText: 'Withdrawal to' })).toContainText(
      'Our team refused this payout. We could not reach you about this account.',
    )
    await expect(page.getByRole('row').filter({ hasText: 'Withdrawal returned' })).toContainText('+$16.00')
  } finally {
    await turnOff()
  }
})

test('one admin proposes to turn the limit off, it stays until another confirms, and both read who did what', async ({
  open,
}) => {
  const colleague = await anotherAdmin('Cleo Colleague')
  const admin = await theAdmin()
  await call(admin, 'PATCH', '/admin/settings', { payoutApprovalCents: 1500 })
  try {
    const one = await open({ as: admin, provokes: outlivedTokens })
    await one.goto(settings)
    const limit = one.getByRole('switch', { name: 'Require two admins' })
    await limit.uncheck()
    await one.getByRole('button', { name: 'Save changes' }).click()
    const dialog = one.getByRole('dialog')
    await expect(dialog).toContainText('waits until another admin confirms it')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(one.getByText('Another admin has to confirm the change to the two-admin rule')).toBeVisible()
    await expect(one.getByRole('heading', { name: 'Stop requiring two admins for payouts' })).toBeVisible()
    await expect(
      one.getByText('Payouts above $15.00 need two admins until another admin confirms the change.'),
    ).toBeVisible()
    await expect(one.getByRole('button', { name: 'Confirm', exact: true })).toBeHidden()
    // The form shows what is in effect, and has nothing to save.
    await expect(limit).toBeChecked()
    await expect(one.getByLabel('Two admins for payouts above')).toHaveValue('15.00')
    await expect(one.getByRole('button', { name: 'Save changes' })).toBeDisabled()
    expect(await inEveryLook(one, 'limit-change-proposed')).toEqual([])

    const two = await open({ as: colleague, screen: 'phone', provokes: outlivedTokens })
    await two.goto('/dashboard')
    const need = two.getByRole('listitem').filter({ hasText: 'A change to the two-admin rule for payouts is waiting' })
    await need.getByRole('link').first().click()
    await expect(two.getByText('Proposed by Admin')).toBeVisible()
    expect(await inEveryLook(two, 'limit-change-to-confirm')).toEqual([])
    await two.getByRole('button', { name: 'Confirm', exact: true }).click()
    await expect(two.getByRole('dialog')).toContainText('$15.00 → off')
    expect(await violationsOf(two, 'limit change to confirm')).toEqual([])
    await two.getByRole('button', { name: 'Confirm the change' }).click()
    await expect(two.getByText('Two-admin rule changed')).toBeVisible()
    await expect(two.getByRole('heading', { name: 'Stop requiring two admins for payouts' })).toBeHidden()
    await expect(two.getByRole('switch', { name: 'Require two admins' })).not.toBeChecked()

    await one.goto('/dashboard/audit-log')
    const entry = one.getByRole('listitem').filter({ hasText: 'Cleo Colleague' }).first()
    await expect(entry).toContainText('two-admin rule')
  } finally {
    await turnOff()
  }
})
