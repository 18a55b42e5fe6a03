import { type ReactNode, useCallback, useState } from 'react'

/**
 * What may be too long to show at once scrolls within its own box, which the keyboard can then reach: not every browser lets it
 * reach one by itself.
 */
export const ScrollBox = ({
  label,
  className,
  children,
}: {
  label: string
  /** Its greatest height. */
  className: string
  children: ReactNode
}) => {
  const [scrolls, setScrolls] = useState(false)
  const measured = useCallback((box: HTMLElement | null) => {
    if (!box) return
    const watcher = new ResizeObserver(() => setScrolls(box.scrollHeight > box.clientHeight))
    watcher.observe(box)
    if (box.firstElementChild) watcher.observe(box.firstElementChild)
    return () => watcher.disconnect()
  }, [])
  return (
    <div
      ref={measured}
      {...(scrolls && { role: 'region', 'aria-label': `${label}, scrollable`, tabIndex: 0 })}
      className={`overflow-y-auto rounded-sm ${className}`}
    >
      {children}
    </div>
  )
}
