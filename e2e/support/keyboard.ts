/** Keyboard-only interaction that checks that the focus is always visible. */
import { expect, type Locator, type Page } from '@playwright/test'

const mostPresses = 150

/** The focused element, and whether its focus is visible: on the element, or on the card around a radio button. */
const focus = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement
    // After the last stop of the page, the focus passes through the browser's own controls, or the document itself.
    if (!document.hasFocus() || !element || element === document.body) return { what: 'nothing', drawn: false }
    const around = [element, element.closest('label')].filter(one => one !== null)
    const drawn = around.some(one => {
      const { outlineStyle, outlineWidth } = getComputedStyle(one)
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0
    })
    return { what: `<${element.tagName.toLowerCase()}> ${element.textContent?.trim().slice(0, 60)}`, drawn }
  })

/** The focus is somewhere, so that the next Tab continues there and not at the top of the page. */
export const expectFocusKept = async (page: Page, after: string): Promise<void> => {
  await expect.poll(async () => (await focus(page)).what, `focus after ${after}`).not.toBe('nothing')
}

const hasFocus = (target: Locator) => target.evaluate(element => element === document.activeElement)

/** Presses Tab until the target has the focus; each stop on the way has to be visible. */
export const tabTo = async (page: Page, target: Locator): Promise<void> => {
  await expect(target).toBeVisible()
  for (let presses = 0; presses < mostPresses; presses++) {
    if (await hasFocus(target)) return
    await page.keyboard.press('Tab')
    const { what, drawn } = await focus(page)
    if (what !== 'nothing') expect(drawn, `the focus is seen on ${what}`).toBe(true)
  }
  throw new Error(`${String(target)} cannot be reached by Tab`)
}

export const press = async (page: Page, target: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> => {
  await tabTo(page, target)
  await page.keyboard.press(key)
}

/** Tab selects what is in a field, so that typing replaces it. */
export const type = async (page: Page, target: Locator, text: string): Promise<void> => {
  await tabTo(page, target)
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(text)
}
