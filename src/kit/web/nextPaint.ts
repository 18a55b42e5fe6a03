/** Resolves when the frame that is being made is on the screen; at once where there is none, since nobody sees the page. */
export const nextPaint = (): Promise<unknown> =>
  new Promise(resolve => (document.hidden ? resolve(undefined) : requestAnimationFrame(() => setTimeout(resolve))))
