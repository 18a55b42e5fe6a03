// Tries again by itself: when the browser says that it is online, and every few seconds, since that word is not always true.
;(() => {
  const everyMs = 5000
  const state = document.getElementById('state')

  const reachable = async () => {
    try {
      return (await fetch('/health/live', { cache: 'no-store' })).ok
    } catch {
      return false
    }
  }
  const retry = async () => {
    if (await reachable()) location.reload()
    else return false
  }
  addEventListener('online', retry)
  setInterval(retry, everyMs)
  document.getElementById('retry').addEventListener('click', async () => {
    state.textContent = 'Trying …'
    if ((await retry()) === false) state.textContent = 'Still offline.'
  })
})()
