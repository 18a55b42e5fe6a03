import { type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'

/** Spec §9, as the ui's Tooltip: 700 ms, but none within 300 ms of the one before. */
const delayMs = 700
const skipMs = 300

type Tip = { text: string; left: number; top: number }

const tipAt = (cell: HTMLElement): Tip => {
  const { left, width, top } = cell.getBoundingClientRect()
  return { text: cell.dataset.tip ?? '', left: left + width / 2, top }
}

const cellOf = ({ target }: PointerEvent) =>
  target instanceof Element ? target.closest<HTMLElement>('[data-tip]') : null

/**
 * One tooltip for thousands of cells: each says its own text in `data-tip`, which stands in the cell for screen readers
 * as well. A tap shows it at once.
 */
export const useCellTip = (): { tip: ReactNode; watch: object } => {
  const [shown, setShown] = useState<Tip | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const closedAt = useRef(-skipMs)

  const show = (cell: HTMLElement | null, afterMs: number) => {
    clearTimeout(timer.current)
    if (shown) closedAt.current = performance.now()
    setShown(null)
    if (cell) timer.current = setTimeout(() => setShown(tipAt(cell)), afterMs)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (!shown) return undefined
    const hide = () => setShown(null)
    addEventListener('scroll', hide, { capture: true, once: true })
    return () => removeEventListener('scroll', hide, { capture: true })
  }, [shown])

  return {
    watch: {
      onPointerOver: (event: PointerEvent) => {
        if (event.pointerType !== 'mouse') return
        const recent = shown !== null || performance.now() - closedAt.current < skipMs
        show(cellOf(event), recent ? 0 : delayMs)
      },
      onPointerLeave: (event: PointerEvent) => event.pointerType === 'mouse' && show(null, 0),
      onClick: (event: PointerEvent) => show(cellOf(event), 0),
    },
    tip:
      shown &&
      createPortal(
        <div
          aria-hidden
          style={{ left: `clamp(8.5rem, ${shown.left}px, 100vw - 8.5rem)`, top: shown.top - 6 }}
          className="pointer-events-none fixed z-50 w-max max-w-64 -translate-x-1/2 -translate-y-full animate-fade rounded-md bg-foreground px-2.5 py-1.5 text-xs wrap-anywhere text-background shadow-raised"
        >
          {shown.text}
        </div>,
        document.body,
      ),
  }
}
