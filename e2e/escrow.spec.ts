/** Money that has been in escrow for 80 days: an admin finds it in "Needs your attention" and decides, and the developer reads why. */
import { call, newPerson, passHours, pendingCampaign, theAdmin } from './support/api.ts'
import { inEveryLook } from './support/axe.ts'
import { expect, outlivedTokens, test } from './support/test.ts'

test('an admin sees money that has been in escrow for 80 days, extends it with a reason, and sees it again in ten days', async ({
  open,
}) => {
  const developer = await newPerson('DEVELOPER', 'Lena Long')
  const title = 'A test of three months'
  const { id } = await pendingCampaign(developer, { title, durationDays: 90 })
  await passHours(20 * 24)
  await call(await theAdmin(), 'POST', `/admin/campaigns/${id}/approve`)
  await call(developer, 'POST', `/campaigns/${id}/start`)
  await passHours(60 * 24)

  const admin = await open({ as: await theAdmin(), provokes: outlivedTokens })
  await admin.goto('/dashboard')
  const need = admin.getByRole('listitem').filter({ hasText: 'with money in escrow for too long' })
  await need.getByRole('link').click()
  const item = admin.getByRole('listitem').filter({ hasText: title })
  await expect(item).toContainText('Decide now')
  await expect(item).toContainText('80 days')
  expect(await inEveryLook(admin, 'escrow')).toEqual([])
  await item.getByRole('button', { name: `Extend: ${title}` }).click()
  const dialog = admin.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('Short')
  await dialog.getByRole('button', { name: 'Extend by 30 days' }).click()
  // The hint is there from the start; the field is marked once the form was refused.
  await expect(dialog.getByLabel('Reason')).toHaveAttribute('aria-invalid', 'true')
  await expect(dialog).toContainText('at least 10 characters')
  await dialog.getByLabel('Reason').fill('It is a test of 90 days, and testers are still to come.')
  expect(await inEveryLook(admin, 'escrow-extend')).toEqual([])
  await dialog.getByRole('button', { name: 'Extend by 30 days' }).click()
  await expect(dialog).toBeHidden()
  await expect(item).toBeHidden()
  expect(await inEveryLook(admin, 'escrow-extended')).toEqual([])
  const told = await call<{ subject: string; text: string }[]>(developer, 'GET', '/users/me/notifications')
  const mail = told.find(({ subject }) => subject === `Your payment stays in escrow: ${title}`)
  expect(mail?.text).toContain('testers are still to come')

  await passHours(10 * 24)
  const phone = await open({ as: await theAdmin(), screen: 'phone', provokes: outlivedTokens })
  await phone.goto('/dashboard/campaigns/pending?list=escrow')
  const again = phone.getByRole('listitem').filter({ hasText: title })
  await expect(again).toContainText('Watched')
  await expect(again).toContainText('testers are still to come')
  expect(await inEveryLook(phone, 'escrow-phone')).toEqual([])
})

test('a developer who is asked to pay anew pays, and the old payment is refunded', async ({ open }) => {
  const developer = await newPerson('DEVELOPER', 'Paula Anew')
  const title = 'Paid twice, charged once'
  const { id } = await pendingCampaign(developer, { title, durationDays: 90 })
  await passHours(61 * 24)

  const admin = await open({ as: await theAdmin(), provokes: outlivedTokens })
  await admin.goto('/dashboard/campaigns/pending?list=escrow')
  const item = admin.getByRole('listitem').filter({ hasText: title })
  await item.getByRole('button', { name: `Ask for new payment: ${title}` }).click()
  const dialog = admin.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('The bank lets us hold a payment for 90 days only.')
  expect(await inEveryLook(admin, 'escrow-renew')).toEqual([])
  await dialog.getByRole('button', { name: 'Ask for new payment' }).click()
  await expect(dialog).toBeHidden()
  await expect(item).toContainText('not paid yet')
  expect(await inEveryLook(admin, 'escrow-asked')).toEqual([])

  const phone = await open({ as: developer, screen: 'phone', provokes: outlivedTokens })
  await phone.goto(`/dashboard/campaigns/${id}`)
  const notice = phone.getByRole('note').filter({ hasText: 'A new payment of $28.75 is due' })
  await expect(notice).toContainText('it costs you nothing extra')
  expect(await inEveryLook(phone, 'renewal')).toEqual([])
  await notice.getByRole('button', { name: 'Make new payment' }).click()
  expect(await inEveryLook(phone, 'renewal-dialog')).toEqual([])
  await phone.getByRole('dialog').getByRole('button', { name: 'Pay $28.75' }).click()
  await expect(phone.getByText('Paid $28.75. Your earlier payment is refunded')).toBeVisible()
  await expect(notice).toBeHidden()
  await phone.goto('/dashboard/payments')
  await expect(phone.getByRole('main')).toContainText('Refund')
  await expect(item).toBeHidden()
})
