/** The main job by keyboard alone: every focus stop is visible, and the focus is never lost. */
import type { Locator } from '@playwright/test'
import { call, draftCampaign, join, liveCampaign, newPerson, passHours, theAdmin } from './support/api.ts'
import { expectFocusKept, press, tabThrough, tabTo, type } from './support/keyboard.ts'
import { expectLoaded } from './support/loaded.ts'
import { password } from './support/people.ts'
import { expect, outlivedTokens, type Page, test } from './support/test.ts'

const title = 'A campaign without a mouse'

const signIn = async (page: Page, email: string) => {
  await page.goto('/login')
  await expect(page.getByLabel('Email')).toBeFocused()
  await page.keyboard.type(email)
  await type(page, page.getByLabel('Password', { exact: true }), password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
}

/** Presses a button, then confirms in the dialog; the focus returns from the dialog. */
const confirm = async (page: Page, button: string, label = button) => {
  await press(page, page.getByRole('main').getByRole('button', { name: button, exact: true }).first())
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  await press(page, dialog.getByRole('button', { name: label, exact: true }))
  await expect(dialog).toBeHidden()
  await expectFocusKept(page, label)
}

const createCampaign = async (page: Page) => {
  await press(page, page.getByRole('link', { name: 'Create Campaign' }).first())
  await expect(page.getByRole('heading', { level: 1, name: 'Create Campaign' })).toBeFocused()
  await type(page, page.getByLabel('Title'), title)
  await type(page, page.getByLabel('Description'), 'Everything can be reached.')
  await type(page, page.getByLabel('Distribution link'), 'https://example.com/app')
  // The group is one stop; the arrow keys choose within it.
  await tabTo(page, page.getByRole('radio', { name: 'Android' }))
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('radio', { name: 'iOS' })).toBeChecked()
  await page.keyboard.press('ArrowUp')
  await expect(page.getByRole('radio', { name: 'Android' })).toBeChecked()
  await type(page, page.getByLabel('Testers', { exact: true }), '1')
  await type(page, page.getByLabel('Payment per tester'), '10')
  await type(page, page.getByLabel('Duration in days'), '1')
  const daily = page.getByRole('switch', { name: 'Daily check-in' })
  await press(page, daily, 'Space')
  await expect(daily).not.toBeChecked()
  await press(page, daily, 'Space')
  await press(page, page.getByRole('main').getByRole('button', { name: 'Create Campaign' }))
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeFocused()
  return new URL(page.url()).pathname
}

const joinCampaign = async (page: Page) => {
  await press(page, page.getByRole('link', { name: 'Available Campaigns' }).first())
  await expect(page.getByRole('heading', { level: 1, name: 'Available Campaigns' })).toBeFocused()
  await type(page, page.getByRole('searchbox', { name: 'Search campaigns' }), 'without a mouse')
  await page.keyboard.press('Enter')
  await press(page, page.getByRole('link', { name: `View Details: ${title}` }))
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeFocused()
  await press(page, page.getByRole('main').getByRole('button', { name: 'Join Campaign' }).first())
  const dialog = page.getByRole('dialog')
  await type(page, dialog.getByLabel('OS version'), '14')
  await type(page, dialog.getByLabel('Model'), 'Pixel 8')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard\/my-tests/)
  await expectFocusKept(page, 'joining')
}

const testAndProve = async (page: Page) => {
  await press(page, page.getByRole('button', { name: 'Check in for today' }))
  await expect(page.getByText('Checked in today')).toBeVisible()
  await expectFocusKept(page, 'the check-in')
  await passHours(25)
  await page.reload()
  await type(page, page.getByLabel('Your proof'), 'Reached everything by Tab.')
  await press(page, page.getByRole('button', { name: 'Submit proof' }))
  await expect(page.getByText('Your proof is in review')).toBeVisible()
  await expectFocusKept(page, 'handing in the proof')
}

const verify = async (page: Page) => {
  await press(page, page.getByRole('link', { name: 'Review proof of Tester 1' }))
  await expect(page.getByRole('heading', { level: 1, name: 'Review proofs' })).toBeFocused()
  await press(page, page.getByRole('button', { name: 'Verify and pay $10.00' }))
  await expect(page.getByText('Verifying Tester 1')).toBeVisible()
  await expect(page.getByText('Verifying Tester 1')).toBeHidden()
  await expectFocusKept(page, 'verifying')
}

const withdraw = async (page: Page) => {
  await press(page, page.getByRole('link', { name: 'Balance' }).first())
  await expect(page.getByRole('heading', { level: 1, name: 'Balance and Earnings' })).toBeFocused()
  await type(page, page.getByLabel('Amount'), '10')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await press(page, dialog.getByRole('button', { name: 'Withdraw $10.00' }))
  await expect(page.getByText('Withdrawal request submitted successfully')).toBeVisible()
  await expectFocusKept(page, 'the withdrawal')
}

test('the main job needs no mouse, from signing in to the withdrawal', async ({ open }) => {
  const developer = await newPerson('DEVELOPER', 'Kay Keyboard')
  const tester = await newPerson('TESTER', 'Kim Keyboard')
  const desk = await open({ provokes: outlivedTokens })
  await signIn(desk, developer.email)
  const campaign = await createCampaign(desk)
  await confirm(desk, 'Pay $11.50')
  await call(await theAdmin(), 'POST', `/admin/campaigns/${campaign.split('/').at(-1)}/approve`)
  await desk.goto(campaign)
  await confirm(desk, 'Start campaign')

  const theirs = await open({ provokes: outlivedTokens })
  await signIn(theirs, tester.email)
  await joinCampaign(theirs)
  await testAndProve(theirs)
  await desk.goto(campaign)
  await verify(desk)
  await withdraw(theirs)
})

test('with several tests on one screen, each button says which of them it belongs to, and a dialog’s does not', async ({
  open,
}) => {
  const developer = await newPerson('DEVELOPER', 'Sam Several')
  const tester = await newPerson('TESTER', 'Tia Several')
  const titles = ['The first of two', 'The second of two']
  for (const of of titles) await join(tester, await liveCampaign(developer, { title: of }))
  const page = await open({ as: tester })
  await page.goto('/dashboard/my-tests')
  for (const of of titles) {
    const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: of }) })
    for (const name of ['Check in for today', 'Add details', 'Copy link', 'Leave'])
      await expect(card.getByRole('button', { name, exact: true })).toHaveAccessibleDescription(of)
    await expect(card.getByRole('link', { name: /^Get the app/ })).toHaveAccessibleDescription(of)
  }
  await page.getByRole('button', { name: 'Leave', exact: true }).first().click()
  const cancel = page.getByRole('dialog').getByRole('button', { name: 'Cancel' })
  await expect(cancel).toHaveAccessibleDescription('')
})

test('on a phone, neither bar covers what has the focus', async ({ open }) => {
  const developer = await newPerson('DEVELOPER', 'Bo Bars')
  const tester = await newPerson('TESTER', 'Ben Bars')
  for (const of of ['Barred', 'Barred again']) await join(tester, await liveCampaign(developer, { title: of }))
  const page = await open({ as: tester, screen: 'phone' })
  for (const path of ['my-tests', 'settings']) {
    await page.goto(`/dashboard/${path}`)
    await expectLoaded(page, path)
    expect(await tabThrough(page)).toBeGreaterThan(10)
  }
})

test('the matrix of testers is one stop, moves with the arrow keys, Home and End, and opens a day and returns', async ({
  open,
}) => {
  const developer = await newPerson('DEVELOPER', 'Mara Matrix')
  const campaign = await liveCampaign(developer, { title: 'Moved by arrows', testersRequired: 2 })
  for (const name of ['Ann Arrow', 'Bob Arrow']) {
    const tester = await newPerson('TESTER', name)
    const { id } = await join(tester, campaign)
    await call(tester, 'POST', `/testers/campaign-testers/${id}/check-ins`, { note: `By ${name}` })
  }
  const page = await open({ as: developer })
  await page.goto(`/dashboard/campaigns/${campaign.id}?tab=testers`)
  const [first, second] = [1, 2].map(n => page.getByRole('button', { name: `Tester ${n}`, exact: true }))
  await tabTo(page, first!)
  const days = page
    .getByRole('row', { name: /Tester 2/ })
    .getByRole('gridcell')
    .and(page.locator('[data-day]'))
  await page.keyboard.press('ArrowDown')
  await expect(second!).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Control+End')
  await expect(days.last()).toBeFocused()
  await page.keyboard.press('Home')
  await expect(second!).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(days.first()).toBeFocused()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: /^Tester 2, / })
  await expect(dialog.getByText('By Bob Arrow')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(days.first()).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  await expect(days.first()).toBeFocused()
})

test('the first Tab offers to skip the navigation', async ({ open }) => {
  const page = await open({ as: await newPerson('TESTER', 'Skip Per') })
  await page.goto('/dashboard/campaigns')
  // The header and the search are there before the screen can be used.
  await expectLoaded(page, 'the list')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeInViewport()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('main').getByRole('button', { name: 'Send again' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('searchbox', { name: 'Search campaigns' })).toBeFocused()
})

test('tabs move with the arrow keys, Home and End, load only the open one, and are kept in the URL', async ({
  open,
}) => {
  const developer = await newPerson('DEVELOPER', 'Tamara Tabs')
  const { id } = await liveCampaign(developer, { title: 'Seen from three sides' })
  const page = await open({ as: developer })
  const asked: string[] = []
  page.on('request', request => asked.push(new URL(request.url()).pathname))
  await page.goto(`/dashboard/campaigns/${id}`)
  const tabs = page.getByRole('tablist', { name: 'Campaign' }).getByRole('tab')
  await expect(tabs).toHaveText([/^Overview$/, /^Testers/, /^Bugs/, /^Changes/, /^Feedback/, /^Activity$/])
  await tabTo(page, tabs.first())
  const loadsActivity = () => asked.some(path => path.endsWith(`/campaigns/${id}/activity`))
  expect(loadsActivity()).toBe(false)
  for (const [key, reached] of [
    ['ArrowRight', 1],
    ['ArrowRight', 2],
    ['End', 5],
    ['ArrowRight', 0],
    ['ArrowLeft', 5],
    ['Home', 0],
    ['ArrowRight', 1],
  ] as const) {
    await page.keyboard.press(key)
    await expect(tabs.nth(reached)).toBeFocused()
    await expect(page.getByRole('tab', { selected: true })).toHaveText(await tabs.nth(reached).innerText())
    await expect(page.getByRole('tabpanel')).toHaveAccessibleName(await tabs.nth(reached).innerText())
    // Leaving a tab before its code has loaded requests none of its data.
    if (key === 'End') await expect.poll(loadsActivity).toBe(true)
  }
  await expect(page).toHaveURL(/\?tab=testers$/)
  await page.reload()
  await expect(tabs.nth(1)).toHaveAttribute('aria-selected', 'true')
  // All tabs are one stop: the next Tab leaves the list.
  await tabTo(page, tabs.nth(1))
  await page.keyboard.press('Tab')
  for (const tab of await tabs.all()) await expect(tab).not.toBeFocused()
})

test('the user menu and a menu of choices open, move with the arrow keys, close with Escape, and return the focus', async ({
  open,
}) => {
  const page = await open({ as: await theAdmin() })
  await page.goto('/dashboard/analytics')
  const filter = page.getByRole('button', { name: /Last 6 months/ })
  await press(page, filter)
  await expect(page.getByRole('menuitemradio').first()).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Escape')
  await expect(filter).toBeFocused()
  const menu = page.getByRole('button', { name: /user menu/i })
  await press(page, menu)
  await tabTo(page, page.getByRole('radio', { checked: true }))
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Log out' })).toBeHidden()
  await expectFocusKept(page, 'closing the menu')
})

test('with the system’s own colors, a button has a border and only the open tab is marked', async ({ open }) => {
  const developer = await newPerson('DEVELOPER', 'Hal Contrast')
  const { id } = await draftCampaign(developer, { title: 'High contrast' })
  const page = await open({ as: developer, fresh: true })
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto(`/dashboard/campaigns/${id}`)
  const styleOf = (control: Locator, property: string) =>
    control.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)
  const pay = page.getByRole('main').getByRole('button', { name: 'Pay $28.75', exact: true }).first()
  expect(await styleOf(pay, 'border-top-width')).toBe('1px')
  const here = page.getByRole('link', { name: 'My Campaigns' }).first()
  expect(await styleOf(here, 'text-decoration-line')).toBe('underline')
  const tabs = page.getByRole('tab')
  const lines = async (selected: boolean) =>
    Promise.all((await page.getByRole('tab', { selected }).all()).map(tab => styleOf(tab, 'border-bottom-color')))
  await expect(tabs.first()).toBeVisible()
  const [line] = await lines(true)
  expect(await lines(false)).not.toContain(line)
})

/** Opens each button's popover, and leaves it by Tab and by Shift+Tab. */
const expectToCloseWhenLeft = async (page: Page, buttons: Locator[]) => {
  const opened = page.locator('[popover]:popover-open')
  for (const button of buttons) {
    for (const key of ['Tab', 'Shift+Tab']) {
      await button.focus()
      await page.keyboard.press('Enter')
      await expect(opened.getByRole('link').or(opened.getByRole('button')).last()).toBeVisible()
      // Its own controls come next.
      if (key === 'Tab') await page.keyboard.press('Tab')
      await expect(opened).toHaveCount(1)
      const isInside = () => opened.evaluateAll(([one]) => one?.contains(document.activeElement) ?? false)
      for (let presses = 0; presses < 20; presses++) {
        await page.keyboard.press(key)
        if (!(await isInside())) break
      }
      await expect(opened).toHaveCount(0)
      await expect(button).not.toBeFocused()
      await expectFocusKept(page, key)
    }
  }
}

test('what opens from the top bar closes when the focus moves on to the screen behind it', async ({ open }) => {
  const page = await open({ as: await newPerson('DEVELOPER', 'Tabitha Tabs'), screen: 'phone' })
  await page.goto('/dashboard/settings')
  await expectLoaded(page, 'the settings')
  const bar = page.getByRole('banner')
  await expectToCloseWhenLeft(page, [
    bar.getByRole('button', { name: /^Notifications/ }),
    bar.getByRole('button', { name: /user menu/ }),
  ])
})

test('the landing page’s menu and notices close when the focus moves on to the page behind them', async ({ open }) => {
  const page = await open({ screen: 'phone' })
  await page.goto('/')
  await expect(page.locator('#waitlist-form')).toHaveAttribute('novalidate')
  await expectToCloseWhenLeft(page, [
    page.getByRole('banner').getByRole('button', { name: 'Menu' }),
    page.getByRole('contentinfo').getByRole('button', { name: 'Privacy' }),
  ])
})

test('saving, and restoring the defaults, leave the focus on the button, though there is nothing left to save or restore', async ({
  open,
}) => {
  const page = await open({ as: await newPerson('DEVELOPER', 'Sava Saver') })
  await page.goto('/dashboard/settings')
  await type(page, page.getByLabel('Full name'), 'Sava Saved')
  const save = page.getByRole('button', { name: 'Save profile' })
  await press(page, save)
  await expect(save).toBeDisabled()
  await expect(save).toBeFocused()
  const admin = await open({ as: await theAdmin() })
  await admin.goto('/dashboard/system-settings')
  await type(admin, admin.getByLabel('Review window (hours)'), '50')
  const restore = admin.getByRole('button', { name: 'Restore defaults' })
  await press(admin, restore)
  await expect(restore).toBeDisabled()
  await expect(restore).toBeFocused()
})
