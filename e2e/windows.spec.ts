/** What one journey leaves in its window is gone for the next, which uses the same window (e2e/support/windows.ts). */
import { newPerson } from './support/api.ts'
import { expect, type Page, test } from './support/test.ts'

/** Everything that a document of ours finds in its window. */
const foundIn = async (page: Page) => {
  await page.goto('/offline-ready.js')
  return page.evaluate(async () => ({
    stored: [...Object.keys(localStorage), ...Object.keys(sessionStorage), document.cookie],
    databases: await indexedDB.databases(),
    size: [innerWidth, innerHeight],
    isDark: matchMedia('(prefers-color-scheme: dark)').matches,
    isOnline: navigator.onLine,
    touches: navigator.maxTouchPoints,
  }))
}

for (const screen of ['phone', 'desk'] as const) {
  let first: Awaited<ReturnType<typeof foundIn>>

  test(`a journey on a ${screen} leaves behind all that it can`, async ({ open }) => {
    first = await foundIn(await open({ screen, fresh: true }))
    const page = await open({ as: await newPerson('TESTER', 'Lea Leaves'), screen })
    await page.goto('/offline-ready.js')
    await page.evaluate(async () => {
      localStorage.setItem('theme', 'dark')
      sessionStorage.setItem('seen', 'yes')
      document.cookie = 'left=behind'
      const opening = indexedDB.open('left')
      await new Promise(resolve => (opening.onsuccess = resolve))
    })
    await page.setViewportSize({ width: 500, height: 500 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.route('**/*', route => route.fulfill({ body: 'Held back.' }))
    page.on('request', () => {
      throw new Error('heard in another journey')
    })
    await page.context().newPage()
    await page.context().setOffline(true)
  })

  test(`the next journey on a ${screen} finds nothing of it`, async ({ open }) => {
    const page = await open({ screen })
    expect(page.context().pages()).toHaveLength(1)
    expect(await foundIn(page)).toEqual(first)
    expect(await page.locator('body').innerText()).not.toContain('Held back.')
  })
}
