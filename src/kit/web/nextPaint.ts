/** Resolves once the current frame has been painted; at once if the page is hidden, since no frames are painted then. */
export const nextPaint = (): Promise<unknown> =>
  new Promise(resolve => (document.hidden ? resolve(undefined) : requestAnimationFrame(() => setTimeout(resolve))))
