/**
 * Moving in a grid with the arrow keys (ARIA authoring practices, grid): Tab stops once, and the arrows lead from there to every
 * cell. Cells, or the single control in a cell, are marked with `data-stop`. The position is kept in the document alone, so it
 * survives redrawing.
 */
import type { FocusEvent, KeyboardEvent } from 'react'

const stop = '[data-stop]'
const stopsOf = (row: Element | undefined) => [...(row?.querySelectorAll<HTMLElement>(stop) ?? [])].filter(isDrawn)
/** Some columns are not there on a phone. */
const isDrawn = (element: HTMLElement) => element.offsetParent !== null

/** The stop that the key leads to; undefined if it leads nowhere. */
const reachedBy = (event: KeyboardEvent, from: HTMLElement): HTMLElement | undefined => {
  const rows = [...event.currentTarget.querySelectorAll('tbody tr')]
  const row = rows.findIndex(one => one.contains(from))
  const stops = stopsOf(rows[row])
  const column = stops.indexOf(from)
  const inRow = (index: number) => {
    const others = stopsOf(rows[index])
    return others[Math.min(column, others.length - 1)]
  }
  switch (event.key) {
    case 'ArrowLeft':
      return stops[column - 1]
    case 'ArrowRight':
      return stops[column + 1]
    case 'ArrowUp':
      return inRow(row - 1)
    case 'ArrowDown':
      return inRow(row + 1)
    case 'Home':
      return event.ctrlKey ? stopsOf(rows[0])[0] : stops[0]
    case 'End':
      return event.ctrlKey ? stopsOf(rows.at(-1)).at(-1) : stops.at(-1)
    default:
      return undefined
  }
}

export const moveInGrid = (event: KeyboardEvent): void => {
  const from = event.target instanceof Element ? event.target.closest<HTMLElement>(stop) : null
  if (!from || event.altKey || event.metaKey || event.shiftKey) return
  const reached = reachedBy(event, from)
  if (!reached) return
  event.preventDefault()
  reached.focus()
}

/** Makes Tab return to where the focus was last. */
export const rememberStop = (event: FocusEvent): void => {
  const reached = event.target instanceof Element ? event.target.closest<HTMLElement>(stop) : null
  if (!reached) return
  for (const former of event.currentTarget.querySelectorAll<HTMLElement>(`${stop}[tabindex="0"]`)) former.tabIndex = -1
  reached.tabIndex = 0
}

/** A `ref` that keeps one stop for Tab, also when the row that had it is gone. */
export const keepOneStop = (grid: HTMLElement | null): void => {
  if (!grid || grid.querySelector(`${stop}[tabindex="0"]`)) return
  const first = grid.querySelector<HTMLElement>(stop)
  if (first) first.tabIndex = 0
}
