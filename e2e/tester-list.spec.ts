/** A closed test: the tester gives the Play address on a phone, the owner exports the list and confirms it. */
import { readFile } from 'node:fs/promises'
import { call, liveCampaign, newPerson } from './support/api.ts'
import { expect, test } from './support/test.ts'

test('the address goes from the join dialog into the export for Play Console, and nowhere else', async ({ open }) => {
  const owner = await newPerson('DEVELOPER', 'Olga Owner')
  const person = await newPerson('TESTER', 'Tess Tester')
  const title = 'Closed notes'
  const campaign = await liveCampaign(owner, { title, accessMode: 'EMAIL_LIST', durationDays: 14 })
  const developer = await open({ as: owner })
  const tester = await open({ as: person, screen: 'phone' })

  await tester.goto(`/dashboard/campaigns/${campaign.id}`)
  await tester.getByRole('button', { name: 'Join Campaign' }).click()
  const dialog = tester.getByRole('dialog', { name: `Join “${title}”` })
  await expect(dialog.getByText('Olga Owner', { exact: false }).first()).toBeVisible()
  await dialog.getByLabel('Model').fill('Pixel 8')
  await dialog.getByLabel('OS version').fill('14')
  await dialog.getByRole('button', { name: 'Join Campaign' }).click()
  await expect(dialog.getByText('Enter the Google account that your Play Store uses')).toBeVisible()
  await expect(dialog.getByText('To join, agree to this')).toBeVisible()
  await dialog.getByLabel('Play address').fill('tess@googlemail.com')
  await expect(dialog.getByText('Google Play treats gmail.com and googlemail.com')).toBeVisible()
  await dialog.getByLabel('Play address').fill('tess.play@gmail.com')
  await expect(dialog.getByText('Google Play treats gmail.com and googlemail.com')).toBeHidden()
  await dialog.getByLabel('I agree to this').check()
  await dialog.getByRole('button', { name: 'Join Campaign' }).click()
  await expect(tester).toHaveURL(/\/dashboard\/my-tests\//)

  await developer.goto(`/dashboard/campaigns/${campaign.id}`)
  await developer.getByRole('link', { name: 'Open the tester list' }).click()
  await expect(developer.getByRole('tab', { name: 'Tester list' })).toHaveAttribute('aria-selected', 'true')
  await expect(developer.getByText('Tester 1', { exact: true })).toBeVisible()
  await expect(developer.getByText('Play Console replaces its list')).toBeVisible()
  await expect(developer.getByText('tess.play@gmail.com')).toHaveCount(0)
  await expect(developer.getByRole('button', { name: 'I have added them' })).toBeDisabled()
  const saving = developer.waitForEvent('download')
  await developer.getByRole('button', { name: 'Download the whole list' }).click()
  const file = await saving
  expect(file.suggestedFilename()).toBe('tester-list.csv')
  expect(await readFile(await file.path(), 'utf8')).toBe('tess.play@gmail.com')
  await expect(developer.getByText('Exported, not confirmed yet')).toBeVisible()
  await developer.getByRole('button', { name: 'Show and copy' }).click()
  await expect(developer.getByText('tess.play@gmail.com')).toBeVisible()
  await developer.getByRole('button', { name: 'I have added them' }).click()
  const asked = developer.getByRole('dialog', { name: 'Have you updated the list?' })
  await asked.getByRole('button', { name: 'I have added them' }).click()
  await expect(developer.getByText('Up to date')).toBeVisible()

  await tester.goto('/dashboard/notifications')
  await expect(tester.getByRole('link', { name: 'You can get in now' })).toBeVisible()
  const again = await liveCampaign(owner, { title: 'Closed again', accessMode: 'EMAIL_LIST' })
  await tester.goto(`/dashboard/campaigns/${again.id}`)
  await tester.getByRole('button', { name: 'Join Campaign' }).click()
  await expect(tester.getByLabel('Play address')).toHaveValue('tess.play@gmail.com')

  // Nobody is opted in yet, so there is nothing to apply with.
  await expect(developer.getByRole('button', { name: 'I have applied' })).toHaveCount(0)
  const [joined] = await call<{ id: string }[]>(person, 'GET', '/testers/my-campaigns')
  await call(person, 'POST', `/testers/campaign-testers/${joined!.id}/opt-in`, {})
  await developer.reload()
  await developer.getByRole('button', { name: 'I have applied' }).click()
  const applying = developer.getByRole('dialog', { name: 'Have you applied for production access?' })
  await applying.getByRole('button', { name: 'I have applied' }).click()
  await expect(developer.getByText('You applied')).toBeVisible()
})
