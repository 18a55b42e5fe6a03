/** What axe finds on a screen in each variant: phone and desktop, light and dark. */
import { expect, type Page } from '@playwright/test'
import axe, { type RunOnly } from 'axe-core'

const everyRule: RunOnly = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }
const rulesOfColors: RunOnly = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }
const phone = { width: 390, height: 844 }
const desk = { width: 1280, height: 800 }

/** Dark differs only in colors. The order changes one thing at a time. */
const looks = [
  { name: 'phone, light', viewport: phone, colorScheme: 'light', rules: everyRule },
  { name: 'phone, dark', viewport: phone, colorScheme: 'dark', rules: rulesOfColors },
  { name: 'desk, dark', viewport: desk, colorScheme: 'dark', rules: rulesOfColors },
  { name: 'desk, light', viewport: desk, colorScheme: 'light', rules: everyRule },
] as const

declare global {
  /** Defined in the page by axe-core. */
  var axe: typeof import('axe-core') | undefined
}

/** Loaded once per document: axe is half a megabyte of script, which takes longer to load than to run. */
const axeIn = async (page: Page) => {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
}

const violations = async (page: Page, where: string, rules: RunOnly): Promise<string[]> => {
  await axeIn(page)
  const found = await page.evaluate(async only => {
    const results = await globalThis.axe!.run({ runOnly: only, resultTypes: ['violations'] })
    return { violations: results.violations, passed: results.passes.length }
  }, rules)
  // An empty page would have no violations either.
  expect(found.passed, `${where}: axe found something to look at`).toBeGreaterThan(rules === everyRule ? 5 : 0)
  return found.violations.map(({ id, nodes: [first, ...others] }) => {
    const why = first?.failureSummary?.split('\n').at(-1)?.trim()
    return `${where}: ${id}: ${first?.html.slice(0, 200)} ${why} (and ${others.length} more)`
  })
}

/** The WCAG 2.2 AA violations that axe can detect; each names the screen (`where`). */
export const violationsOf = (page: Page, where: string): Promise<string[]> => violations(page, where, everyRule)

/** Every page follows the system's color scheme immediately. */
const wearScheme = async (page: Page, colorScheme: 'light' | 'dark') => {
  await page.emulateMedia({ colorScheme })
  await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
}

/** Loads the screen once for all variants. */
export const inEveryLook = async (page: Page, what: string): Promise<string[]> => {
  const found: string[] = []
  for (const { name, viewport, colorScheme, rules } of looks) {
    await page.setViewportSize(viewport)
    await wearScheme(page, colorScheme)
    found.push(...(await violations(page, `${what}, ${name}`, rules)))
  }
  return found
}

/** Checks the screen in its current state. */
export const expectAccessible = async (page: Page, where: string): Promise<void> => {
  const found: string[] = []
  for (const [colorScheme, rules] of [
    ['light', everyRule],
    ['dark', rulesOfColors],
  ] as const) {
    await wearScheme(page, colorScheme)
    found.push(...(await violations(page, `${where}, ${colorScheme}`, rules)))
  }
  expect(found).toEqual([])
}
