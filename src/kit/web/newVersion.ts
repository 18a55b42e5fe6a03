/**
 * After a deployment an open page may request chunks that no longer exist. It then reloads once to get the new version; if
 * the same chunk is missing again, the screen shows its error.
 */
const key = 'missingPart'
let reloading = false

/** While reloading, the error of the missing chunk is not shown. */
export const isReloading = () => reloading

export const reloadOnMissingPart = () =>
  addEventListener('vite:preloadError', ({ payload }) => {
    // Offline, a reload cannot help: show the error and its button.
    if (!navigator.onLine || sessionStorage.getItem(key) === payload.message) return
    sessionStorage.setItem(key, payload.message)
    reloading = true
    // By then the address is that of the requested screen.
    setTimeout(() => location.reload())
  })
