/**
 * After a navigation the focus goes to the new screen's heading, so that keyboards and screen readers start there.
 * A heading may appear late, with its data: the wish waits for it.
 */
let awaited = false

export const expectHeading = () => {
  awaited = true
}

/** A `ref` for the screen's h1. One that goes with the focus, as that of a screen that loads, hands the wish on. */
export const focusOnArrival = (heading: HTMLElement | null) => {
  if (awaited && heading) {
    awaited = false
    heading.focus({ preventScroll: true })
  }
  return () => {
    if (heading && heading === document.activeElement) awaited = true
  }
}
