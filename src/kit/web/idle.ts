/** Safari has no idle callbacks. */
export const whenIdle = (work: () => void): unknown =>
  'requestIdleCallback' in window ? requestIdleCallback(work) : setTimeout(work)
