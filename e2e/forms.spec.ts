/** Forms under bad conditions: all fields invalid, a reload, a refusal by the server, leaving with unsaved changes. */
import { call, draftCampaign, earn, join, liveCampaign, newPerson, passHours, theAdmin } from './support/api.ts'
import { password } from './support/people.ts'
import { expect, type Page, test } from './support/test.ts'

const submitOf = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true })

test('a registration shows each error at its field and focuses the first', async ({ open }) => {
  const page = await open()
  await page.goto('/register')
  await page.getByLabel('Email').fill('no address')
  await page.getByLabel('Password', { exact: true }).fill('12345')
  await page.getByLabel('Confirm password', { exact: true }).fill('54321')
  await submitOf(page, 'Create account').click()
  const name = page.getByLabel('Full name')
  await expect(name).toBeFocused()
  for (const [label, sentence] of [
    ['Full name', 'Full name is required'],
    ['Email', 'Enter a valid email address'],
    ['Password', 'Password must be at least 6 characters'],
    ['Confirm password', 'Passwords do not match'],
  ] as const) {
    const field = page.getByLabel(label, { exact: true })
    await expect(field, label).toHaveAttribute('aria-invalid', 'true')
    await expect(field, label).toHaveAccessibleDescription(new RegExp(sentence))
  }
})

test('a weak password is reported with the reason while it is typed', async ({ open }) => {
  const page = await open()
  await page.goto('/register')
  await page.getByLabel('Full name').fill('Wanda Weak')
  await page.getByLabel('Password', { exact: true }).fill('letmein')
  await expect(page.getByText('This is one of the 10,000 most common passwords.')).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill('wandaweak1')
  await expect(page.getByText('This password is made up of your name or email address.')).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill('quiet-lamp-by-the-sea')
  await expect(page.getByText(/^This password|^This is one of/)).toBeHidden()
})

test('a taken email is refused with a message, and the input is kept', async ({ open }) => {
  const taken = await newPerson('TESTER', 'Theo Taken')
  const page = await open({ provokes: /409/ })
  await page.goto('/register')
  await page.getByLabel('Full name').fill('Second Theo')
  await page.getByLabel('Email').fill(taken.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password', { exact: true }).fill(password)
  await submitOf(page, 'Create account').click()
  const email = page.getByLabel('Email')
  await expect(email).toHaveAttribute('aria-invalid', 'true')
  await expect(email).toBeFocused()
  await expect(email).toHaveAccessibleDescription(/already/)
  await expect(page.getByLabel('Full name')).toHaveValue('Second Theo')
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(password)
})

const fillCampaign = async (page: Page) => {
  await page.getByLabel('Title').fill('Half a campaign')
  await page.getByLabel('Description').fill('It is not finished yet.')
  await page.getByLabel('Payment per tester').fill('7.25')
  await page.locator('label', { hasText: 'iOS' }).click()
  await page.getByLabel('Minimum iOS version').fill('17.2')
}

test('a fractional number of testers is refused as such, and has no price', async ({ open }) => {
  const page = await open({ as: await newPerson('DEVELOPER', 'Hal Half') })
  await page.goto('/dashboard/campaigns/create')
  await page.getByLabel('Title').fill('Half a tester')
  await page.getByLabel('Description').fill('It asks for one and a half.')
  await page.getByLabel('Distribution link').fill('https://example.com/app')
  const testers = page.getByLabel('Testers', { exact: true })
  await testers.fill('1.5')
  await expect(page.getByText(/^Enter 1 to [\d,]+ testers and a payment from .+ to see the cost\.$/)).toBeVisible()
  await submitOf(page, 'Create Campaign').click()
  await expect(testers).toHaveAccessibleDescription(/Testers must be a whole number/)
  await expect(testers).toHaveValue('1.5')
})

test('a campaign draft survives a reload and leaving, and is deleted once the campaign is created', async ({
  open,
}) => {
  const developer = await newPerson('DEVELOPER', 'Drew Drafts')
  const page = await open({ as: developer })
  await page.goto('/dashboard/campaigns/create')
  await fillCampaign(page)
  await page.reload()
  const isThere = async () => {
    await expect(page.getByText('Draft restored')).toBeVisible()
    await expect(page.getByLabel('Title')).toHaveValue('Half a campaign')
    await expect(page.getByLabel('Payment per tester')).toHaveValue('7.25')
    await expect(page.getByRole('radio', { name: 'iOS' })).toBeChecked()
    await expect(page.getByLabel('Minimum iOS version')).toHaveValue('17.2')
  }
  await isThere()
  await page.getByRole('link', { name: 'Payments' }).first().click()
  const asked = page.getByRole('dialog', { name: 'Leave without creating the campaign?' })
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByLabel('Title')).toHaveValue('Half a campaign')
  await page.getByRole('link', { name: 'Payments' }).first().click()
  await asked.getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL(/\/dashboard\/payments$/)
  await page.getByRole('link', { name: 'Create Campaign' }).first().click()
  await isThere()
  await page.getByLabel('Distribution link').fill('https://testflight.apple.com/join/abc')
  await submitOf(page, 'Create Campaign').click()
  await expect(page.getByRole('heading', { level: 1, name: 'Half a campaign' })).toBeVisible()
  await page.goto('/dashboard/campaigns/create')
  await expect(page.getByLabel('Title')).toHaveValue('')
})

test('a new campaign starts with the plan that was chosen on the front page, until one is created', async ({
  open,
}) => {
  const page = await open({ as: await newPerson('DEVELOPER', 'Polly Plan'), fresh: true })
  // Chosen before the page's script has come.
  const { promise: pressed, resolve: letScriptsCome } = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async route => {
    await pressed
    await route.continue()
  })
  await page.goto('/', { waitUntil: 'commit' })
  await page.getByRole('link', { name: 'Choose Growth' }).click()
  await expect(page).toHaveURL(/\/register\?|\/dashboard$/)
  letScriptsCome()
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.goto('/dashboard/campaigns/create')
  const isFilledIn = async () => {
    await expect(page.getByText('You chose 25 testers at $3.44 each on our front page.')).toBeVisible()
    await expect(page.getByLabel('Testers', { exact: true })).toHaveValue('25')
    await expect(page.getByLabel('Payment per tester')).toHaveValue('3.44')
    await expect(page.getByText('$98.90')).toBeVisible()
  }
  await isFilledIn()
  // Nothing was typed that could be lost.
  await page.getByRole('link', { name: 'Payments' }).first().click()
  await expect(page).toHaveURL(/\/dashboard\/payments$/)
  await page.goto('/dashboard/campaigns/create')
  await isFilledIn()
  await page.getByLabel('Title').fill('A plan')
  await page.getByLabel('Description').fill('As it was chosen.')
  await page.getByLabel('Distribution link').fill('https://example.com/app')
  await submitOf(page, 'Create Campaign').click()
  await expect(page.getByRole('heading', { level: 1, name: 'A plan' })).toBeVisible()
  await page.goto('/dashboard/campaigns/create')
  await expect(page.getByLabel('Testers', { exact: true })).toHaveValue('10')
  await expect(page.getByText('Filled in for you')).toBeHidden()
})

test('a link to Google Play proposes an email list until the developer chooses; features can be reordered by keyboard', async ({
  open,
}) => {
  const page = await open({ as: await newPerson('DEVELOPER', 'Pia Proposal') })
  await page.goto('/dashboard/campaigns/create')
  const mode = (name: string) => page.getByRole('radio', { name: new RegExp(`^${name}`) })
  const link = page.getByLabel('Distribution link')
  await expect(mode('Open link')).toBeChecked()
  await link.fill('https://play.google.com/apps/testing/com.example.notes')
  await expect(mode('Email list')).toBeChecked()
  await link.fill('https://example.com/app')
  await expect(mode('Open link')).toBeChecked()
  await page.locator('label', { hasText: 'Google Group' }).click()
  await link.fill('https://play.google.com/apps/testing/com.example.notes')
  await expect(mode('Google Group')).toBeChecked()

  await page.getByRole('button', { name: 'Add a feature' }).click()
  await page.keyboard.type('Search')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Notes')
  await page.keyboard.press('Alt+ArrowUp')
  const line = (place: number) => page.getByLabel(`Feature ${place}`, { exact: true })
  await expect(line(1)).toHaveValue('Notes')
  await expect(line(1)).toBeFocused()
  await expect(line(2)).toHaveValue('Search')
  await expect(page.getByText('Moved to line 1 of 2')).toBeAttached()
})

test('a draft from before closed tests existed is restored, and what it lacks is filled in as on a new form', async ({
  open,
}) => {
  const developer = await newPerson('DEVELOPER', 'Otto Older')
  const page = await open({ as: developer, fresh: true })
  const draft = { title: 'From last month', description: 'Kept.', platform: 'android', testersRequired: 9 }
  await page.addInitScript(
    ([key, text]) => localStorage.setItem(key!, text!),
    [`campaignDraft:${developer.session.user.id}`, JSON.stringify(draft)],
  )
  await page.goto('/dashboard/campaigns/create')
  await expect(page.getByText('Draft restored')).toBeVisible()
  await expect(page.getByLabel('Title')).toHaveValue('From last month')
  await expect(page.getByLabel('Testers', { exact: true })).toHaveValue('9')
  await expect(page.getByRole('radio', { name: /^Open link/ })).toBeChecked()
  await expect(page.getByLabel('Feature 1', { exact: true })).toHaveCount(0)
  // After starting over, it is a new form, whatever is typed into it.
  await page.getByRole('button', { name: 'Start over' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Start over' }).click()
  await page.getByLabel('Title').fill('Quite another one')
  await expect(page.getByText('Draft restored')).toBeHidden()
})

test('there is no advice on numbers of testers and pay beyond the limits', async ({ open }) => {
  const page = await open({ as: await newPerson('DEVELOPER', 'Max Many') })
  await page.goto('/dashboard/campaigns/create')
  await page.getByRole('radio', { name: /^Email list/ }).check()
  await page.getByLabel('Payment per tester').fill('10')
  await page.getByLabel('Testers', { exact: true }).fill('14')
  const advice = page.getByText(/chance/)
  await expect(advice.first()).toBeVisible()
  await page.getByLabel('Testers', { exact: true }).fill('1000000')
  await expect(advice).toHaveCount(0)
})

test('another user of the same browser does not see the draft', async ({ open }) => {
  const first = await newPerson('DEVELOPER', 'Fay First')
  const second = await newPerson('DEVELOPER', 'Sid Second')
  const page = await open({ as: first })
  await page.goto('/dashboard/campaigns/create')
  await fillCampaign(page)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: /user menu/i }).click()
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(page.getByRole('dialog')).toContainText('Not sent yet: 1 campaign.')
  await page.getByRole('button', { name: 'Log out and keep' }).click()
  await expect(page).toHaveURL(/\/$/)
  await page.goto('/login')
  await page.getByLabel('Email').fill(second.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await submitOf(page, 'Sign in').click()
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome, Sid Second' })).toBeVisible()
  await page.goto('/dashboard/campaigns/create')
  await expect(page.getByLabel('Title')).toHaveValue('')
})

test('an error from the server is shown at its field, which gets the focus', async ({ open }) => {
  const developer = await newPerson('DEVELOPER', 'Fred Refused')
  const page = await open({ as: developer, provokes: /422/ })
  await page.goto('/dashboard/campaigns/create')
  await page.getByLabel('Title').fill('Refused by the server')
  await page.getByLabel('Description').fill('It looks right from here.')
  await page.getByLabel('Distribution link').fill('https://example.com/app')
  const message = 'This link leads to a store page that is gone.'
  await page.route('**/api/v1/campaigns', (route, request) =>
    request.method() === 'POST'
      ? route.fulfill({
          status: 422,
          json: { statusCode: 422, code: 'INVALID', message, fields: { distributionLink: message } },
        })
      : route.fallback(),
  )
  await submitOf(page, 'Create Campaign').click()
  const link = page.getByLabel('Distribution link')
  await expect(link).toHaveAccessibleDescription(new RegExp(message))
  await expect(link).toBeFocused()
  await expect(page.getByText(message)).toHaveCount(1)
  await page.unroute('**/api/v1/campaigns')
  await submitOf(page, 'Create Campaign').click()
  await expect(page.getByRole('heading', { level: 1, name: 'Refused by the server' })).toBeVisible()
})

test('leaving with an unsaved edit asks first', async ({ open }) => {
  const developer = await newPerson('DEVELOPER', 'Edda Edits')
  const { id } = await draftCampaign(developer, { title: 'To be edited' })
  const page = await open({ as: developer })
  await page.goto(`/dashboard/campaigns/${id}/edit`)
  await page.getByLabel('Title').fill('Edited, not saved')
  await page.getByRole('link', { name: 'Payments' }).first().click()
  const asked = page.getByRole('dialog', { name: 'Leave without saving?' })
  await expect(asked).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(asked).toBeHidden()
  await expect(page).toHaveURL(/\/edit$/)
  await submitOf(page, 'Save changes').click()
  await expect(page.getByRole('heading', { level: 1, name: 'Edited, not saved' })).toBeVisible()
})

test('no way of closing a dialog discards what was entered without asking', async ({ open }) => {
  const page = await open({ as: await theAdmin() })
  const { id } = (await newPerson('TESTER', 'Tess Told')).session.user
  await page.goto(`/dashboard/users/${id}`)
  const opener = page.getByRole('main').getByRole('button', { name: 'Send Message' })
  const dialog = page.getByRole('dialog', { name: /^Message/ })
  const message = dialog.getByRole('textbox', { name: 'Message' })
  const asked = page.getByRole('dialog', { name: 'Discard what you entered?' })
  const escape = () => page.keyboard.press('Escape')
  const pressOutside = () => page.mouse.click(5, 200)
  /** Repeats it until it takes effect: the second press of a double click does nothing. */
  const until = (leave: () => Promise<void>, left: () => Promise<void>) => expect(() => leave().then(left)).toPass()

  for (const leave of [pressOutside, escape]) {
    await opener.click()
    await expect(dialog).toBeVisible()
    await until(leave, () => expect(dialog).toBeHidden({ timeout: 300 }))
    await expect(opener).toBeFocused()
  }

  await opener.click()
  await message.fill('Half a message')
  for (const leave of [pressOutside, escape]) {
    await until(leave, () => expect(asked).toBeVisible({ timeout: 300 }))
    await expect(asked.getByRole('button', { name: 'Keep editing' })).toBeFocused()
    await escape()
    await expect(asked).toBeHidden()
    await expect(message).toBeFocused()
  }
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expect(message).toHaveValue('Half a message')
  await escape()
  await asked.getByRole('button', { name: 'Discard' }).click()
  await expect(dialog).toBeHidden()
  await expect(opener).toBeFocused()
})

test('Back and logging out ask before a changed form is lost, and then go ahead', async ({ open }) => {
  const developer = await newPerson('DEVELOPER', 'Bea Back')
  const { id } = await draftCampaign(developer, { title: 'To go back to' })
  const page = await open({ as: developer })
  const menu = page.getByRole('button', { name: /user menu/i })
  await page.goto('/dashboard/payments')
  await menu.click()
  await page.getByRole('link', { name: 'Settings' }).click()
  const asked = page.getByRole('dialog', { name: 'Leave without saving?' })
  const name = page.getByLabel('Full name')
  await name.fill('Somebody Else')
  await page.evaluate(() => history.back())
  await asked.getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL(/\/dashboard\/payments$/)
  await expect(asked).toBeHidden()

  await page.goto(`/dashboard/campaigns/${id}/edit`)
  await page.getByLabel('Title').fill('Edited, not saved')
  const logOut = async () => {
    await menu.click()
    await page.getByRole('button', { name: 'Log out' }).click()
  }
  await logOut()
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByLabel('Title')).toHaveValue('Edited, not saved')
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('dialog').getByRole('combobox').fill('Log out')
  await page.keyboard.press('Enter')
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await logOut()
  await asked.getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL(/^[^/]+\/\/[^/]+\/$/)
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/login$/)
})

const ownSettings = [
  { of: 'a profile', path: '/dashboard/settings', field: 'Full name', changed: 'Somebody Else' },
  { of: 'the system settings', path: '/dashboard/system-settings', field: 'Review window', changed: '71' },
]
for (const { of, path, field, changed } of ownSettings) {
  test(`leaving with an unsaved change of ${of} asks first`, async ({ open }) => {
    const page = await open({ as: await theAdmin() })
    await page.goto(path)
    const before = await page.getByLabel(field).inputValue()
    await page.getByLabel(field).fill(changed)
    await page.getByRole('link', { name: 'Users' }).first().click()
    const asked = page.getByRole('dialog', { name: 'Leave without saving?' })
    await asked.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByLabel(field)).toHaveValue(changed)
    await page.getByRole('link', { name: 'Users' }).first().click()
    await asked.getByRole('button', { name: 'Leave' }).click()
    await expect(page).toHaveURL(/\/dashboard\/users$/)
    await page.goto(path)
    await expect(page.getByLabel(field)).toHaveValue(before)
  })
}

test('a withdrawal is limited by the minimum and the balance', async ({ open }) => {
  const tester = await newPerson('TESTER', 'Wim Withdraws')
  await earn(await newPerson('DEVELOPER', 'Pia Pays'), tester, 'Pays twelve fifty', 1250)
  const page = await open({ as: tester })
  await page.goto('/dashboard/balance')
  const withdraw = page.getByRole('button', { name: 'Withdraw', exact: true })
  const amount = page.getByLabel('Amount')
  await expect(withdraw).toBeDisabled()
  await amount.fill('9.99')
  await expect(withdraw).toBeDisabled()
  await amount.blur()
  await expect(page.getByText('Minimum withdrawal amount is $10')).toBeVisible()
  await amount.fill('12.51')
  await withdraw.click()
  await expect(page.getByText('Insufficient balance')).toBeVisible()
  await amount.fill('10')
  await withdraw.click()
  await expect(page.getByRole('dialog')).toContainText('$2.50')
})

test('a form whose code cannot be loaded shows an error instead of nothing, and appears once the code can be loaded', async ({
  open,
}) => {
  const campaign = await liveCampaign(await newPerson('DEVELOPER', 'Dina Due'), { title: 'Due', durationDays: 1 })
  const tester = await newPerson('TESTER', 'Lou Later')
  await join(tester, campaign)
  await passHours(24)
  const page = await open({ as: tester, provokes: /ProofForm|net::ERR|dynamically imported/ })
  await page.route('**/ProofForm-*.js', route => route.abort())
  await page.goto('/dashboard/my-tests')
  await expect(page.getByRole('button', { name: 'Reload' })).toBeVisible()
  await page.unroute('**/ProofForm-*.js')
  await page.getByRole('button', { name: 'Reload' }).click()
  await expect(page.getByLabel('Your proof')).toBeVisible()
})

test('a profile changed elsewhere keeps that change when an older screen saves another field', async ({ open }) => {
  const tester = await newPerson('TESTER', 'Tia Two Tabs')
  const page = await open({ as: tester })
  await page.goto('/dashboard/settings')
  await page.getByLabel('Full name').fill('Tia Renamed')
  await call(tester, 'PATCH', '/users/me', { country: 'DE', timeZone: 'Pacific/Niue' })
  await page.getByRole('button', { name: 'Save profile' }).click()
  await expect(page.getByText('Profile saved')).toBeVisible()
  expect(await call(tester, 'GET', '/users/me')).toMatchObject({
    name: 'Tia Renamed',
    country: 'DE',
    timeZone: 'Pacific/Niue',
  })
  await expect(page.getByLabel('Country')).toContainText('Germany')
})

test('a renamed time zone is listed once, under the name that was chosen', async ({ open }) => {
  const tester = await newPerson('TESTER', 'Kiran Kathmandu')
  await call(tester, 'PATCH', '/users/me', { timeZone: 'Asia/Kathmandu' })
  const page = await open({ as: tester })
  await page.goto('/dashboard/settings')
  const zones = page.getByLabel('Time zone')
  await expect(zones).toHaveValue('Asia/Kathmandu')
  expect((await zones.locator('option').allTextContents()).filter(zone => /kath?mandu/i.test(zone))).toEqual([
    'Asia/Kathmandu',
  ])
})
