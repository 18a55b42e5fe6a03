/** Logs failures to the browser's console, so that bug reports can include them. */
export const logFailure = (...what: unknown[]) => {
  // oxlint-disable-next-line no-console -- the only place
  console.error(...what)
}
