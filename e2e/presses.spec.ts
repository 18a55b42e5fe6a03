/** A double click takes effect once, and tooltips explain what the pointer rests on. */
import type { Locator } from '@playwright/test'
import { call, liveCampaign, newPerson, theAdmin } from './support/api.ts'
import { tabTo } from './support/keyboard.ts'
import { expect, type Page, test } from './support/test.ts'

const postsTo = (page: Page, path: RegExp) => {
  const seen: string[] = []
  page.on('request', request => {
    if (request.method() === 'POST' && path.test(new URL(request.url()).pathname)) seen.push(request.url())
  })
  return seen
}

test('a double click on a form’s button creates one campaign', async ({ open }) => {
  const page = await open({ as: await newPerson('DEVELOPER', 'Dee Double') })
  const posts = postsTo(page, /\/campaigns$/)
  await page.goto('/dashboard/campaigns/create')
  await page.getByLabel('Title').fill('Pressed twice')
  await page.getByLabel('Description').fill('One campaign, please.')
  await page.getByLabel('Distribution link').fill('https://play.google.com/apps/testing/com.example.once')
  await page.getByRole('button', { name: 'Create Campaign' }).dblclick()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pressed twice')
  expect(posts).toHaveLength(1)
  await page.goto('/dashboard/campaigns')
  await expect(page.getByRole('link', { name: 'View Details: Pressed twice' })).toHaveCount(1)
})

test('a double click on a button creates samples once, with one entry in the log', async ({ open }) => {
  const admin = await theAdmin()
  const page = await open({ as: admin })
  const posts = postsTo(page, /generate-samples$/)
  await page.goto('/dashboard/fraud')
  await page.getByRole('button', { name: 'Generate Samples' }).dblclick()
  await expect(page.getByText('Sample', { exact: true }).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Generate Samples' })).toBeEnabled()
  expect(posts).toHaveLength(1)
  await call(admin, 'DELETE', '/admin/fraud-reports/clear')
})

test('a refused form can be sent again immediately', async ({ open }) => {
  const page = await open({ as: await newPerson('DEVELOPER', 'Ada Again') })
  const posts = postsTo(page, /\/campaigns$/)
  await page.goto('/dashboard/campaigns/create')
  await page.getByRole('button', { name: 'Create Campaign' }).click()
  await expect(page.getByLabel('Title')).toBeFocused()
  await page.getByLabel('Title').fill('Sent again')
  await page.getByLabel('Description').fill('After an error.')
  await page.getByLabel('Distribution link').fill('https://play.google.com/apps/testing/com.example.again')
  await page.getByRole('button', { name: 'Create Campaign' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sent again')
  expect(posts).toHaveLength(1)
})

const timeIn = (part: Locator) => part.locator('time:visible').first()
const exactTime = /\d{4}, \d{1,2}:\d{2}/
const tipOf = (page: Page) => page.locator('[data-tooltip]')

/** Moves in steps, as a hand does, so that the pointer passes every place on the way. */
const moveOnto = async (page: Page, target: Locator) => {
  const box = (await target.boundingBox())!
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 30 })
}

test('a tooltip opens on hover and on a tap, and closes on Escape and when the pointer leaves', async ({ open }) => {
  const page = await open({ as: await theAdmin() })
  await page.goto('/dashboard/users')
  const time = timeIn(page.getByRole('main'))
  const tip = tipOf(page)
  await expect(time).toBeVisible()
  await time.hover()
  await expect(tip).toHaveText(exactTime)
  await page.keyboard.press('Escape')
  await expect(tip).toBeHidden()
  await time.click()
  await expect(tip).toHaveText(exactTime)
  await moveOnto(page, page.getByRole('heading', { level: 1 }))
  await expect(tip).toBeHidden()
})

const tipped = {
  'on a desk': { screen: 'desk', part: (page: Page) => timeIn(page.getByRole('main')) },
  // At the right edge of the window.
  'on a phone': { screen: 'phone', part: (page: Page) => page.getByRole('button', { name: /^Actions for / }).first() },
} as const

for (const [where, { screen, part }] of Object.entries(tipped)) {
  test(`a tooltip is inside the window and stays while the pointer is on it (WCAG 1.4.13), ${where}`, async ({
    open,
  }) => {
    const page = await open({ as: await theAdmin(), screen })
    await page.goto('/dashboard/users')
    const element = part(page)
    const tip = tipOf(page)
    await expect(element).toBeVisible()
    await element.hover()
    await expect(tip).toBeVisible()
    const { x, width } = (await tip.boundingBox())!
    expect(x).toBeGreaterThanOrEqual(0)
    expect(x + width).toBeLessThanOrEqual(page.viewportSize()!.width)
    await moveOnto(page, tip)
    await expect(tip).toBeVisible()
    await page.mouse.down()
    await page.mouse.up()
    await expect(tip).toBeVisible()
    await moveOnto(page, element)
    await expect(tip).toBeVisible()
    await moveOnto(page, page.getByRole('heading', { level: 1 }))
    await expect(tip).toBeHidden()
  })
}

test('a tooltip in a dialog can be hovered and pressed, and the first Escape closes only the tooltip', async ({
  open,
}) => {
  const admin = await theAdmin()
  await call(admin, 'POST', '/admin/fraud-reports/generate-samples')
  const page = await open({ as: admin })
  await page.goto('/dashboard/fraud')
  await page
    .getByRole('button', { name: /^Investigate/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  const tip = tipOf(page)
  await timeIn(dialog).scrollIntoViewIfNeeded()
  await timeIn(dialog).hover()
  await expect(tip).toBeVisible()
  await moveOnto(page, tip)
  await page.mouse.down()
  await page.mouse.up()
  await expect(tip).toBeVisible()
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(tip).toBeHidden()
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await call(admin, 'DELETE', '/admin/fraud-reports/clear')
})

test('a tooltip of the focused element stays while the pointer is elsewhere', async ({ open }) => {
  const page = await open({ as: await theAdmin() })
  await page.goto('/dashboard/users')
  const time = timeIn(page.getByRole('main'))
  const tip = tipOf(page)
  await expect(time).toBeVisible()
  await time.hover()
  await tabTo(page, page.getByRole('button', { name: /^Actions for / }).first())
  await expect(tip).toHaveText(/^Actions for /)
  await moveOnto(page, page.getByRole('heading', { level: 1 }))
  await expect(tip).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(tip).toBeHidden()
})

test('a link that is followed just before a search begins is not lost', async ({ open }) => {
  const campaign = await liveCampaign(await newPerson('DEVELOPER', 'Quinn Quick'), { title: 'Followed at once' })
  const page = await open({ as: await newPerson('TESTER', 'Flo Follows'), fresh: true })
  await page.clock.install()
  await page.goto('/dashboard/campaigns')
  const link = page.getByRole('link', { name: 'View Details: Followed at once' })
  await expect(link).toBeVisible()
  // The screen's code is still loading when the search falls due.
  const code = Promise.withResolvers<void>()
  await page.route(/\/assets\/.*\.js$/, async route => {
    await code.promise
    await route.continue()
  })
  const asked = page.waitForRequest(/\/assets\/.*\.js$/)
  await page.getByRole('searchbox', { name: 'Search campaigns' }).fill('followed')
  await link.click()
  await asked
  await page.clock.fastForward(1000)
  code.resolve()
  await expect(page).toHaveURL(`/dashboard/campaigns/${campaign.id}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Followed at once' })).toBeVisible()
})
