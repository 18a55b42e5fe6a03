// Registers the service worker once the page has loaded and has nothing better to do.
if ('serviceWorker' in navigator) {
  const register = () => {
    // Without it everything works but the offline page: a refusal (private window, plain HTTP) is no news.
    navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' }).catch(() => {})
  }
  if (document.readyState === 'complete') register()
  else addEventListener('load', register)
}
