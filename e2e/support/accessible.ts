/** That a screen as it stands is accessible, in light and in dark. */
import axe from 'axe-core'
import { expect, type Page } from './test.ts'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

export const expectAccessible = async (page: Page, where: string): Promise<void> => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
    const found = await page.evaluate(async only => {
      const { violations } = await globalThis.axe!.run({ runOnly: only, resultTypes: ['violations'] })
      return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`)
    }, tags)
    expect(found, `${where}, ${colorScheme}`).toEqual([])
  }
}
