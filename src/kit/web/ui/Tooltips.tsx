import { type ReactNode, useEffect, useState } from 'react'

/** As in spec §9: after 700 ms, but immediately within 300 ms of the previous one. */
const delayMs = 700
const skipMs = 300

type Tip = { text: string; center: number; edge: number; below: boolean }

/** Below the element if there is no room above it. */
const roomAbove = 48
const windowMargin = 8

const tipAt = (element: HTMLElement): Tip => {
  const { left, width, top, bottom } = element.getBoundingClientRect()
  const below = top < roomAbove
  return { text: element.dataset.tip ?? '', center: left + width / 2, edge: below ? bottom : top, below }
}

/** Centered on the element, but inside the window. Percentages refer to the tooltip's own size. */
const placeOf = ({ center, edge, below }: Tip) => {
  const leftmost = `${windowMargin - center}px`
  const rightmost = `calc(${document.documentElement.clientWidth - windowMargin - center}px - 100%)`
  return { left: center, top: edge, translate: `clamp(${leftmost}, -50%, ${rightmost}) ${below ? '0' : '-100%'}` }
}

/**
 * One tooltip for all screens: an element sets its text in `data-tip`. Shown on hover, on keyboard focus, and on a tap unless the
 * tap does something else. It can be hovered itself (WCAG 1.4.13): its padding reaches to the element, so the pointer is always
 * on one of them. Screen readers get the information from the element itself.
 */
export const Tooltips = (): ReactNode => {
  const [tip, setTip] = useState<Tip | null>(null)
  useEffect(() => watchTips(setTip), [])
  return (
    tip && (
      <div
        aria-hidden
        data-tooltip
        style={placeOf(tip)}
        className={`pointer-events-auto fixed z-60 w-max max-w-64 animate-fade print:hidden ${tip.below ? 'pt-1.5' : 'pb-1.5'}`}
      >
        <p className="rounded-md bg-foreground px-2.5 py-1.5 text-xs wrap-anywhere text-background shadow-raised">
          {tip.text}
        </p>
      </div>
    )
  )
}

const isOnTooltip = ({ target }: Event) => target instanceof Element && target.closest('[data-tooltip]') !== null

const tippedBy = ({ target }: Event) => (target instanceof Element ? target.closest<HTMLElement>('[data-tip]') : null)

type Cause = 'hover' | 'focus' | 'tap'

const watchTips = (show: (tip: Tip | null) => void): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  /** The element whose tooltip is shown or about to be. */
  let current: { element: HTMLElement; cause: Cause } | null = null
  let shown = false
  let closedAt = -skipMs
  /** The element under the pointer. A dismissed tooltip comes back only after the pointer has left its element. */
  let hovered: HTMLElement | null = null

  const hide = () => {
    clearTimeout(timer)
    if (shown) closedAt = performance.now()
    shown = false
    current = null
    show(null)
  }
  const showFor = (element: HTMLElement, cause: Cause) => {
    if (element === current?.element && (shown || cause !== 'tap')) {
      if (cause === 'focus') current.cause = cause
      return
    }
    const recent = shown || performance.now() - closedAt < skipMs
    hide()
    current = { element, cause }
    timer = setTimeout(
      () => {
        if (!element.isConnected) return
        shown = true
        show(tipAt(element))
      },
      recent || cause === 'tap' ? 0 : delayMs,
    )
  }
  const hover = (element: HTMLElement | null) => {
    if (element === hovered) return
    hovered = element
    if (element) showFor(element, 'hover')
    else if (current?.cause !== 'focus') hide()
  }
  const listeners: Partial<{ [K in keyof DocumentEventMap]: (event: DocumentEventMap[K]) => void }> = {
    // Not pointerover, which also fires when the page moves under a resting pointer.
    pointermove: event => {
      if (event.pointerType !== 'touch' && !isOnTooltip(event)) hover(tippedBy(event))
    },
    pointerleave: event => {
      if (event.target === document.documentElement) hover(null)
    },
    focusin: event => {
      const element = tippedBy(event)
      if (element?.matches(':focus-visible')) showFor(element, 'focus')
    },
    focusout: () => {
      if (current?.cause === 'focus') hide()
    },
    click: event => {
      if (isOnTooltip(event)) return
      const element = tippedBy(event)
      // A pressed element needs no tooltip and may disappear.
      if (!element || element.closest('a, button')) hide()
      else showFor(element, 'tap')
    },
    keydown: event => {
      if (event.key !== 'Escape') return
      // So that the dialog or menu below stays open.
      if (shown) event.preventDefault()
      hide()
    },
    scroll: () => {
      // Focus may scroll its element into view; its tooltip is then still to come.
      if (!shown && current?.cause === 'focus') return
      hovered = null
      hide()
    },
  }
  for (const [name, listener] of Object.entries(listeners))
    document.addEventListener(name, listener as EventListener, { capture: true })
  return () => {
    clearTimeout(timer)
    for (const [name, listener] of Object.entries(listeners))
      document.removeEventListener(name, listener as EventListener, { capture: true })
  }
}
