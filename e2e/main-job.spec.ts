/** The product's main job, with the pointer: from registration to a completed withdrawal, with three people. */
import { passHours } from './support/api.ts'
import { adminEmail, confirm, register, signIn } from './support/people.ts'
import { expect, outlivedTokens, type Page, test } from './support/test.ts'

const days = 3
const title = 'Moon Garden: ready tonight??'

const createCampaign = async (developer: Page) => {
  await developer.goto('/dashboard/campaigns/create')
  await developer.getByLabel('Title').fill(title)
  await developer.getByLabel('Description').fill('Plant something every day and tell us what gets in the way.')
  await developer.getByLabel('Distribution link').fill('https://play.google.com/apps/testing/com.example.moon')
  // Closed tests have their own journey (closed-test.spec.ts).
  await developer.locator('label', { has: developer.getByRole('radio', { name: /^Open link/ }) }).click()
  await developer.getByLabel('Testers', { exact: true }).fill('1')
  await developer.getByLabel('Payment per tester').fill('12.50')
  await developer.getByLabel('Duration in days').fill(String(days))
  await expect(developer.getByText('$14.38').first()).toBeVisible()
  await developer.getByRole('button', { name: 'Create Campaign' }).click()
  await expect(developer.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await expect(developer).toHaveURL(/\/dashboard\/campaigns\/[0-9a-f-]{36}$/)
  return developer.url()
}

const approve = async (admin: Page) => {
  await admin.goto('/dashboard/campaigns/pending')
  await admin.getByRole('button', { name: `Approve: ${title}` }).click()
  const asked = admin.getByRole('dialog', { name: `Approve “${title}”`, exact: true })
  await asked.getByRole('button', { name: 'Approve', exact: true }).click()
  // It leaves the queue, where other campaigns may still wait.
  await expect(admin.getByRole('button', { name: `Approve: ${title}` })).toBeHidden()
  await expect(admin.getByText('Campaign approved')).toBeVisible()
}

const join = async (tester: Page) => {
  await tester.goto('/dashboard/campaigns')
  await tester.getByRole('searchbox', { name: 'Search campaigns' }).fill('moon gar')
  await tester.getByRole('link', { name: `View Details: ${title}` }).click()
  // Until the campaign is shown, the list has a button with this name, too.
  await expect(tester.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await tester
    .getByRole('main')
    .getByRole('button', { name: /Join Campaign/ })
    .first()
    .click()
  const dialog = tester.getByRole('dialog')
  await dialog.getByLabel('Platform').selectOption('android')
  await dialog.getByLabel('OS version').fill('14')
  await dialog.getByLabel('Model').fill('Pixel 8')
  await dialog.getByRole('button', { name: 'Join Campaign' }).click()
  await expect(tester).toHaveURL(/\/dashboard\/my-tests/)
  await expect(tester.getByText(title).first()).toBeVisible()
}

const takeLinkToPhone = async (tester: Page) => {
  await tester.goto('/dashboard/my-tests')
  // A QR code would be of no use on the phone itself.
  await expect(tester.getByRole('button', { name: 'Copy link' })).toBeVisible()
  await expect(tester.getByRole('button', { name: 'QR code' })).toBeHidden()
  const phone = tester.viewportSize()!
  await tester.setViewportSize({ width: 1280, height: 800 })
  await tester.getByRole('button', { name: 'QR code' }).click()
  const dialog = tester.getByRole('dialog', { name: 'Open the app on your phone' })
  await expect(dialog.getByRole('img')).toBeVisible()
  await expect(dialog).toContainText('https://play.google.com/apps/testing/com.example.moon')
  await tester.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await tester.setViewportSize(phone)
}

const testEachDay = async (tester: Page) => {
  for (let day = 1; day <= days; day++) {
    await tester.goto('/dashboard/my-tests')
    await tester.getByRole('button', { name: 'Check in for today' }).click()
    await expect(tester.getByText('Checked in today')).toBeVisible()
    await passHours(24)
  }
  await tester.goto('/dashboard/my-tests')
  await tester
    .getByLabel('Your proof')
    .fill('I planted on all three days; the watering button is too small for my thumb.')
  await tester.getByRole('button', { name: 'Submit proof' }).click()
  await expect(tester.getByText('Your proof is in review')).toBeVisible()
}

const verify = async (developer: Page, campaign: string) => {
  await developer.goto(campaign)
  await developer.getByRole('link', { name: 'Review proof of Tester 1' }).click()
  await expect(developer.getByText('the watering button is too small')).toBeVisible()
  await developer.getByRole('button', { name: 'Verify and pay $12.50' }).click()
  await expect(developer.getByText('Verifying Tester 1')).toBeVisible()
  await expect(developer.getByText('Verifying Tester 1')).toBeHidden()
}

const withdraw = async (tester: Page) => {
  await tester.goto('/dashboard/balance')
  await tester.getByLabel('Amount').fill('12.50')
  await tester.getByRole('button', { name: 'Withdraw', exact: true }).click()
  const dialog = tester.getByRole('dialog')
  await expect(dialog).toContainText('tess@journeys.test')
  await dialog.getByRole('button', { name: 'Withdraw $12.50' }).click()
  await expect(tester.getByText('Withdrawal request submitted successfully')).toBeVisible()
  await passHours(1)
  await tester.goto('/dashboard/balance')
  await expect(tester.getByRole('main')).toContainText(/Withdrawal to tess@journeys\.test[\s\S]*Completed/)
}

test('a campaign from registration to a completed withdrawal', async ({ open }) => {
  const developer = await open({ provokes: outlivedTokens })
  const admin = await open({ provokes: outlivedTokens })
  const tester = await open({ screen: 'phone', provokes: outlivedTokens })
  await register(developer, { name: 'Dora Develops', email: 'dora@journeys.test', role: 'DEVELOPER' })
  await signIn(admin, adminEmail)
  await register(tester, { name: 'Tess Tests', email: 'tess@journeys.test', role: 'TESTER' })

  const campaign = await createCampaign(developer)
  await confirm(developer, 'Pay $14.38')
  await expect(developer.getByText('In review')).toBeVisible()
  await approve(admin)
  await developer.goto(campaign)
  await confirm(developer, 'Start campaign')
  await expect(developer.getByText('Open for testers')).toBeVisible()

  await join(tester)
  await takeLinkToPhone(tester)
  await testEachDay(tester)
  await verify(developer, campaign)
  await withdraw(tester)

  await developer.goto(campaign)
  await expect(developer.getByText('1 of 1 test verified and paid.')).toBeVisible()
})
