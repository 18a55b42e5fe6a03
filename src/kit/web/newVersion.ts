/**
 * After a deployment an open page may request chunks that no longer exist. It then reloads once to get the new version; if
 * the same chunk is missing again, the screen shows its error.
 */
const key = 'missingPart'
let reloading = false
const missing = new WeakSet<Error>()

/** While reloading, the error of the missing chunk is not shown. */
export const isReloading = () => reloading

/** Whether a screen failed because its code could not be loaded, usually because of the connection. */
export const isMissingPart = (error: unknown) => error instanceof Error && missing.has(error)

export const reloadOnMissingPart = () =>
  addEventListener('vite:preloadError', ({ payload }) => {
    missing.add(payload)
    // Offline, a reload cannot help: show the error and its button.
    if (!navigator.onLine || sessionStorage.getItem(key) === payload.message) return
    sessionStorage.setItem(key, payload.message)
    reloading = true
    // By then the address is that of the requested screen.
    setTimeout(() => location.reload())
  })
