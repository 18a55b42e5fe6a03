import type { Page } from '@playwright/test'

/** Blocks the app's scripts; returns a function that releases them. */
export const holdScripts = async (page: Page) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async route => {
    await promise
    await route.continue()
  })
  return resolve
}
