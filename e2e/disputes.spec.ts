/** A disputed payment: testers in the campaign are told and continue, and an admin finds the case and records the outcome. */
import { call, disputedLater, join, newPerson, passHours, theAdmin } from './support/api.ts'
import { inEveryLook } from './support/axe.ts'
import { expect, outlivedTokens, test } from './support/test.ts'

test('the developer and the tester are told of a dispute, an admin finds it, and it disappears once it is won', async ({
  open,
}) => {
  const developer = await newPerson('DEVELOPER', `Dora${'Doubted'.repeat(8)}`)
  const tester = await newPerson('TESTER', 'Theo Inside')
  const campaign = await disputedLater(developer, { title: 'Paid with a doubted card' })
  const { id } = await join(tester, campaign)
  await call(tester, 'POST', `/testers/campaign-testers/${id}/check-ins`, {})
  await passHours(25)

  const phone = await open({ as: tester, screen: 'phone', provokes: outlivedTokens })
  await phone.goto(`/dashboard/my-tests/${id}`)
  const told = phone.getByRole('note').filter({ hasText: 'The payment has been disputed since' })
  await expect(told).toContainText('Nothing changes for you')
  await expect(phone.getByRole('button', { name: /check in/i }).first()).toBeEnabled()
  expect(await inEveryLook(phone, 'disputed-test')).toEqual([])

  const owner = await open({ as: developer, provokes: outlivedTokens })
  await owner.goto(`/dashboard/campaigns/${campaign.id}`)
  const banner = owner.getByRole('note').filter({ hasText: 'The payment has been disputed since' })
  await expect(banner).toContainText('you cannot reject proofs')
  const refundable = owner.locator('dl > div', { hasText: 'Refundable' })
  await expect(refundable).toContainText('Nothing until the bank decides the dispute')
  await expect(refundable.getByRole('definition')).toHaveText('$0.00')
  expect(await inEveryLook(owner, 'disputed-campaign')).toEqual([])

  const admin = await open({ as: await theAdmin(), provokes: outlivedTokens })
  await admin.goto('/dashboard/campaigns/pending')
  await admin.getByRole('tab', { name: 'Disputes' }).click()
  expect(await inEveryLook(admin, 'disputes')).toEqual([])
  await admin.setViewportSize({ width: 390, height: 844 })
  const card = admin.getByRole('listitem').filter({ hasText: 'Paid with a doubted card' }).locator('section')
  const cutOff = await card.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
  expect(cutOff, 'pixels of the long name that the card cuts off').toBe(0)
  await expect(admin.getByRole('tab', { name: 'Aging escrow' }), 'the tab after the open one').toBeInViewport()
  await admin.setViewportSize({ width: 1280, height: 800 })
  await admin.getByRole('link', { name: 'Open the case of Paid with a doubted card' }).click()
  await expect(admin.getByRole('heading', { level: 1 })).toHaveText('Dispute about Paid with a doubted card')
  expect(await inEveryLook(admin, 'dispute')).toEqual([])
  await admin.getByRole('button', { name: 'Record as won' }).click()
  const dialog = admin.getByRole('dialog')
  await dialog.getByLabel('Note').fill('The bank saw the check-ins.')
  expect(await inEveryLook(admin, 'dispute-dialog')).toEqual([])
  await dialog.getByRole('button', { name: 'Record as won' }).click()
  await expect(dialog).toBeHidden()
  await expect(admin.getByRole('main')).toContainText('The payment stands')
  await expect(admin.getByText('The bank saw the check-ins.')).toBeVisible()
  await admin.getByRole('link', { name: 'Disputes', exact: true }).click()
  // Another journey's dispute may still be open.
  const others = admin.getByRole('link', { name: /^Open the case of/ }).first()
  await expect(admin.getByText('No open disputes').or(others)).toBeVisible()
  await expect(admin.getByRole('link', { name: 'Open the case of Paid with a doubted card' })).toHaveCount(0)

  await phone.reload()
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText('Paid with a doubted card')
  await expect(phone.getByRole('heading', { name: /terms/i }).first()).toBeVisible()
  await expect(told).toHaveCount(0)
  await owner.reload()
  await expect(refundable).toContainText('Free seats, if you cancel or close them now')
})
