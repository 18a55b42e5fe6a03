import { Suspense, lazy, useCallback, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { Skeleton } from '../../kit/web/ui/States.tsx'

const DeveloperCharts = lazy(async () => ({ default: (await import('./DeveloperCharts.tsx')).DeveloperCharts }))

const anchor = 'analytics'

/** The developer's own analytics, opened by the sidebar's Analytics link. `settled`: the content above has its final height. */
export const AnalyticsSection = ({ settled }: { settled: boolean }) => {
  const heading = useArrival(settled)
  const [near, watch] = useNear()
  return (
    <section ref={watch} id={anchor} aria-labelledby="analytics-heading" className="scroll-mt-20">
      <h2
        ref={heading}
        id="analytics-heading"
        tabIndex={-1}
        className="mb-3 w-fit rounded-sm text-base font-semibold focus-visible:outline-none"
      >
        Analytics
      </h2>
      {near ? (
        <Suspense fallback={<ChartsSkeleton />}>
          <DeveloperCharts loading={<ChartsSkeleton />} />
        </Suspense>
      ) : (
        <ChartsSkeleton />
      )}
    </section>
  )
}

/**
 * Whether the section is near the viewport, because rendering the charts at once would add a third to the first screen's work.
 */
const useNear = (): [boolean, (section: HTMLElement | null) => (() => void) | undefined] => {
  const [near, setNear] = useState(false)
  const watch = useCallback((section: HTMLElement | null) => {
    if (!section) return undefined
    const watcher = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), {
      rootMargin: '300px',
    })
    watcher.observe(section)
    return () => watcher.disconnect()
  }, [])
  return [near, watch]
}

/** Scrolls to this section and focuses it if the URL has its anchor, and scrolls again once the content above has settled. */
const useArrival = (settled: boolean) => {
  const { hash, key } = useLocation()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (hash !== `#${anchor}`) return
    heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView()
  }, [hash, key])
  useEffect(() => {
    // Do not scroll if the user has moved on.
    if (settled && heading.current && document.activeElement === heading.current) heading.current.scrollIntoView()
  }, [settled])
  return heading
}

const ChartsSkeleton = () => (
  <output className="grid gap-4 lg:grid-cols-2">
    <span className="sr-only">Loading analytics</span>
    <Skeleton className="h-78 rounded-xl" />
    <Skeleton className="h-78 rounded-xl" />
    <Skeleton className="h-48 rounded-xl" />
    <Skeleton className="h-48 rounded-xl" />
  </output>
)
