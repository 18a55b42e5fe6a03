/** An admin's other work: users, approvals, figures, settings, and the audit log that records it. */
import { readFile } from 'node:fs/promises'
import type { AuditEntry } from '../src/audit/contract.ts'
import { call, draftCampaign, liveCampaign, newPerson, pendingCampaign, type Person, theAdmin } from './support/api.ts'
import { expectFocusKept } from './support/keyboard.ts'
import { expectLoaded } from './support/loaded.ts'
import { expect, type Page, test } from './support/test.ts'

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

const findUser = async (admin: Page, name: string) => {
  await admin.goto('/dashboard/users')
  await admin.getByRole('searchbox', { name: 'Search users' }).fill(name)
  await expect(admin).toHaveURL(/search=/)
  await expect(row(admin, name)).toHaveCount(1)
}

const choose = async (admin: Page, name: string, action: string) => {
  await admin.getByRole('button', { name: `Actions for ${name}` }).click()
  await admin.getByRole('menuitem', { name: action }).click()
}

/** How many entries of this action the audit log has for that user or campaign. */
const timesLogged = async (admin: Person, action: string, subject: string) => {
  const { data } = await call<{ data: AuditEntry[] }>(admin, 'GET', `/admin/audit-log?limit=100&action=${action}`)
  return data.filter(entry => entry.subject === subject).length
}

test('users are found by name, email and role, with their status', async ({ open }) => {
  const tester = await newPerson('TESTER', 'Uma Findable')
  await newPerson('DEVELOPER', 'Udo Findable')
  const admin = await open({ as: await theAdmin() })
  await admin.goto('/dashboard/users')
  await admin.getByRole('searchbox', { name: 'Search users' }).fill('FINDABLE')
  await expect(row(admin, 'Findable')).toHaveCount(2)
  await admin.getByRole('group', { name: 'Role' }).getByRole('button', { name: 'Testers' }).click()
  await expect(admin).toHaveURL(/role=TESTER/)
  await expect(row(admin, 'Udo Findable')).toHaveCount(0)
  const line = row(admin, 'Uma Findable')
  for (const fact of [tester.email, 'Tester', 'Active', '$0.00', '0 tests'])
    await expect(line, fact).toContainText(fact)
  await admin.getByRole('searchbox', { name: 'Search users' }).fill('udo.findable.')
  await expect(admin.getByText('No users found')).toBeVisible()
  await admin.getByRole('button', { name: 'Clear filters' }).click()
  await expect(admin.getByRole('searchbox', { name: 'Search users' })).toHaveValue('')
})

test('Back undoes a chosen filter, not each word that was typed', async ({ open }) => {
  await newPerson('TESTER', 'Ute Undone')
  await newPerson('DEVELOPER', 'Uwe Undone')
  const admin = await open({ as: await theAdmin() })
  await admin.goto('/dashboard')
  await admin.getByRole('link', { name: 'Users' }).first().click()
  const field = admin.getByRole('searchbox', { name: 'Search users' })
  const role = (name: string) => admin.getByRole('group', { name: 'Role' }).getByRole('button', { name, exact: true })
  for (const typed of ['und', 'undone']) {
    await field.fill(typed)
    await expect(admin).toHaveURL(new RegExp(`search=${typed}$`))
  }
  await role('Testers').click()
  await expect(row(admin, 'Undone')).toHaveCount(1)
  // Choosing it again adds no step to the history.
  await role('Testers').click()
  await role('Developers').click()
  await expect(row(admin, 'Uwe Undone')).toHaveCount(1)
  await admin.goBack()
  await expect(role('Testers')).toHaveAttribute('aria-pressed', 'true')
  await expect(row(admin, 'Ute Undone')).toHaveCount(1)
  await admin.goBack()
  await expect(role('All')).toHaveAttribute('aria-pressed', 'true')
  await expect(row(admin, 'Undone')).toHaveCount(2)
  await expect(field).toHaveValue('undone')
  await admin.goBack()
  await expect(admin.getByRole('heading', { level: 1 })).toContainText('Welcome')
})

test('the next page of a list starts at its top, and Back returns to the previous position', async ({ open }) => {
  // No more at once than registration can handle.
  for (const _half of [1, 2]) await Promise.all(Array.from({ length: 11 }, () => newPerson('TESTER', 'Lot Listed')))
  const admin = await open({ as: await theAdmin() })
  await admin.setViewportSize({ width: 1280, height: 600 })
  await admin.goto('/dashboard/users?search=Lot+Listed')
  const scrolled = () => admin.evaluate(() => Math.round(window.scrollY))
  const next = admin.getByRole('button', { name: 'Next' })
  await next.scrollIntoViewIfNeeded()
  const before = await scrolled()
  expect(before).toBeGreaterThan(300)
  await next.click()
  await expect(admin.getByText('21 to 22 of 22', { exact: true })).toBeVisible()
  const table = admin.getByRole('table', { name: 'Users' })
  await expect(table).toBeFocused()
  await expect(table.getByRole('row').nth(1)).toBeInViewport()
  await admin.goBack()
  await expect(admin.getByText('1 to 20 of 22', { exact: true })).toBeVisible()
  await expect.poll(scrolled).toBe(before)
  await admin.reload()
  await expect(admin.getByText('1 to 20 of 22', { exact: true })).toBeVisible()
  await expect.poll(scrolled).toBe(before)
})

test('a list of cards is loaded to its end, and Back returns to the previous position in it', async ({ open }) => {
  const developer = await newPerson('DEVELOPER', 'Carla Cards')
  const titles = Array.from({ length: 26 }, (_, number) => `Card ${number + 1}`)
  for (const title of titles) await draftCampaign(developer, { title })
  const page = await open({ as: developer, screen: 'phone' })
  await page.goto('/dashboard/campaigns')
  const cards = page.getByRole('article')
  await expect(cards).toHaveCount(24)
  await cards.nth(23).scrollIntoViewIfNeeded()
  await expect(cards).toHaveCount(26)
  const scrolled = () => page.evaluate(() => Math.round(window.scrollY))
  const last = page.getByRole('link', { name: 'Card 1', exact: true })
  await last.scrollIntoViewIfNeeded()
  const before = await scrolled()
  expect(before).toBeGreaterThan(2000)
  await last.click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Card 1')
  await page.goBack()
  await expect(last).toBeInViewport()
  await expect.poll(scrolled).toBe(before)
})

test('an address that is opened starts at its top, wherever the previous page was scrolled to', async ({ open }) => {
  const admin = await open({ as: await theAdmin(), screen: 'phone' })
  const scrolled = () => admin.evaluate(() => Math.round(window.scrollY))
  for (const path of ['/dashboard/settings', '/dashboard/settings', '/dashboard/system-settings']) {
    await admin.goto(path)
    await expectLoaded(admin, path)
    expect(await scrolled()).toBe(0)
    await admin.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    expect(await scrolled()).toBeGreaterThan(500)
  }
})

test('an admin opens a profile and sends a message, and the user reads it', async ({ open }) => {
  const tester = await newPerson('TESTER', 'Rosa Receives')
  const admin = await open({ as: await theAdmin() })
  await findUser(admin, tester.name)
  await choose(admin, tester.name, 'View Profile')
  await expect(admin.getByRole('heading', { level: 1 })).toContainText(tester.name)
  await admin.getByRole('button', { name: 'Send Message' }).click()
  const dialog = admin.getByRole('dialog', { name: `Message to ${tester.name}` })
  await dialog.getByLabel('Subject').fill('About your first test')
  await dialog.getByLabel('Message').fill('Please look at <b>your device</b> once more.')
  await dialog.getByRole('button', { name: 'Send Message' }).click()
  await expect(dialog).toBeHidden()
  const theirs = await open({ as: tester, screen: 'phone' })
  await theirs.goto('/dashboard/notifications')
  await expect(theirs.getByRole('main').getByText('About your first test').first()).toBeVisible()
  await expect(theirs.getByRole('main').getByText('Please look at <b>your device</b> once more.')).toBeVisible()
  expect(await timesLogged(await theAdmin(), 'user.message', tester.name)).toBe(1)
})

test('a message that is being written stays open when its user drops out of the list, and can be sent', async ({
  open,
}) => {
  const tester = await newPerson('TESTER', 'Mona Moves')
  const admin = await open({ as: await theAdmin() })
  await findUser(admin, tester.name)
  await choose(admin, tester.name, 'Send Message')
  const dialog = admin.getByRole('dialog', { name: `Message to ${tester.name}` })
  await dialog.getByLabel('Subject').fill('About your first test')
  await dialog.getByLabel('Message').fill('A long message.')
  await call(tester, 'PATCH', '/users/me', { name: 'Another Name' })
  // An event about campaigns reloads the list.
  await pendingCampaign(await newPerson('DEVELOPER', 'Nina News'), { title: 'News for admins' })
  await expect(admin.getByText('No users found')).toBeAttached()
  await expect(dialog.getByLabel('Message')).toHaveValue('A long message.')
  await dialog.getByRole('button', { name: 'Send Message' }).click()
  await expect(dialog).toBeHidden()
  expect(await timesLogged(await theAdmin(), 'user.message', 'Another Name')).toBe(1)
})

test('a user is suspended and restored with a reason, and each action is in the log once', async ({ open }) => {
  const tester = await newPerson('TESTER', 'Sven Suspended')
  const admin = await open({ as: await theAdmin() })
  await findUser(admin, tester.name)
  for (const [action, status] of [
    ['Suspend User', 'Suspended'],
    ['Restore User', 'Active'],
  ] as const) {
    await choose(admin, tester.name, action)
    const dialog = admin.getByRole('dialog')
    await dialog.getByRole('button', { name: action }).click()
    await expect(dialog.getByText('Reason is required')).toBeVisible()
    await dialog.getByLabel('Reason').fill(`Because of the ${action}.`)
    await dialog.getByRole('button', { name: action }).click()
    await expect(dialog).toBeHidden()
    await expect(row(admin, tester.name)).toContainText(status)
  }
  await admin.goto('/dashboard/audit-log')
  await admin.getByRole('combobox', { name: 'Action' }).selectOption('User suspended')
  await expect(admin).toHaveURL(/action=user\.ban/)
  const entries = admin
    .getByRole('list', { name: 'Audit entries' })
    .getByRole('listitem')
    .filter({ hasText: tester.name })
  await expect(entries).toHaveCount(1)
  await expect(entries).toContainText('Because of the Suspend User.')
  expect(await timesLogged(await theAdmin(), 'user.unban', tester.name)).toBe(1)
})

test('a rejected campaign shows its developer the reason, and the audit log has one entry', async ({ open }) => {
  const developer = await newPerson('DEVELOPER', 'Rolf Rejected')
  const { id, title } = await pendingCampaign(developer, { title: 'Not yet good enough' })
  const admin = await open({ as: await theAdmin() })
  await admin.goto('/dashboard/campaigns/pending')
  await admin.getByRole('button', { name: `Reject: ${title}` }).click()
  const dialog = admin.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('Say which account testers sign in with.')
  await dialog.getByRole('button', { name: 'Reject campaign' }).click()
  await expect(dialog).toBeHidden()
  await expect(admin.getByRole('button', { name: `Reject: ${title}` })).toBeHidden()
  const theirs = await open({ as: developer })
  await theirs.goto(`/dashboard/campaigns/${id}`)
  await expect(theirs.getByText('Say which account testers sign in with.')).toBeVisible()
  expect(await timesLogged(await theAdmin(), 'campaign.reject', title)).toBe(1)
})

test('analytics follow the period in the URL, and the export contains what is shown', async ({ open }) => {
  const admin = await open({ as: await theAdmin() })
  await admin.goto('/dashboard/analytics')
  await expect(admin.getByText('Conversion Rate')).toBeVisible()
  await admin.getByRole('button', { name: /Last 6 months/ }).click()
  await admin.getByRole('menuitemradio', { name: 'Last 30 days' }).click()
  await expect(admin).toHaveURL(/period=30d/)
  await expect(
    admin.getByText('New users in the last 30 days').or(admin.getByText(/since the start of the period/)),
  ).toBeVisible()
  const shown = await admin.getByRole('main').getByText('Total Users').locator('xpath=../..').innerText()
  const download = admin.waitForEvent('download')
  await admin.getByRole('button', { name: 'Export' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('fieldtest-analytics-30d.csv')
  const csv = await readFile(await file.path(), 'utf8')
  expect(csv).toMatch(/^\uFEFF/)
  const count = /\d[\d,]*/.exec(shown)?.[0].replaceAll(',', '')
  expect(csv).toMatch(new RegExp(`Total Users.*\\b${count}\\b`))
  expect(csv.split('\n').some(line => /^"?[=+\-@\t]/.test(line))).toBe(false)
})

test('Total Revenue leads to the payments and refunds that it is the sum of', async ({ open }) => {
  const developer = await newPerson('DEVELOPER', 'Paul Pays')
  const { title } = await pendingCampaign(developer, { title: 'Paid in for revenue' })
  const admin = await open({ as: await theAdmin() })
  await admin.goto('/dashboard/analytics?period=30d')
  const total = await admin.getByRole('main').getByText('Total Revenue').locator('xpath=../..').innerText()
  await admin.getByRole('link', { name: /^Total Revenue/ }).click()
  await expect(admin).toHaveURL(/period=all&lines=revenue$/)
  const sum = /\$[\d,.]+/.exec(total)![0]
  await expect(admin.getByText(`Revenue so far: ${sum}`)).toBeVisible()
  const newest = admin.getByRole('table', { name: 'Payments and refunds' }).getByRole('row').nth(1)
  await expect(newest).toContainText('+$28.75')
  await expect(newest.getByRole('link', { name: developer.name })).toBeVisible()
  await newest.getByRole('link', { name: title }).click()
  await expect(admin.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await admin.goBack()
  await admin.getByRole('button', { name: 'Close' }).click()
  await expect(admin).toHaveURL(/analytics\?period=all$/)
  await expect(admin.getByRole('table', { name: 'Payments and refunds' })).toBeHidden()
  await expectFocusKept(admin, 'closing the lines')
})

test('a changed setting needs confirmation, applies to new campaigns, and is in the audit log', async ({ open }) => {
  const developer = await newPerson('DEVELOPER', 'Terri Terms')
  const reviewHours = async () =>
    (await call<{ reviewHours: number }>(developer, 'GET', '/campaigns/new-terms')).reviewHours
  const before = await reviewHours()
  const admin = await open({ as: await theAdmin() })
  const save = async () => {
    await admin.getByRole('button', { name: 'Save changes' }).click()
    const dialog = admin.getByRole('dialog')
    await expect(dialog).toContainText('Review window')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(dialog).toBeHidden()
  }
  await admin.goto('/dashboard/system-settings')
  await admin.getByLabel('Review window').fill('96')
  await save()
  expect(await reviewHours()).toBe(96)
  await admin.getByLabel('Review window').fill(String(before))
  await save()
  expect(await reviewHours()).toBe(before)
  await admin.goto('/dashboard/audit-log')
  await admin.getByRole('combobox', { name: 'Action' }).selectOption('Settings changed')
  await expect(admin.getByRole('list', { name: 'Audit entries' }).getByRole('listitem')).toHaveCount(2)
})

test('the security report names who failed to sign in', async ({ open }) => {
  const tester = await newPerson('TESTER', 'Fay Fails')
  const stranger = await open({ provokes: /status of 401|POST \/auth\/login/ })
  await stranger.goto('/login')
  await stranger.getByLabel('Email').fill(tester.email)
  await stranger.getByLabel('Password', { exact: true }).fill('wrong')
  await stranger.getByRole('button', { name: 'Sign in' }).click()
  await expect(stranger.getByText('Email or password is incorrect.')).toBeVisible()
  const admin = await open({ as: await theAdmin() })
  await admin.goto('/dashboard/users')
  await admin.getByRole('link', { name: 'Security Report' }).click()
  await expect(admin.getByRole('heading', { level: 1 })).toHaveText('Security Report')
  await expect(admin.getByText(tester.email).first()).toBeVisible()
})

test('the longest name of a developer makes no screen wider than a phone', async ({ open }) => {
  const developer = await newPerson('DEVELOPER', 'Incorporated Software '.repeat(4).trim())
  const { title } = await liveCampaign(developer, { title: 'Named at length' })
  const admin = await open({ as: await theAdmin(), screen: 'phone' })
  await admin.goto(`/dashboard/campaigns?search=${encodeURIComponent(title)}`)
  await expect(admin.getByRole('heading', { level: 2, name: title })).toBeVisible()
  expect(await admin.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})

test('on a tablet, where the sidebar leaves little room for a table, a user’s email stays in one piece', async ({
  open,
}) => {
  const { email } = await newPerson('TESTER', 'Tabea Tablet')
  const admin = await open({ as: await theAdmin() })
  await admin.setViewportSize({ width: 768, height: 1024 })
  await admin.goto(`/dashboard/users?search=${encodeURIComponent(email)}`)
  const shown = admin.getByRole('row').filter({ hasText: 'Tabea Tablet' }).getByText(email)
  await expect(shown).toBeVisible()
  const lines = await shown.evaluate(element => new Set([...element.getClientRects()].map(({ top }) => top)).size)
  expect([lines, await admin.evaluate(() => document.documentElement.scrollWidth)]).toEqual([1, 768])
})
