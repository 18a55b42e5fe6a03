/**
 * After a deployment an open page may request chunks that no longer exist. It then reloads once to get the new version; if
 * the same chunk is missing again, the screen shows its error.
 */
const key = 'missingPart'
let reloading = false
const missing = new WeakSet<Error>()
const handled = new WeakSet<Error>()

/** Whether a screen failed because its code could not be loaded, usually because of the connection. */
export const isMissingPart = (error: unknown) => error instanceof Error && missing.has(error)

/** True if the page reloads instead of showing this error. */
export const reloadsFor = (error: unknown): boolean => {
  if (reloading) return true
  // Offline, a reload cannot help: show the error and its button.
  if (!(error instanceof Error) || !missing.has(error) || !navigator.onLine) return false
  if (sessionStorage.getItem(key) === error.message) return false
  sessionStorage.setItem(key, error.message)
  reloading = true
  // By then the address is that of the requested screen.
  setTimeout(() => location.reload())
  return true
}

/**
 * For code that is only loaded ahead, and for a form that says itself that its code is missing: a reload would take away what a
 * person is typing. A screen that cannot be shown without the code still reloads.
 */
export const withoutReload = (error: unknown): void => {
  if (error instanceof Error) handled.add(error)
}

export const reloadOnMissingPart = () =>
  addEventListener('vite:preloadError', ({ payload }) => {
    missing.add(payload)
    // By then, whoever asked for it has caught the error.
    setTimeout(() => {
      if (!handled.has(payload)) reloadsFor(payload)
    })
  })
