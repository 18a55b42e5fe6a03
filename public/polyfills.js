// What browsers before Safari 17.4, Firefox 125 and Chrome 120 lack, as far as the page needs it. Loaded only by those
// (public/older.js), before any other script.
;(() => {
  const add = (owner, name, value) => {
    if (!(name in owner)) Object.defineProperty(owner, name, { value, configurable: true, writable: true })
  }

  add(Map, 'groupBy', (items, keyOf) => {
    const groups = new Map()
    let index = 0
    for (const item of items) {
      const key = keyOf(item, index++)
      if (groups.has(key)) groups.get(key).push(item)
      else groups.set(key, [item])
    }
    return groups
  })
  add(Object, 'groupBy', (items, keyOf) =>
    Object.assign(
      Object.create(null),
      Object.fromEntries(Map.groupBy(items, (item, index) => `${keyOf(item, index)}`)),
    ),
  )
  add(Promise, 'withResolvers', () => {
    const made = {}
    made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }))
    return made
  })
  add(URL, 'canParse', (address, base) => {
    try {
      return Boolean(new URL(address, base))
    } catch {
      return false
    }
  })
  add(AbortSignal, 'any', signals => {
    const any = new AbortController()
    for (const signal of signals) {
      const abort = () => any.abort(signal.reason)
      if (signal.aborted) abort()
      else signal.addEventListener('abort', abort, { once: true, signal: any.signal })
    }
    return any.signal
  })
  add(Element.prototype, 'checkVisibility', function checkVisibility() {
    return this.getClientRects().length > 0
  })

  if ('popover' in HTMLElement.prototype) return

  const mark = 'data-popover-open'
  const sheet = document.createElement('style')
  // In the layer of the browser's other defaults, so that classes win.
  sheet.textContent = `
    @layer base {
      [popover] { position: fixed; inset: 0; z-index: 40; width: fit-content; height: fit-content; margin: auto; overflow: auto }
    }
    [popover]:not([${mark}]) { display: none }
  `
  // Behind the page's own style sheet, which names the layers in their order.
  addEventListener('DOMContentLoaded', () => document.head.append(sheet), { once: true })

  /** The element that had the focus when the popover was opened. */
  const before = new WeakMap()
  const tell = (popover, newState) =>
    popover.dispatchEvent(
      Object.assign(new Event('toggle'), { newState, oldState: newState === 'open' ? 'closed' : 'open' }),
    )
  const isOpen = popover => popover.hasAttribute(mark)
  const open = popover => {
    if (isOpen(popover)) return
    before.set(popover, document.activeElement)
    popover.setAttribute(mark, '')
    tell(popover, 'open')
  }
  const close = popover => {
    if (!isOpen(popover)) return
    const hadFocus = popover.contains(document.activeElement)
    popover.removeAttribute(mark)
    if (hadFocus) before.get(popover)?.focus()
    tell(popover, 'closed')
  }
  add(HTMLElement.prototype, 'showPopover', function showPopover() {
    open(this)
  })
  add(HTMLElement.prototype, 'hidePopover', function hidePopover() {
    close(this)
  })

  const opened = () => [...document.querySelectorAll(':popover-open')]
  for (const name of ['querySelector', 'querySelectorAll']) {
    const native = Document.prototype[name]
    Document.prototype[name] = function query(selectors) {
      return native.call(this, String(selectors).replaceAll(':popover-open', `[${mark}]`))
    }
  }

  const pressed = ({ target }) => {
    const button = target instanceof Element ? target.closest('[popovertarget]') : null
    return { button, own: button && document.getElementById(button.getAttribute('popovertarget')) }
  }
  // Not a click, which iOS sends only to what it takes for a control.
  addEventListener('pointerdown', event => {
    const { own } = pressed(event)
    for (const popover of opened()) if (popover !== own && !popover.contains(event.target)) close(popover)
  })
  addEventListener('click', event => {
    const { button, own } = pressed(event)
    if (!own) return
    const action = button.getAttribute('popovertargetaction')
    if (isOpen(own) && action !== 'show') close(own)
    else if (!isOpen(own) && action !== 'hide') open(own)
  })
  addEventListener('keydown', event => {
    if (event.key === 'Escape') for (const popover of opened()) close(popover)
  })
})()
