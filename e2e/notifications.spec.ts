/** A notification leads to its subject, and is then marked as read. */
import { call, join, liveCampaign, newPerson, passHours, theAdmin } from './support/api.ts'
import { expect, outlivedTokens, test } from './support/test.ts'

test('the bell leads a developer to the proof on the review desk, the email a tester to the test, and both are then read', async ({
  open,
}) => {
  const developer = await newPerson('DEVELOPER', 'Nora Notified')
  const tester = await newPerson('TESTER', 'Nils Notified')
  const campaign = await liveCampaign(developer, { title: 'A test with a proof', durationDays: 1 })
  const { id } = await join(tester, campaign)
  await passHours(24)
  await call(tester, 'POST', `/testers/campaign-testers/${id}/proof`, { proof: 'I used it for a day.' })

  const theirs = await open({ as: developer, provokes: outlivedTokens })
  await theirs.goto('/dashboard')
  await theirs.getByRole('button', { name: 'Notifications, 2 unread' }).click()
  const panel = theirs.getByRole('dialog', { name: 'Notifications' })
  await panel.getByRole('link', { name: `Proof to review: ${campaign.title}` }).click()
  await expect(theirs).toHaveURL(new RegExp(`/dashboard/campaigns/${campaign.id}/review\\?test=${id}$`))
  await expect(theirs.getByText('I used it for a day.')).toBeVisible()
  await expect(panel).toBeHidden()
  await expect(theirs.getByRole('button', { name: 'Notifications, 1 unread' })).toBeVisible()
  await theirs.reload()
  await expect(theirs.getByRole('button', { name: 'Notifications, 1 unread' })).toBeVisible()

  await call(developer, 'POST', `/campaign-testers/${id}/request-changes`, { note: 'Show the search.' })
  await theirs.goto(`/dashboard/campaigns/${campaign.id}?tab=testers&tester=${id}`)
  const dialog = theirs.getByRole('dialog', { name: 'Tester 1' })
  await expect(dialog.getByText('Show the search.')).toBeVisible()
  await theirs.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(theirs).toHaveURL(/\?tab=testers$/)
  const own = await open({ as: tester, screen: 'phone', provokes: outlivedTokens })
  await own.goto('/dashboard/notifications')
  await own
    .getByRole('main')
    .getByRole('link', { name: /^Changes requested/ })
    .click()
  await expect(own).toHaveURL(new RegExp(`/dashboard/my-tests/${id}$`))
  await expect(own.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible()
})

test('a notification without a subject is not a link on its page, and leads from the bell to that page', async ({
  open,
}) => {
  const tester = await newPerson('TESTER', 'Nina Nowhere')
  const admin = await theAdmin()
  await call(admin, 'POST', `/admin/users/${tester.session.user.id}/message`, { subject: 'Welcome', message: 'Hello.' })
  const page = await open({ as: tester })
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).click()
  await page.getByRole('dialog', { name: 'Notifications' }).getByRole('link', { name: 'Welcome' }).click()
  await expect(page).toHaveURL(/\/dashboard\/notifications$/)
  await expect(page.getByRole('main').getByText('Hello.')).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'Welcome' })).toHaveCount(0)
  await expect(page.getByRole('main').getByRole('button', { name: /^Mark as read/ })).toBeVisible()
})

test('all can be marked as read while anything is unread, and the focus is kept', async ({ open }) => {
  const tester = await newPerson('TESTER', 'Nat Marks')
  const page = await open({ as: tester })
  await page.goto('/dashboard/notifications')
  await expect(page.getByText('No notifications yet')).toBeVisible()
  const markAll = page.getByRole('main').getByRole('button', { name: 'Mark all as read' })
  await expect(markAll).toHaveCount(0)
  await call(await theAdmin(), 'POST', `/admin/users/${tester.session.user.id}/message`, {
    subject: 'Welcome',
    message: 'Hello.',
  })
  await page.reload()
  await markAll.click()
  await expect(markAll).toHaveCount(0)
  await expect(page.getByRole('main')).toBeFocused()
  await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible()
})

test('an open group of notifications stays open, with the focus in it, when another one is added', async ({ open }) => {
  const developer = await newPerson('DEVELOPER', 'Nico Reads')
  const tester = await newPerson('TESTER', 'Nele Reports')
  const campaign = await liveCampaign(developer, { title: 'Many bugs' })
  await join(tester, campaign)
  const report = (title: string) =>
    call(tester, 'POST', `/campaigns/${campaign.id}/bugs`, { title, severity: 'LOW', steps: 'Open it.', actual: 'No.' })
  await report('First bug')
  await report('Second bug')
  const page = await open({ as: developer })
  await page.goto('/dashboard/notifications')
  const item = page.getByRole('main').getByRole('listitem').filter({ hasText: 'bugs reported' })
  await item.locator('summary').click()
  await expect(item.getByText('Second bug')).toBeVisible()
  await report('Third bug')
  await expect(item.getByRole('link', { name: '3 bugs reported' })).toBeVisible()
  await expect(item.getByText('Third bug')).toBeVisible()
  await expect(item.locator('summary')).toBeFocused()
})
