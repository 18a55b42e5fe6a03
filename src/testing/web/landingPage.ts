/** The landing page as the build renders it, for tests of its enhancements in jsdom. */
import { vi } from 'vitest'
import { renderFrontPage } from '../../landing/web/front/prerender.tsx'

let page: string | undefined

export const showLandingPage = (): void => {
  page ??= renderFrontPage()
  document.body.innerHTML = page
}

export const theOne = <T extends Element = HTMLElement>(selector: string, within: ParentNode = document): T =>
  within.querySelector<T>(selector)!

/** jsdom lays nothing out, so no element ever becomes visible unless `report` says so. In place until `vi.unstubAllGlobals()`. */
export const stubSight = () => {
  const watchers: { watched: Set<Element>; report: IntersectionObserverCallback }[] = []
  class Observer {
    watched = new Set<Element>()
    constructor(report: IntersectionObserverCallback) {
      watchers.push({ watched: this.watched, report })
    }
    observe(element: Element) {
      this.watched.add(element)
    }
    disconnect() {
      this.watched.clear()
    }
  }
  vi.stubGlobal('IntersectionObserver', Observer)
  return {
    /** Tells each observer of the element, in this order, whether it is visible. */
    report: (element: Element, ...seen: boolean[]) => {
      const entries = seen.map(isIntersecting => ({ isIntersecting })) as IntersectionObserverEntry[]
      for (const { watched, report } of watchers) if (watched.has(element)) report(entries, {} as IntersectionObserver)
    },
  }
}
