import { type PointerEvent, type RefObject, useRef, useState } from 'react'

/**
 * Moves the rows of a list by a handle, with a mouse, pen or finger. A row changes places as soon as the pointer has passed the
 * middle of its neighbor. For the keyboard there are separate buttons.
 */
export const useDrag = (list: RefObject<HTMLElement | null>, onMove: (from: number, to: number) => void) => {
  const [dragged, setDragged] = useState<number | null>(null)
  /** The row's position after the last move, which may not be drawn yet. */
  const at = useRef<number | null>(null)
  const place = (index: number | null) => {
    at.current = index
    setDragged(index)
  }
  const follow = ({ clientY }: PointerEvent) => {
    const from = at.current
    if (from === null) return
    const middles = Array.from(list.current?.children ?? [], row => {
      const { top, height } = row.getBoundingClientRect()
      return top + height / 2
    })
    const below = middles[from + 1]
    const above = middles[from - 1]
    const to =
      below !== undefined && clientY > below ? from + 1 : above !== undefined && clientY < above ? from - 1 : from
    if (to === from) return
    place(to)
    onMove(from, to)
  }
  const handle = (index: number) => ({
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return
      event.preventDefault()
      event.currentTarget.setPointerCapture(event.pointerId)
      place(index)
    },
    onPointerMove: follow,
    onPointerUp: () => place(null),
    onPointerCancel: () => place(null),
  })
  return { dragged, handle }
}
