/** No screen of any role, on a phone or a desktop, light or dark, has a WCAG 2.2 AA violation that axe can detect. */
import { screensOf, type Viewer } from '../scripts/screens/routes.ts'
import { arranged } from '../scripts/screens/visits.ts'
import { newPerson, theAdmin } from './support/api.ts'
import { inEveryLook, violationsOf } from './support/axe.ts'
import { expectLoaded } from './support/loaded.ts'
import { newMarketplace, type Marketplace } from './support/marketplace.ts'
import { goWithin } from './support/within.ts'
import { expect, outlivedTokens, test } from './support/test.ts'

let marketplace: Marketplace

test.beforeAll(async () => {
  marketplace = await newMarketplace('Axe')
})

for (const viewer of ['VISITOR', 'DEVELOPER', 'TESTER', 'ADMIN'] satisfies Viewer[]) {
  test(`no screen of ${viewer} is inaccessible`, async ({ open }) => {
    test.setTimeout(240_000)
    const page = await open({
      ...(viewer !== 'VISITOR' && { as: marketplace.people[viewer] }),
      // A visitor's screens include the not-found page.
      provokes: viewer === 'VISITOR' ? /status of 404/ : outlivedTokens,
    })
    const found: string[] = []
    if (viewer !== 'VISITOR') await page.goto('/dashboard')
    for (const [name, path] of Object.entries(screensOf(viewer, marketplace.ids))) {
      // Each of a visitor's screens is a separate document.
      await (viewer === 'VISITOR' ? page.goto(path) : goWithin(page, path))
      await expectLoaded(page, name)
      found.push(...(await inEveryLook(page, name)))
    }
    expect(found).toEqual([])
  })
}

/** Only on a dark phone, because the loaded screens use the same components and are checked in every variant. */
for (const viewer of ['DEVELOPER', 'TESTER', 'ADMIN'] as const) {
  test(`no screen of ${viewer} is inaccessible while loading or after failing to load`, async ({ open }) => {
    test.setTimeout(240_000)
    const page = await open({
      as: marketplace.people[viewer],
      screen: 'phone',
      provokes: /status of 4|^GET |Failed to load/,
    })
    await page.emulateMedia({ colorScheme: 'dark' })
    const found: string[] = []
    for (const state of ['loading', 'error'] as const) {
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await arranged[state](page)
      await page.goto('/dashboard')
      for (const [name, path] of Object.entries(screensOf(viewer, marketplace.ids))) {
        await goWithin(page, path)
        if (state === 'error') await expectLoaded(page, name)
        else await expect(page.getByRole('button', { name: /user menu/ })).toBeVisible()
        found.push(...(await violationsOf(page, `${name}, ${state}`)))
      }
    }
    expect(found).toEqual([])
  })
}

/** The id of no campaign and no user. */
const nobody = '00000000-0000-4000-8000-000000000000'

for (const [role, paths] of [
  ['DEVELOPER', ['', '/campaigns', '/payments', '/statements', '/notifications']],
  ['TESTER', ['', '/my-tests', '/balance', '/statements', '/notifications']],
  ['ADMIN', ['/campaigns/pending?list=payouts', `/books?owner=${nobody}`]],
] as const) {
  test(`the empty screens of a new ${role} are accessible`, async ({ open }) => {
    const as = role === 'ADMIN' ? await theAdmin() : await newPerson(role, 'Nina Newcomer')
    const page = await open({ as, screen: 'phone' })
    await page.emulateMedia({ colorScheme: 'dark' })
    const found: string[] = []
    for (const path of paths) {
      await page.goto(`/dashboard${path}`)
      await expect(page.getByText(/^No [^.]+$/).first(), path).toBeVisible()
      found.push(...(await violationsOf(page, `/dashboard${path}, empty`)))
    }
    expect(found).toEqual([])
  })
}

test('no dialog is inaccessible', async ({ open }) => {
  const developer = await open({ as: marketplace.people.DEVELOPER, provokes: outlivedTokens })
  await developer.goto(`/dashboard/campaigns/${marketplace.ids.campaign}?tab=testers`)
  await developer.getByRole('button', { name: 'Tester 1', exact: true }).click()
  await expect(developer.getByRole('dialog')).toBeVisible()
  const found = await inEveryLook(developer, 'one tester')
  await developer.getByRole('button', { name: 'Close' }).click()
  await developer
    .getByRole('gridcell', { name: /^checked in/ })
    .first()
    .click()
  await expect(developer.getByRole('dialog')).toBeVisible()
  found.push(...(await inEveryLook(developer, 'one day of a tester')))
  await developer.goto(`/dashboard/campaigns/${marketplace.ids.draft}`)
  await developer.getByRole('main').getByRole('button', { name: /^Pay/ }).first().click()
  await expect(developer.getByRole('dialog')).toBeVisible()
  found.push(...(await inEveryLook(developer, 'payment')))
  const admin = await open({ as: marketplace.people.ADMIN, provokes: outlivedTokens })
  await admin.goto('/dashboard/fraud')
  await admin
    .getByRole('button', { name: /^Investigate/ })
    .first()
    .click()
  await expect(admin.getByRole('dialog').getByRole('heading', { name: 'Evidence' })).toBeVisible()
  found.push(...(await inEveryLook(admin, 'fraud report')))
  await admin.goto('/dashboard')
  await expectLoaded(admin, 'dashboard')
  await admin.keyboard.press('ControlOrMeta+k')
  await expect(admin.getByRole('dialog')).toBeVisible()
  found.push(...(await inEveryLook(admin, 'command palette')))
  expect(found).toEqual([])
})
