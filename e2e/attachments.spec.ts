/** Evidence from a phone: a day with a photo, a proof with two pictures, and a draft that survives a reload. */
import { picture } from '../src/testing/pictures.ts'
import type { CampaignTester } from '../src/participations/contract.ts'
import { call, join, liveCampaign, newPerson, passHours, theAdmin } from './support/api.ts'
import { expectLoaded } from './support/loaded.ts'
import { password } from './support/people.ts'
import { expect, outlivedTokens, type Page, test } from './support/test.ts'

const phone = { width: 390, height: 844 }

const file = async (name: string, color: string) => ({
  name,
  mimeType: 'image/png',
  buffer: await picture({ color, width: 300, height: 500 }),
})

/** How many files this browser keeps for drafts. */
const keptIn = (page: Page) =>
  page.evaluate(async () => {
    const opening = indexedDB.open('fieldtest-files')
    await new Promise(resolve => opening.addEventListener('success', resolve))
    const counting = opening.result.transaction('files').objectStore('files').count()
    await new Promise(resolve => counting.addEventListener('success', resolve))
    opening.result.close()
    return counting.result
  })

test('a tester checks in with a photo and submits the proof with pictures, and the developer sees both', async ({
  open,
}) => {
  const developer = await newPerson('DEVELOPER', 'Dora Evidence')
  const tester = await newPerson('TESTER', 'Tom Evidence')
  const campaign = await liveCampaign(developer, {
    title: 'Evidence',
    durationDays: 1,
    features: ['Search', 'Notes'],
  })
  const { id } = await join(tester, campaign)
  const page = await open({ as: tester, provokes: /Failed to load resource|net::ERR|Network error/ })
  await page.setViewportSize(phone)
  await page.goto(`/dashboard/my-tests/${id}`)

  await page.getByRole('button', { name: 'Add details' }).click()
  await page.getByLabel('Minutes of use').fill('12')
  await page.getByLabel('Search').check()
  const code = await page.locator('strong.font-mono').textContent()
  expect(code).toMatch(/^[A-Z0-9]{6}$/)
  await page.getByLabel('Choose a picture').setInputFiles(await file('day.png', '#c03030'))
  await expect(page.getByText('Uploaded')).toBeVisible()
  await page.getByRole('button', { name: 'Check in for today' }).click()
  await expect(page.getByText('Checked in today')).toBeVisible()

  await passHours(24)
  await page.goto(`/dashboard/my-tests/${id}`)
  // The screen reader's lists have the card's heading above the form's, and each picker once.
  await expect(page.getByRole('heading', { level: 2, name: 'Progress' })).toBeAttached()
  await expect(page.getByRole('button', { name: 'Choose pictures or a video' })).toHaveCount(1)
  await page.getByLabel('Your proof').fill('I searched and wrote notes.')
  // Chosen while there is no network, a picture is kept and uploaded later.
  await page.route('**/api/v1/attachments', route => route.abort())
  await page
    .getByLabel('Choose pictures or a video')
    .setInputFiles([await file('one.png', '#30c030'), await file('two.png', '#3030c0')])
  await expect(page.getByText('Network error')).toHaveCount(2)
  await page.unroute('**/api/v1/attachments')
  await page.getByRole('button', { name: 'Upload one.png again' }).click()
  await expect(page.getByText('Uploaded')).toHaveCount(1)
  // The other one is uploaded without a press once the network is back.
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await expect(page.getByText('Uploaded')).toHaveCount(2)
  await page.getByRole('button', { name: 'Remove two.png' }).click()
  await page.route('**/api/v1/attachments', route => route.abort())
  await page.getByLabel('Choose pictures or a video').setInputFiles([await file('two.png', '#3030c0')])
  await expect(page.getByText('Network error').first()).toBeVisible()
  await page.unroute('**/api/v1/attachments')
  await page.reload()
  await expect(page.getByText('Uploaded')).toHaveCount(2)
  await expect(page.getByLabel('Your proof')).toHaveValue('I searched and wrote notes.')
  await page.getByRole('button', { name: 'Submit proof' }).click()
  await page.locator('summary', { hasText: 'Your proof' }).click()
  await expect(page.getByRole('button', { name: /Open Picture 2 of the proof/ })).toBeVisible()

  const { proof, checkIns } = await call<CampaignTester>(tester, 'GET', `/testers/campaign-testers/${id}`)
  expect(proof?.attachments).toHaveLength(2)
  expect(checkIns[0]).toMatchObject({ minutes: 12, features: ['Search'], code })
  expect(checkIns[0]?.attachment).not.toBeNull()

  const desk = await open({ as: developer })
  await desk.goto(`/dashboard/campaigns/${campaign.id}`)
  await desk
    .getByRole('link', { name: /Review/ })
    .or(desk.getByRole('button', { name: /Review/ }))
    .first()
    .click()
  await desk.getByRole('button', { name: /Open Picture 1 of the proof/ }).click()
  await expect(desk.getByRole('dialog').getByRole('img')).toBeVisible()
  await desk.keyboard.press('Escape')
})

test('a note and a picture for one test are not sent with another test that Back leads to', async ({ open }) => {
  const developer = await newPerson('DEVELOPER', 'Dora Two Apps')
  const tester = await newPerson('TESTER', 'Tom Two Tests')
  const alpha = await join(tester, await liveCampaign(developer, { title: 'Alpha' }))
  await join(tester, await liveCampaign(developer, { title: 'Beta' }))
  const page = await open({ as: tester })
  const isShown = (title: string) => expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
  const note = page.getByLabel('Note for the developer')
  await page.goto(`/dashboard/my-tests/${alpha.id}`)
  await expectLoaded(page, 'the test')
  await isShown('Alpha')
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('dialog').getByRole('combobox').fill('Beta')
  await page.getByRole('option', { name: 'Beta' }).click()
  await isShown('Beta')
  await page.getByRole('button', { name: 'Add details' }).click()
  await note.fill('Only about Beta')
  await page.getByLabel('Choose a picture').setInputFiles(await file('beta.png', '#c03030'))
  await expect(page.getByText('Uploaded')).toBeVisible()
  await page.goBack()
  await isShown('Alpha')
  await page.getByRole('button', { name: 'Check in for today' }).click()
  await expect(page.getByText('Checked in today')).toBeVisible()
  const { checkIns } = await call<CampaignTester>(tester, 'GET', `/testers/campaign-testers/${alpha.id}`)
  expect(checkIns).toMatchObject([{ note: null, attachment: null }])
})

test('a picture stays on the device until its day is over or its check-in is sent, even after midnight', async ({
  open,
}) => {
  const tester = await newPerson('TESTER', 'Tom Two Days')
  const hour = new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', timeZone: 'Europe/Berlin' })
  const toEvening = 44 - Number(hour.format(Date.parse(await passHours(0))))
  await passHours(toEvening % 24)
  const { id } = await join(
    tester,
    await liveCampaign(await newPerson('DEVELOPER', 'Dora Two Days'), { title: 'Two days', durationDays: 5 }),
  )
  const page = await open({ as: tester, provokes: outlivedTokens })
  const expectKept = (count: number) => expect.poll(() => keptIn(page)).toBe(count)
  const pick = async () => {
    await page.getByRole('button', { name: 'Add details' }).click()
    await page.getByLabel('Choose a picture').setInputFiles(await file('day.png', '#c03030'))
    await expect(page.getByText('Uploaded')).toBeVisible()
    await expectKept(1)
  }
  await page.goto(`/dashboard/my-tests/${id}`)
  await pick()
  const code = await page.locator('strong.font-mono').textContent()
  await passHours(5)
  // A notification tells the page the new time.
  await call(await theAdmin(), 'POST', `/admin/users/${tester.session.user.id}/message`, {
    subject: 'Good night',
    message: 'Midnight is over.',
  })
  await expect(page.locator('strong.font-mono')).not.toHaveText(code ?? '', { timeout: 30_000 })
  await page.getByRole('button', { name: 'Check in for today' }).click()
  await expect(page.getByText('Checked in today')).toBeVisible()
  await expectKept(0)

  await passHours(24)
  await page.reload()
  await pick()
  // A screen that is open at midnight keeps the picture for the next check-in.
  const { pathname } = new URL(page.url())
  await page.goto('about:blank')
  await passHours(24)
  await page.goto(pathname)
  await expect(page.getByRole('button', { name: 'Add details' })).toBeVisible()
  await expectKept(0)
})

test('logging out on a device that keeps an unsent proof asks what becomes of it, and does what was answered', async ({
  open,
}) => {
  const tester = await newPerson('TESTER', 'Ula Unsent')
  const developer = await newPerson('DEVELOPER', 'Dora Unsent')
  const { id } = await join(tester, await liveCampaign(developer, { title: 'Unsent', durationDays: 1 }))
  await passHours(25)
  const page = await open({ as: tester, provokes: outlivedTokens })
  const logOut = async () => {
    await page.getByRole('button', { name: /user menu/i }).click()
    await page.getByRole('button', { name: 'Log out', exact: true }).click()
  }
  const dialog = page.getByRole('dialog', { name: 'Log out with 1 unsent draft?' })
  const text = page.getByLabel('Your proof')
  const comeBack = async () => {
    await expect(page).toHaveURL(/^[^/]+\/\/[^/]+\/$/)
    await page.goto(`/dashboard/my-tests/${id}`)
    await page.getByLabel('Email').fill(tester.email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(text).toBeVisible()
  }
  await page.goto(`/dashboard/my-tests/${id}`)
  await text.fill('Half of a proof')
  await page.getByLabel('Choose pictures or a video').setInputFiles([await file('one.png', '#30c030')])
  await expect(page.getByText('Uploaded')).toBeVisible()

  await logOut()
  await expect(dialog).toContainText('Not sent yet: 1 proof, with 1 file.')
  // In a wider font too, none of the three buttons is alone in a second row.
  const buttons = dialog.getByRole('button', { name: /^(Stay|Log out)/ })
  await buttons.evaluateAll(all => all.forEach(button => (button.style.letterSpacing = '3px')))
  const places = await buttons.evaluateAll(all => all.map(button => button.getBoundingClientRect().toJSON()))
  expect(new Set(places.map(({ left, right }) => `${left} ${right}`)).size).toBe(1)
  expect(new Set(places.map(({ top }) => top)).size).toBe(3)
  await dialog.getByRole('button', { name: 'Stay' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: /user menu/i })).toBeFocused()
  await expect(text).toHaveValue('Half of a proof')

  await logOut()
  await dialog.getByRole('button', { name: 'Log out and keep' }).click()
  await comeBack()
  await expect(text).toHaveValue('Half of a proof')
  await expect(page.getByText('Uploaded')).toBeVisible()

  await logOut()
  await dialog.getByRole('button', { name: 'Log out and remove' }).click()
  await comeBack()
  await expect(text).toHaveValue('')
  expect(await keptIn(page)).toBe(0)

  // Nothing to lose, nothing to ask.
  await logOut()
  await expect(page).toHaveURL(/^[^/]+\/\/[^/]+\/$/)
})
