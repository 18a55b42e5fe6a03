import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useRef } from 'react'

type Tab<V extends string> = { value: V; label: ReactNode; content: ReactNode }

/** Panels of one screen. To keep the choice in the URL, pass `value` and `onValue` from there. */
export const Tabs = <V extends string>({
  tabs,
  value,
  onValue,
  label,
}: {
  tabs: readonly Tab<V>[]
  value: V
  onValue: (value: V) => void
  /** Names the tabs for screen readers. */
  label: string
}) => {
  const id = useId()
  const open = tabs.find(tab => tab.value === value)
  const row = useRef<HTMLDivElement>(null)
  useOpenTabInView(row, value)
  return (
    <>
      <div ref={row} role="tablist" aria-label={label} className="mb-5 flex gap-1 overflow-x-auto border-b">
        {tabs.map(tab => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}`}
            aria-selected={tab === open}
            aria-controls={tab === open ? `${id}-panel` : undefined}
            tabIndex={tab === open ? 0 : -1}
            onClick={() => onValue(tab.value)}
            onKeyDown={moveFocus}
            className="-mb-px border-b-2 border-transparent px-3 py-2 font-medium whitespace-nowrap text-muted-foreground hover:text-foreground focus-visible:-outline-offset-2 aria-selected:border-primary aria-selected:text-foreground"
          >
            {tab.label}
          </button>
        ))}
      </div>
      {open && (
        <div key={open.value} role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${open.value}`}>
          {open.content}
        </div>
      )}
    </>
  )
}

/** How much of the next tab is seen beside the open one, in pixels, so that nobody takes the open one for the last. */
const peek = 32

/**
 * On a phone the open tab may be outside the visible row: after a link to it, when the counts of other tabs arrive, or when the
 * phone is turned. A row that was scrolled by hand stays where it is. The page itself does not scroll.
 */
const useOpenTabInView = (row: RefObject<HTMLDivElement | null>, value: string) => {
  const shown = useRef('')
  useEffect(() => {
    const element = row.current
    if (!element) return undefined
    const bringIntoView = () => {
      const now = `${value} ${element.scrollWidth} ${element.clientWidth}`
      const tab = element.querySelector('[aria-selected=true]')
      if (shown.current === now || !tab) return
      shown.current = now
      const [place, space] = [tab.getBoundingClientRect(), element.getBoundingClientRect()]
      element.scrollBy(Math.max(place.right + peek - space.right, 0) || Math.min(place.left - peek - space.left, 0), 0)
    }
    bringIntoView()
    const resized = new ResizeObserver(bringIntoView)
    resized.observe(element)
    return () => resized.disconnect()
  })
}

/** Arrow keys, Home and End open the tab they move to (ARIA authoring practices, tabs). */
const moveFocus = (event: KeyboardEvent<HTMLButtonElement>) => {
  const tabs = [...event.currentTarget.parentElement!.querySelectorAll<HTMLElement>('[role=tab]')]
  const at = tabs.findIndex(tab => tab === event.currentTarget)
  const next = { ArrowLeft: at - 1, ArrowRight: (at + 1) % tabs.length, Home: 0, End: -1 }[event.key]
  if (next === undefined) return
  event.preventDefault()
  const reached = tabs.at(next)
  reached?.focus()
  reached?.click()
}
