/** Failures go to the browser's console, so that a report of a fault can carry them. */
export const logFailure = (...what: unknown[]) => {
  // oxlint-disable-next-line no-console -- the one place
  console.error(...what)
}
