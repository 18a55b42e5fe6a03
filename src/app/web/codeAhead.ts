/**
 * Fetches the code of the screens that the open one links to, and of its own further parts, while the page is idle, so that a first
 * visit to them waits for no script. The code is fetched and parsed, not run. The document contains the table of each screen's files (build/firstCode.ts),
 * which public/shell.js uses for the first screen.
 */
import { whenIdle } from '../../kit/web/idle.ts'
import { type DataRouter, matchPath } from 'react-router'
import { session } from '../../kit/web/session.ts'

type Table = { files: string[]; screens: Record<string, number[]> }

/** By then a screen has its data, or the connection is slow and is left to it. */
const afterMs = 1000

/** On such a line, the next click would wait for code that may never be needed. */
const isSlowLine = () =>
  'connection' in navigator &&
  (navigator.connection as { effectiveType?: string } | undefined)?.effectiveType?.endsWith('2g') === true

/** The side bar has links that a phone does not show. */
const isShown = (link: Element) => link.getClientRects().length > 0

const fetchFile = (file: string) => {
  const link = document.createElement('link')
  Object.assign(link, { rel: 'modulepreload', crossOrigin: '', fetchPriority: 'low', href: `/${file}` })
  document.head.append(link)
}

/** One at a time, because each link takes a slow phone some milliseconds. */
const fetchFiles = ([first, ...others]: readonly string[]) => {
  if (first === undefined) return
  whenIdle(() => {
    fetchFile(first)
    fetchFiles(others)
  })
}

/** The files of the screens that can be reached from here, except those that the document already links to. */
const missingFiles = ({ files, screens }: Table): string[] => {
  const addresses = Object.keys(screens)
  const paths = addresses.filter(address => !address.includes('?'))
  const screenAt = (pathname: string) => paths.find(path => matchPath(path, pathname))
  const links = [...document.querySelectorAll<HTMLAnchorElement>('#root a[href^="/"]')].filter(isShown)
  const role = session.user()?.role
  const linked = links.flatMap(({ pathname, search }) => {
    const screen = screenAt(pathname)
    return [`${screen}`, `${screen} ${role}`, `${screen}${search} ${role}`]
  })
  const here = screenAt(location.pathname)
  const parts = addresses.filter(address => address.startsWith(`${here}?`) && address.endsWith(` ${role}`))
  const wanted = new Set([...linked, ...parts].flatMap(key => screens[key] ?? []).map(number => files[number]!))
  return [...wanted].filter(file => !document.querySelector(`link[href="/${file}"]`))
}

/** For the open screen, and for each screen that is opened later. */
export const fetchCodeAhead = (router: DataRouter): void => {
  if (isSlowLine()) return
  const json = document.getElementById('first-code')?.textContent
  if (!json) return
  const table = JSON.parse(json) as Table
  const look = () => whenIdle(() => fetchFiles(missingFiles(table)))
  let timer: ReturnType<typeof setTimeout> | undefined
  const soon = () => {
    clearTimeout(timer)
    timer = setTimeout(look, afterMs)
  }
  router.subscribe(({ navigation }) => {
    if (navigation.state === 'idle') soon()
  })
  soon()
}
