/**
 * An address that is opened anew begins at its top: the router has one key for all entries that a document begins with, and the browser
 * keeps the entry of an address that is opened again, so that both would scroll to where an earlier page was left. A reload keeps its place.
 */
import { randomId } from '../../kit/web/randomId.ts'

const [navigation] = performance.getEntriesByType('navigation')
const isAnew = navigation instanceof PerformanceNavigationTiming && navigation.type === 'navigate'

if (isAnew || !window.history.state) {
  window.history.scrollRestoration = 'manual'
  window.history.replaceState({ key: randomId() }, '')
}
