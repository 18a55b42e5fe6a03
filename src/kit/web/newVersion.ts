/**
 * After a deployment an open page asks for parts that are no longer there. It then loads itself once more, which brings
 * the new version; when the same part is missing again, the screen's error stays.
 */
const key = 'missingPart'
let reloading = false

/** While it is, the error of the missing part is not worth showing. */
export const isReloading = () => reloading

export const reloadOnMissingPart = () =>
  addEventListener('vite:preloadError', ({ payload }) => {
    // Offline, there is nothing to load: the error and its button stay.
    if (!navigator.onLine || sessionStorage.getItem(key) === payload.message) return
    sessionStorage.setItem(key, payload.message)
    reloading = true
    // The address first becomes that of the screen whose part is missing.
    setTimeout(() => location.reload())
  })
