/**
 * What browsers before Safari 17.4, Firefox 125 and Chrome 120 lack, as far as the page needs it. Only those load it, before the
 * page's other scripts (public/older.js, build/classicScript.ts).
 */
/* oxlint-disable import/no-unassigned-import -- each adds what is missing to the browser's own objects */
import 'core-js/actual/map/group-by.js'
import 'core-js/actual/object/group-by.js'
import 'core-js/actual/promise/with-resolvers.js'
import 'core-js/actual/url/can-parse.js'
import '@oddbird/popover-polyfill'

// core-js has none of what follows.
const add = (owner: object, name: string, value: unknown) => {
  if (!(name in owner)) Object.defineProperty(owner, name, { value, configurable: true, writable: true })
}

add(AbortSignal, 'any', (signals: Iterable<AbortSignal>) => {
  const any = new AbortController()
  for (const signal of signals) {
    const abort = () => any.abort(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true, signal: any.signal })
  }
  return any.signal
})
add(Element.prototype, 'checkVisibility', function checkVisibility(this: Element) {
  return this.getClientRects().length > 0
})
