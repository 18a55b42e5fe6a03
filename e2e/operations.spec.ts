/** Whoever runs the product sees whether the data is right, has it checked, and reads what is broken. */
import { theAdmin } from './support/api.ts'
import { inEveryLook } from './support/axe.ts'
import { expect, test } from './support/test.ts'

test('an admin has the data checked and sees that it is right', async ({ open }) => {
  const admin = await open({ as: await theAdmin() })
  await admin.goto('/dashboard/operations')
  await admin.getByRole('button', { name: 'Run now' }).click()
  await expect(admin.getByText('All hold', { exact: true })).toBeVisible({ timeout: 30_000 })
  await admin.getByRole('list', { name: 'Checks of the data' }).getByText('Ledger balances', { exact: true }).click()
  await expect(admin.getByText('Every balance that an account carries is')).toBeVisible()
  expect(await inEveryLook(admin, 'operations')).toEqual([])
})
