import { type ReactNode, useEffect, useState } from 'react'

/** Spec §9: after 700 ms, but immediately within 300 ms of the previous one. */
const delayMs = 700
const skipMs = 300

type Tip = { text: string; left: number; edge: number; below: boolean }

/** Below the element if there is no room above it. */
const room = 48

const tipAt = (element: HTMLElement): Tip => {
  const { left, width, top, bottom } = element.getBoundingClientRect()
  const below = top < room
  return { text: element.dataset.tip ?? '', left: left + width / 2, edge: below ? bottom + 6 : top - 6, below }
}

const tippedBy = ({ target }: Event) => (target instanceof Element ? target.closest<HTMLElement>('[data-tip]') : null)

/**
 * One tooltip for all screens: an element sets its text in `data-tip`. Shown on hover, on keyboard focus, and on a tap
 * unless the tap does something else. Screen readers get the information from the element itself.
 */
export const Tooltips = (): ReactNode => {
  const [tip, setTip] = useState<Tip | null>(null)
  useEffect(() => watchTips(setTip), [])
  return (
    tip && (
      <div
        aria-hidden
        style={{ left: `clamp(8.5rem, ${tip.left}px, 100vw - 8.5rem)`, top: tip.edge }}
        className={`pointer-events-none fixed z-60 w-max max-w-64 -translate-x-1/2 animate-fade rounded-md bg-foreground px-2.5 py-1.5 text-xs wrap-anywhere text-background shadow-raised print:hidden ${tip.below ? '' : '-translate-y-full'}`}
      >
        {tip.text}
      </div>
    )
  )
}

const watchTips = (show: (tip: Tip | null) => void): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  let of: HTMLElement | null = null
  let shown = false
  let closedAt = -skipMs

  const hide = () => {
    clearTimeout(timer)
    if (shown) closedAt = performance.now()
    shown = false
    of = null
    show(null)
  }
  const showFor = (element: HTMLElement | null, afterMs: number) => {
    if (element === of) return
    const recent = shown || performance.now() - closedAt < skipMs
    hide()
    of = element
    if (!element) return
    timer = setTimeout(
      () => {
        if (!element.isConnected) return
        shown = true
        show(tipAt(element))
      },
      recent ? 0 : afterMs,
    )
  }
  const listeners: Partial<{ [K in keyof DocumentEventMap]: (event: DocumentEventMap[K]) => void }> = {
    pointerover: event => {
      if (event.pointerType === 'mouse') showFor(tippedBy(event), delayMs)
    },
    pointerleave: hide,
    focusin: event => {
      const element = tippedBy(event)
      if (element?.matches(':focus-visible')) showFor(element, delayMs)
    },
    focusout: hide,
    click: event => {
      const element = tippedBy(event)
      // A pressed element needs no tooltip and may disappear.
      if (!element || element.closest('a, button')) hide()
      else showFor(element, 0)
    },
    keydown: event => {
      if (event.key === 'Escape') hide()
    },
    scroll: hide,
  }
  for (const [name, listener] of Object.entries(listeners))
    document.addEventListener(name, listener as EventListener, { capture: true, passive: true })
  return () => {
    clearTimeout(timer)
    for (const [name, listener] of Object.entries(listeners))
      document.removeEventListener(name, listener as EventListener, { capture: true })
  }
}
