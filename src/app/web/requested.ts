import { paths } from '../../kit/paths.ts'

/**
 * The page that a visitor requested, when a link of the first paint was pressed before the app's scripts had loaded:
 * public/shell.js then carries it in the query. Only the app's own screens, so that no foreign link can choose.
 */
export const requestedIn = (query: string): { pathname: string; search: string; hash: string } | null => {
  const from = new URLSearchParams(query).get('from')
  if (from === null || !URL.canParse(from, location.origin)) return null
  const { origin, pathname, search, hash } = new URL(from, location.origin)
  const isOwn = pathname === paths.dashboard || pathname.startsWith(`${paths.dashboard}/`)
  return origin === location.origin && isOwn ? { pathname, search, hash } : null
}
