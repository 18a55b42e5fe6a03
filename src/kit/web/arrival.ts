/**
 * After a navigation the focus moves to the new screen's heading, so keyboards and screen readers start there. A heading that
 * appears late, with its data, still receives it.
 */
let awaited = false

let isFirst = true
let isReturn = false

export const expectHeading = () => {
  awaited = true
  isFirst = false
}

/** Called on each navigation, with whether it was Back or Forward. */
export const noteReturn = (is: boolean) => {
  isReturn = is
}

/**
 * Whether the screen is read from its top. After a reload, Back or Forward, the browser or the router restores the scroll
 * position, and needs all of the screen at once.
 */
export const beginsAtTop = (): boolean => {
  if (location.hash !== '') return false
  if (!isFirst) return !isReturn
  const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return load?.type === 'navigate'
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
