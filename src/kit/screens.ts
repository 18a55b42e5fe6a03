/**
 * Which addresses have a screen: those that the builder of links makes, whatever their ids. Read as the page's router
 * reads them; src/app/web/screens.test.ts holds the two together.
 */
import { paths } from './paths.ts'

const anyId = '*'

const shapes = Object.values(paths).map(path => {
  const address = typeof path === 'function' ? path(anyId, 'testers') : path
  return address.replace(/[?#].*$/, '').replace(anyId, '[^/]+')
})
const screen = new RegExp(`^(?:${shapes.join('|')})/*$`, 'i')

/** As it stands in the address line, escapes included. */
export const hasScreen = (pathname: string): boolean => screen.test(pathname.split('/').map(unescaped).join('/'))

/** An escaped slash is part of an id and divides nothing. */
const unescaped = (segment: string) => {
  try {
    return decodeURIComponent(segment).replaceAll('/', '%2F')
  } catch {
    return segment
  }
}
