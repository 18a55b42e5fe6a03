import type { Page } from '@playwright/test'

/** Waits until the screen has its heading, and nothing in it is loading. */
export const expectLoaded = async (page: Page, what: string): Promise<void> => {
  // Checked at every frame; an expectation would check again only after a second.
  const loaded = page.waitForFunction(() => {
    const headings = [...document.querySelectorAll('h1')].filter(heading => heading.checkVisibility())
    const onTheirWay = [...document.querySelectorAll('.animate-pulse, .animate-spin')]
    return headings.length === 1 && !onTheirWay.some(one => one.checkVisibility())
  })
  await loaded.catch((cause: unknown) => {
    throw new Error(`${what} does not come to rest`, { cause })
  })
}
