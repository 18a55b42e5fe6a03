/** The press of a mouse or of a finger that is under way: what moves while it lasts is not hit by its click. */
let pressed: Element | null = null
let underWay: Promise<void> | null = null
let end = () => {}

/** A press that never ends (the list of a select swallows it) holds nothing up for longer. */
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
// The click comes right after, in the same turn.
for (const type of ['mouseup', 'dragend']) addEventListener(type, () => setTimeout(() => end()), { capture: true })

/** Now, or once the press under way has become its click. For what moves other things: an error that appears or goes. */
export const afterPress = async (work: () => unknown): Promise<void> => {
  if (underWay) await underWay
  await work()
}

/** The button or link that was pressed last: some browsers (Safari) do not give it the focus. */
export const lastPressed = (): HTMLElement | null => pressed?.closest<HTMLElement>('button, a[href]') ?? null
