/** A browser that lacks what Safari got in version 17.4, or never: src/kit/web/polyfills.ts stands in for it. */
import { screensOf } from '../scripts/screens/routes.ts'
import { expectLoaded } from './support/loaded.ts'
import { newMarketplace } from './support/marketplace.ts'
import { expect, outlivedTokens, type Page, test } from './support/test.ts'

/** Popovers stay, because Chromium opens them without a script; src/kit/web/polyfills.dom.test.ts tries those. */
const becomeOlder = (page: Page) =>
  page.addInitScript(() => {
    const missing: [object, string][] = [
      [Map, 'groupBy'],
      [Object, 'groupBy'],
      [Promise, 'withResolvers'],
      [URL, 'canParse'],
      [AbortSignal, 'any'],
      [window, 'requestIdleCallback'],
    ]
    for (const [owner, name] of missing) Reflect.deleteProperty(owner, name)
  })

// An exception that a screen throws fails the journey as well (support/test.ts).
test('the screens that use what an older Safari lacks work in one', async ({ open }) => {
  const { ids, people } = await newMarketplace('Older')
  const names = {
    DEVELOPER: ['dashboard', 'campaign', 'closed-campaign-list', 'closed-campaign-report', 'notifications'],
    TESTER: ['dashboard', 'my-tests', 'campaign', 'settings'],
  }
  for (const role of ['DEVELOPER', 'TESTER'] as const) {
    const page = await open({ as: people[role], fresh: true, provokes: outlivedTokens })
    await becomeOlder(page)
    const screens = screensOf(role, ids)
    for (const name of names[role]) {
      await page.goto(screens[name]!)
      await expectLoaded(page, `${role} ${name}`)
    }
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('sett')
    await expect(page.getByRole('option', { name: 'Settings' })).toBeVisible()
  }
})

test('a browser that lacks nothing does not load the polyfills', async ({ open }) => {
  const page = await open()
  const asked: string[] = []
  page.on('request', request => asked.push(new URL(request.url()).pathname))
  for (const path of ['/', '/login']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
  expect(asked).not.toContain('/polyfills.js')
})
