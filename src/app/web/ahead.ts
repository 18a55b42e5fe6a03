/**
 * Starts loading a screen's code and data before it is shown: when its link is about to be pressed, and when a navigation begins,
 * while the code loads. Later, listens for changes and fetches the code of the screens that the open one links to.
 */
import { type DataRouter, matchRoutes } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { withoutReload } from '../../kit/web/newVersion.ts'
import { prefetchScreen } from './prefetch.ts'

/** A pointer or the focus that only passes over a link asks for nothing. */
const restMs = 65

const isScreen = (pathname: string) => pathname === paths.dashboard || pathname.startsWith(`${paths.dashboard}/`)

const linkAt = (target: EventTarget | null): URL | null => {
  const link = target instanceof Element ? target.closest('a') : null
  if (!link?.href || link.target === '_blank' || link.hasAttribute('download')) return null
  const url = new URL(link.href)
  return url.origin === location.origin && isScreen(url.pathname) && url.pathname !== location.pathname ? url : null
}

const savesData = () =>
  'connection' in navigator && (navigator.connection as { saveData?: boolean } | undefined)?.saveData === true

/** Addresses whose code is loaded or loading, because matching an address takes a slow phone 10 ms. */
const withCode = new Set<string>()

/** The browser caches the import, so the router finds it there. */
const loadCode = (router: DataRouter, url: URL) => {
  if (withCode.has(url.pathname)) return
  withCode.add(url.pathname)
  for (const { route } of matchRoutes([...router.routes], url) ?? [])
    if (typeof route.lazy === 'function')
      void route.lazy().catch(error => {
        withCode.delete(url.pathname)
        withoutReload(error)
      })
}

/** Lets the first screen's own requests go first; changes in the meantime are delivered once it listens. */
const laterMs = 1000

const startLater = (router: DataRouter) => {
  void import('./live.ts').catch(() => undefined)
  if (savesData()) return
  void import('./codeAhead.ts').then(
    ({ fetchCodeAhead }) => fetchCodeAhead(router),
    () => undefined,
  )
}

/** Resolves when what the open screen asks for first is cached, or has failed. */
export const startAhead = (router: DataRouter): Promise<void> => {
  setTimeout(startLater, laterMs, router)
  let resting: ReturnType<typeof setTimeout> | undefined
  const start = (url: URL) => {
    if (savesData()) return
    loadCode(router, url)
    void prefetchScreen(url)
  }
  const soon = ({ target }: Event) => {
    clearTimeout(resting)
    const url = linkAt(target)
    if (url) resting = setTimeout(start, restMs, url)
  }
  const now = ({ target }: Event) => {
    clearTimeout(resting)
    const url = linkAt(target)
    if (url) start(url)
  }
  document.addEventListener('pointerover', soon, { passive: true })
  document.addEventListener('focusin', soon)
  document.addEventListener('pointerdown', now, { passive: true })

  let navigating: string | undefined
  const follow = ({ navigation: { location: next } }: DataRouter['state']) => {
    if (next?.key === navigating) return
    navigating = next?.key
    if (next && isScreen(next.pathname)) void prefetchScreen(next)
  }
  router.subscribe(follow)
  follow(router.state)
  return prefetchScreen(router.state.location)
}
