/**
 * Which addresses have a screen: those that `paths` can build with any ids. src/app/web/screens.test.ts compares this with the
 * page's router.
 */
import { paths } from './paths.ts'

const anyId = '*'

const shapes = Object.values(paths).map(path => {
  const address = typeof path === 'function' ? path(anyId, 'testers') : path
  return address.replace(/[?#].*$/, '').replace(anyId, '[^/]+')
})
const screen = new RegExp(`^(?:${shapes.join('|')})/*$`, 'i')

/** `pathname` as in the address bar, escapes included. */
export const hasScreen = (pathname: string): boolean => screen.test(pathname.split('/').map(unescaped).join('/'))

/** An escaped slash is part of an id, not a separator. */
const unescaped = (segment: string) => {
  try {
    return decodeURIComponent(segment).replaceAll('/', '%2F')
  } catch {
    return segment
  }
}
