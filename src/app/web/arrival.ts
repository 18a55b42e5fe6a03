/**
 * After a navigation the focus goes to the new screen's heading, so that keyboards and screen readers start there.
 * A heading may appear late, with its data: the wish waits for it.
 */
let awaited = false

export const expectHeading = () => {
  awaited = true
}

/** A `ref` for the screen's h1. */
export const focusOnArrival = (heading: HTMLElement | null) => {
  if (!awaited || !heading) return
  awaited = false
  heading.focus({ preventScroll: true })
}
