/** The operator sees whether the data is right, has it checked, and reads what is broken. */
import { earn, newPerson, theAdmin } from './support/api.ts'
import { inEveryLook, violationsOf } from './support/axe.ts'
import { inDatabase } from './support/product.ts'
import { expect, outlivedTokens, test } from './support/test.ts'

test('an admin has the data checked and sees that it is right', async ({ open }) => {
  const admin = await open({ as: await theAdmin() })
  await admin.goto('/dashboard/operations')
  await admin.getByRole('button', { name: 'Run now' }).click()
  await expect(admin.getByText('All passed', { exact: true })).toBeVisible({ timeout: 30_000 })
  await admin.getByRole('list', { name: 'Data checks' }).getByText('Ledger balances', { exact: true }).click()
  await expect(admin.getByText('Every balance that an account carries is')).toBeVisible()
  expect(await inEveryLook(admin, 'operations')).toEqual([])
})

test('an admin pauses the jobs with a reason, sees the banner, and resumes them', async ({ open }) => {
  const admin = await open({ as: await theAdmin() })
  await admin.goto('/dashboard/operations')
  await admin.getByRole('button', { name: 'Pause jobs' }).click()
  const dialog = admin.getByRole('dialog', { name: 'Pause the jobs' })
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('The payment provider answers nonsense.')
  await dialog.getByRole('button', { name: 'Pause jobs' }).click()
  const banner = admin.getByRole('note').filter({ hasText: 'Jobs are paused' })
  await expect(banner).toContainText('The payment provider answers nonsense.')
  await expect(admin.getByRole('button', { name: 'Pause jobs' })).toBeHidden()
  expect(await inEveryLook(admin, 'operations-paused')).toEqual([])
  await banner.getByRole('button', { name: 'Resume jobs' }).click()
  await expect(banner).toBeHidden()
  await expect(admin.getByRole('button', { name: 'Pause jobs' })).toBeVisible()
})

test('books that are found to be wrong stop withdrawals, until an admin has written down why they can resume', async ({
  open,
}) => {
  const tester = await newPerson('TESTER', 'Bente Breach')
  await earn(await newPerson('DEVELOPER', 'Bo Books'), tester, 'Wrongly booked', 2000)
  const off = (cents: number) =>
    inDatabase(`update campaigns set funded_cents = funded_cents + $1 where title = 'Wrongly booked'`, [cents])
  await off(250)
  const admin = await open({ as: await theAdmin(), provokes: outlivedTokens })
  await admin.goto('/dashboard/operations')
  await admin.getByRole('button', { name: 'Run now' }).click()
  const alert = admin.getByRole('alert').filter({ hasText: 'Withdrawals are stopped' })
  await expect(alert).toContainText('Campaign funding: 1 row, off by $2.50', { timeout: 30_000 })
  await expect(admin.getByText('All passed', { exact: true })).toBeHidden()
  const found = await inEveryLook(admin, 'operations-stopped')

  const page = await open({ as: tester, screen: 'phone', provokes: outlivedTokens })
  await page.goto('/dashboard/balance')
  await expect(page.getByRole('note').filter({ hasText: 'Withdrawals are stopped' })).toContainText('balance is safe')
  await expect(page.getByRole('button', { name: 'Withdraw all' })).toBeDisabled()
  found.push(...(await inEveryLook(page, 'balance-stopped')))

  await off(-250)
  await alert.getByRole('button', { name: 'Resume withdrawals' }).click()
  const dialog = admin.getByRole('dialog', { name: 'Resume withdrawals' })
  await dialog.getByLabel('Why withdrawals can resume').fill('Mended.')
  await dialog.getByRole('button', { name: 'Resume withdrawals' }).click()
  await expect(dialog.getByText(/at least 20 characters/).first()).toBeVisible()
  found.push(...(await violationsOf(admin, 'why withdrawals can resume')))
  await dialog.getByLabel('Why withdrawals can resume').fill('A funded amount was changed by hand, and is right again.')
  await dialog.getByRole('button', { name: 'Resume withdrawals' }).click()
  await expect(alert).toBeHidden()
  const past = admin.getByRole('list', { name: 'Past withdrawal stops' }).getByRole('listitem').first()
  await expect(past).toContainText('A funded amount was changed by hand, and is right again.')
  await expect(past).toContainText('Admin resumed withdrawals')

  await page.reload()
  await page.getByRole('button', { name: 'Withdraw all' }).click()
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw $20.00' }).click()
  await expect(page.getByText('Withdrawal request submitted successfully')).toBeVisible()
  expect(found).toEqual([])
})
