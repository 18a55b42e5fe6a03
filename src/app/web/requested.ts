import { paths } from '../../kit/paths.ts'

/**
 * The page that a visitor requested by pressing a link before the app's scripts had loaded: public/shell.js passes it in the
 * query. Accepts only the app's own screens, so that links on other sites cannot choose where it leads.
 */
export const requestedIn = (query: string): { pathname: string; search: string; hash: string } | null => {
  const from = new URLSearchParams(query).get('from')
  if (from === null || !URL.canParse(from, location.origin)) return null
  const { origin, pathname, search, hash } = new URL(from, location.origin)
  const isOwn = pathname === paths.dashboard || pathname.startsWith(`${paths.dashboard}/`)
  return origin === location.origin && isOwn ? { pathname, search, hash } : null
}
