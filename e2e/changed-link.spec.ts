/** A changed app link of a running campaign: from the developer's edit to the admin's decision and the tester's phone. */
import { call, join, liveCampaign, newPerson, theAdmin } from './support/api.ts'
import { expect, type Page, test } from './support/test.ts'

const oldLink = 'https://play.google.com/apps/testing/com.example.app'

const changeLink = async (developer: Page, campaignId: string, link: string) => {
  await developer.goto(`/dashboard/campaigns/${campaignId}/edit`)
  await developer.getByLabel('Distribution link').fill(link)
  await developer.getByRole('button', { name: 'Save changes' }).click()
}

test('a new link waits, is approved, and is then shown to the tester', async ({ open }) => {
  const owner = await newPerson('DEVELOPER', 'Lena Links')
  const person = await newPerson('TESTER', 'Lou Links')
  const title = 'Where does it lead??'
  const campaign = await liveCampaign(owner, { title })
  const { id: testId } = await join(person, campaign)
  const developer = await open({ as: owner })
  // The decision that comes too late gets a 409.
  const admin = await open({ as: await theAdmin(), provokes: /409/ })
  const tester = await open({ as: person, screen: 'phone' })

  await changeLink(developer, campaign.id, 'https://example.com/first')
  await expect(developer.getByText('Changes saved. The new link is waiting for approval')).toBeVisible()
  const waits = developer.getByRole('region', { name: 'Your new app link is waiting for approval' })
  await expect(waits.getByRole('link', { name: /example\.com\/first/ })).toBeVisible()
  await expect(waits.getByRole('link', { name: oldLink })).toBeVisible()
  await tester.goto(`/dashboard/my-tests/${testId}`)
  await expect(tester.getByRole('link', { name: 'Get the app' })).toHaveAttribute('href', oldLink)

  await admin.goto('/dashboard')
  await expect(admin.getByText(/changed links?/).first()).toBeVisible()
  await admin.goto('/dashboard/campaigns/pending')
  await admin.getByRole('tab', { name: /Changed links/ }).click()
  await expect(admin).toHaveURL(/list=links/)
  await admin.getByRole('button', { name: `Approve link: ${title}` }).click()
  // The developer changes the link again: an admin cannot approve a link that they have not seen.
  await changeLink(developer, campaign.id, 'https://example.com/second')
  await expect(developer.getByRole('link', { name: /example\.com\/second/ })).toBeVisible()
  const asked = admin.getByRole('dialog', { name: `Approve the new link of “${title}”` })
  await asked.getByRole('button', { name: 'Approve link' }).click()
  await expect(asked.getByText('The developer has changed this link again.')).toBeVisible()
  await asked.getByText('Close', { exact: true }).click()
  await expect(admin.getByRole('link', { name: /example\.com\/second/ })).toBeVisible()
  await admin.getByRole('button', { name: `Approve link: ${title}` }).click()
  await asked.getByRole('button', { name: 'Approve link' }).click()
  await expect(asked).toBeHidden()
  await expect(admin.getByRole('button', { name: `Approve link: ${title}` })).toBeHidden()

  await tester.goto(`/dashboard/my-tests/${testId}`)
  await expect(tester.getByRole('link', { name: 'Get the app' })).toHaveAttribute('href', 'https://example.com/second')
  await tester.goto('/dashboard/notifications')
  await expect(tester.getByRole('link', { name: 'New app link' })).toBeVisible()
  await developer.goto(`/dashboard/campaigns/${campaign.id}?tab=activity`)
  await expect(developer.getByText('New app link approved')).toBeVisible()
})

test('a new link is rejected with a reason, on the campaign’s own screen and by keyboard', async ({ open }) => {
  const owner = await newPerson('DEVELOPER', 'Rita Rejected')
  const { id } = await liveCampaign(owner, { title: 'Elsewhere' })
  await call(owner, 'PATCH', `/campaigns/${id}`, { distributionLink: 'http://example.com/elsewhere' })
  const admin = await open({ as: await theAdmin() })
  await admin.goto(`/dashboard/campaigns/${id}`)
  const waits = admin.getByRole('region', { name: 'A new app link is waiting for your decision' })
  await expect(waits.getByText('This link starts with http://')).toBeVisible()
  await waits.getByRole('button', { name: 'Reject link' }).press('Enter')
  const asked = admin.getByRole('dialog', { name: 'Reject the new link of “Elsewhere”' })
  await asked.getByRole('button', { name: 'Reject link' }).press('Enter')
  await expect(asked.getByLabel('Reason')).toHaveAccessibleDescription(/required/)
  await asked.getByLabel('Reason').fill('It opens another app.')
  await asked.getByRole('button', { name: 'Reject link' }).press('Enter')
  await expect(asked).toBeHidden()
  await expect(waits).toBeHidden()
  await admin.goto('/dashboard/audit-log')
  await expect(admin.getByText('It opens another app.').first()).toBeVisible()
  const developer = await open({ as: owner })
  await developer.goto(`/dashboard/campaigns/${id}?tab=activity`)
  await expect(developer.getByText('New app link rejected')).toBeVisible()
  await expect(developer.getByText('It opens another app.')).toBeVisible()
})

test('the form warns of plain http, and refuses a link that testers cannot reach', async ({ open }) => {
  const page = await open({ as: await newPerson('DEVELOPER', 'Petra Plain') })
  await page.goto('/dashboard/campaigns/create')
  await page.getByLabel('Title').fill('Plain')
  await page.getByLabel('Description').fill('Over plain http.')
  const link = page.getByLabel('Distribution link')
  await link.fill('http://example.com/app.apk')
  await expect(page.getByText('This link starts with http://')).toBeVisible()
  await link.fill('https://192.168.0.10/app.apk')
  await expect(page.getByText('This link starts with http://')).toBeHidden()
  await page.getByRole('main').getByRole('button', { name: 'Create Campaign' }).click()
  await expect(link).toHaveAccessibleDescription(/must lead to a public address/)
  await link.fill('https://example.com/app.apk')
  await page.getByRole('main').getByRole('button', { name: 'Create Campaign' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Plain' })).toBeVisible()
})
