/** The current press of mouse or finger. If elements move before it ends, its click misses its target. */
let pressed: Element | null = null
let underWay: Promise<void> | null = null
let end = () => {}

/** The longest wait for a press that never ends (the list of a select swallows its mouseup). */
const longestMs = 1000

addEventListener(
  'mousedown',
  ({ target }) => {
    pressed = target instanceof Element ? target : null
    end()
    underWay = new Promise(resolve => {
      const limit = setTimeout(() => end(), longestMs)
      end = () => {
        clearTimeout(limit)
        underWay = null
        resolve()
      }
    })
  },
  { capture: true },
)
// The click follows in the same task.
for (const type of ['mouseup', 'dragend']) addEventListener(type, () => setTimeout(() => end()), { capture: true })

/** Runs `work` now, or once the current press has become a click; for changes that move elements, such as errors. */
export const afterPress = async (work: () => unknown): Promise<void> => {
  if (underWay) await underWay
  await work()
}

/** The button or link pressed last, because Safari does not focus it. */
export const lastPressed = (): HTMLElement | null => pressed?.closest<HTMLElement>('button, a[href]') ?? null
