/** A double click takes effect once; and tooltips explain what the pointer rests on. */
import { call, newPerson, theAdmin } from './support/api.ts'
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

test('a double click on a button makes samples once, and one entry in the log', async ({ open }) => {
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

test('an exact time is told to a pointer that rests and to a tap, until Escape or until the pointer leaves', async ({
  open,
}) => {
  const admin = await theAdmin()
  const page = await open({ as: admin })
  await page.goto('/dashboard/users')
  const time = page.getByRole('main').locator('time:visible').first()
  const tip = page.getByText(/\d{4}, \d{1,2}:\d{2}/)
  await expect(time).toBeVisible()
  await time.hover()
  await expect(tip).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(tip).toBeHidden()
  await time.click()
  await expect(tip).toBeVisible()
  await page.mouse.move(0, 0)
  await expect(tip).toBeHidden()
})
