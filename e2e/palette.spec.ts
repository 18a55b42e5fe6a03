/** Ctrl K finds screens and objects by their words, and opens them. */
import { join, liveCampaign, newPerson, pendingCampaign, theAdmin } from './support/api.ts'
import { expectLoaded } from './support/loaded.ts'
import { expect, type Page, test } from './support/test.ts'

const search = async (page: Page, words: string) => {
  await page.goto('/dashboard/settings')
  await expectLoaded(page, 'settings')
  await page.keyboard.press('ControlOrMeta+k')
  const dialog = page.getByRole('dialog', { name: 'Search or jump to…' })
  await dialog.getByRole('combobox').fill(words)
  return dialog
}

test('each role finds its own: campaigns, tests, users', async ({ open }) => {
  const developer = await newPerson('DEVELOPER', 'Paula Palette')
  const tester = await newPerson('TESTER', 'Pete Palette')
  const pending = await pendingCampaign(developer, { title: 'Palette of colors' })
  const live = await liveCampaign(developer, { title: 'Palette of tastes', testersRequired: 2 })
  const joined = await liveCampaign(developer, { title: 'Palette of sounds' })
  const { id } = await join(tester, joined)

  const theirs = await open({ as: tester })
  const found = await search(theirs, 'palette of')
  await expect(found.getByRole('group', { name: 'My Tests' }).getByRole('option')).toHaveText(['Palette of sounds'])
  await expect(found.getByRole('group', { name: 'Campaigns' }).getByRole('option')).toHaveText([live.title])
  await found.getByRole('option', { name: joined.title }).click()
  await expect(theirs).toHaveURL(new RegExp(`/dashboard/my-tests/${id}$`))

  const own = await open({ as: developer, screen: 'phone' })
  await own.goto('/dashboard/settings')
  await own.getByRole('button', { name: 'Search or jump to…' }).click()
  await own.getByRole('dialog').getByRole('combobox').fill('of colors')
  await own.getByRole('option', { name: pending.title }).click()
  await expect(own).toHaveURL(new RegExp(`/dashboard/campaigns/${pending.id}$`))

  const admin = await open({ as: await theAdmin() })
  const all = await search(admin, 'palette')
  await expect(all.getByRole('group', { name: 'Campaigns' }).getByRole('option')).toHaveCount(3)
  const people = all.getByRole('group', { name: 'Users' }).getByRole('option')
  await expect(people).toHaveCount(2)
  // Enter opens what was found, even if the search for campaigns has not been answered yet.
  await admin.route(/\/api\/v1\/campaigns\?.*%40/, () => undefined)
  await all.getByRole('combobox').fill(tester.email)
  await expect(people).toHaveText([`${tester.name}${tester.email}`])
  await admin.keyboard.press('Enter')
  await expect(admin.getByRole('heading', { level: 1 })).toContainText(tester.name)
  await expect(admin.getByRole('heading', { level: 1 })).toBeFocused()
})

test('the arrow keys wrap around the results, typing selects the first again, and Home and End move in the text', async ({
  open,
}) => {
  const page = await open({ as: await theAdmin() })
  const dialog = await search(page, 'theme')
  const box = dialog.getByRole('combobox', { name: 'Search screens, actions, campaigns and users' })
  const selected = dialog.getByRole('option', { selected: true })
  const themes = ['Light theme', 'Dark theme', 'System theme']
  await expect(dialog.getByRole('group', { name: 'Actions' }).getByRole('option')).toHaveText(themes)
  await expect(box).toBeFocused()
  await expect(selected).toHaveText(themes[0]!)
  for (const [key, reached] of [
    ['ArrowUp', 2],
    ['ArrowDown', 0],
    ['ArrowDown', 1],
    ['End', 1],
    ['Home', 1],
  ] as const) {
    await page.keyboard.press(key)
    await expect(selected).toHaveText(themes[reached]!)
    await expect(box).toHaveAttribute('aria-activedescendant', (await selected.getAttribute('id'))!)
  }
  // The caret is now at the beginning.
  await page.keyboard.type('dark ')
  await expect(box).toHaveValue('dark theme')
  await expect(selected).toHaveText(themes[1]!)
  await box.fill('audit')
  await expect(selected).toHaveText('Audit LogsG L')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

test('the pointer selects what it moves over, and closing the palette returns the focus', async ({ open }) => {
  const page = await open({ as: await theAdmin() })
  await page.goto('/dashboard/settings')
  const button = page.getByRole('button', { name: 'Search or jump to…' })
  await button.click()
  const dialog = page.getByRole('dialog', { name: 'Search or jump to…' })
  await dialog.getByRole('option', { name: 'Audit Logs' }).hover()
  await expect(dialog.getByRole('option', { selected: true })).toHaveText('Audit LogsG L')
  await dialog.getByRole('combobox').fill('no such thing')
  await expect(dialog.getByText('No results')).toBeVisible()
  await expect(dialog.getByRole('status')).toHaveText('0 results')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(button).toBeFocused()
})

test('when searches fail, screens can still be found', async ({ open }) => {
  const admin = await open({ as: await theAdmin(), provokes: /status of 500|Not today/ })
  for (const call of ['**/api/v1/campaigns?*', '**/api/v1/admin/users?*'])
    await admin.route(call, route => route.fulfill({ status: 500, json: { message: 'Not today' } }))
  const dialog = await search(admin, 'audit')
  await expect(dialog.getByRole('status')).toHaveText('1 result')
  await expect(dialog.getByRole('option')).toHaveText(['Audit LogsG L'])
  await expect(dialog.getByRole('alert')).toHaveCount(0)
})

test('Ctrl K closes an open menu and opens the palette; Esc cancels a menu that is still loading', async ({ open }) => {
  const developer = await newPerson('DEVELOPER', 'Mina Menu')
  const campaign = await liveCampaign(developer, { title: 'A campaign with a menu' })
  const page = await open({ as: developer })
  const palette = page.getByRole('dialog', { name: 'Search or jump to…' })
  const held = Promise.withResolvers<void>()
  await page.route('**/assets/MenuParts*.js', async route => {
    await held.promise
    await route.continue()
  })
  await page.goto(`/dashboard/campaigns/${campaign.id}`)
  const more = page.getByRole('button', { name: 'More actions' })
  await more.click()
  await page.keyboard.press('Escape')
  const loaded = page.waitForResponse(/MenuParts/)
  held.resolve()
  await loaded
  await page.keyboard.press('ControlOrMeta+k')
  await expect(palette).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)

  await more.click()
  await expect(page.getByRole('menu')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  await expect(palette.getByRole('combobox')).toBeFocused()
  await expect(page.getByRole('menu')).toHaveCount(0)
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: /user menu/ }).click()
  await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  await expect(palette.getByRole('combobox')).toBeFocused()
  await expect(page.getByRole('button', { name: 'Log out' })).toBeHidden()
})
