/** Keyboard-only interaction that checks that the focus is always visible. */
import { expect, type Locator, type Page } from '@playwright/test'

const mostPresses = 150

/**
 * The focused element, and whether its focus is visible: on the element, or on the card around a radio button. It is covered if
 * something else is in front of its whole upper edge or its whole lower one.
 */
const focus = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement
    // After the last stop of the page, the focus passes through the browser's own controls, or the document itself.
    if (!document.hasFocus() || !element || element === document.body)
      return { what: 'nothing', drawn: false, covered: false }
    const around = [element, element.closest('label')].filter(one => one !== null)
    const drawn = around.some(one => {
      const { outlineStyle, outlineWidth } = getComputedStyle(one)
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0
    })
    const { left, right, top, bottom } = element.getBoundingClientRect()
    const isInFront = (x: number, y: number) => {
      const there = document.elementFromPoint(x, y)
      return there !== null && (element.contains(there) || there.contains(element))
    }
    const places = [left + 2, (left + right) / 2, right - 2].flatMap(x =>
      [top + 2, bottom - 2].map(y => [x, y] as const),
    )
    const covered = bottom - top < innerHeight / 2 && !places.some(([x, y]) => isInFront(x, y))
    return { covered, what: `<${element.tagName.toLowerCase()}> ${element.textContent?.trim().slice(0, 60)}`, drawn }
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

/** Presses Tab through the whole screen; each stop has to be visible, and not behind a bar. Returns how many there are. */
export const tabThrough = async (page: Page): Promise<number> => {
  await page.evaluate(() => document.querySelector<HTMLElement>('h1')?.focus())
  let stops = 0
  for (; stops < mostPresses; stops++) {
    await page.keyboard.press('Tab')
    const { what, drawn, covered } = await focus(page)
    if (what === 'nothing') break
    expect({ what, drawn, covered }).toEqual({ what, drawn: true, covered: false })
  }
  return stops
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
