/** What axe finds on a screen, in each of its looks: phone and desktop, light and dark. */
import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const widths = { phone: { width: 390, height: 844 }, desk: { width: 1280, height: 800 } }
const schemes = ['light', 'dark'] as const

declare global {
  /** Defined in the page by axe-core. */
  var axe: typeof import('axe-core') | undefined
}

/** Loaded once per document: axe is half a megabyte of script, which takes longer to load than to run. */
const axeIn = async (page: Page) => {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
}

/** The WCAG 2.2 AA violations that axe can detect; `where` names the screen in them. */
export const violationsOf = async (page: Page, where: string): Promise<string[]> => {
  await axeIn(page)
  const { violations, passed } = await page.evaluate(async only => {
    const results = await globalThis.axe!.run({ runOnly: only, resultTypes: ['violations'] })
    return { violations: results.violations, passed: results.passes.length }
  }, tags)
  // An empty page has no violations either.
  expect(passed, `${where}: axe found something to look at`).toBeGreaterThan(5)
  return violations.map(({ id, nodes: [first, ...others] }) => {
    const why = first?.failureSummary?.split('\n').at(-1)?.trim()
    return `${where}: ${id}: ${first?.html.slice(0, 200)} ${why} (and ${others.length} more)`
  })
}

/** Every page follows the system's scheme immediately. */
const wearScheme = (page: Page, colorScheme: string) =>
  expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)

/** One load for all four variants: only size and colors change. */
export const inEveryLook = async (page: Page, what: string): Promise<string[]> => {
  const found: string[] = []
  for (const [width, viewport] of Object.entries(widths)) {
    await page.setViewportSize(viewport)
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme })
      await wearScheme(page, colorScheme)
      found.push(...(await violationsOf(page, `${what}, ${width}, ${colorScheme}`)))
    }
  }
  return found
}
