/**
 * After a navigation the focus moves to the new screen's heading, so that keyboards and screen readers start there. A
 * heading that appears late, with its data, still receives it.
 */
let awaited = false
let isFirst = true

export const expectHeading = () => {
  awaited = true
  isFirst = false
}

/**
 * Whether this is the screen whose address was opened. After a navigation, a reload or Back the browser or the router looks
 * for the place where one was, and needs all of the screen at once.
 */
export const isFirstScreen = (): boolean => {
  const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return isFirst && load?.type === 'navigate' && location.hash === ''
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
