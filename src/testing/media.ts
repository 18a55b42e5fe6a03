/** Media queries for tests with jsdom, which has none. */
import { vi } from 'vitest'

/** In place until `vi.unstubAllGlobals()`: only these queries match. `set` tells the listeners, as a browser does. */
export const stubMedia = (...matching: string[]): { set: (query: string, matches: boolean) => void } => {
  const lists = new Map<string, EventTarget & { matches: boolean }>()
  const matchMedia = (media: string) => {
    const list = lists.get(media) ?? Object.assign(new EventTarget(), { media, matches: matching.includes(media) })
    lists.set(media, list)
    return list
  }
  vi.stubGlobal('matchMedia', matchMedia)
  return {
    set: (query, matches) => {
      const list = matchMedia(query)
      list.matches = matches
      list.dispatchEvent(new Event('change'))
    },
  }
}
