/**
 * After a navigation the focus moves to the new screen's heading, so that keyboards and screen readers start there. A
 * heading that appears late, with its data, still receives it.
 */
let awaited = false

export const expectHeading = () => {
  awaited = true
}

/** A `ref` for the screen's h1. If it unmounts with the focus, as a loading screen's does, the next heading receives it. */
export const focusOnArrival = (heading: HTMLElement | null) => {
  if (awaited && heading) {
    awaited = false
    heading.focus({ preventScroll: true })
  }
  return () => {
    if (heading && heading === document.activeElement) awaited = true
  }
}
